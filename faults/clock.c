// Moves a program's wall clock: loaded by LD_PRELOAD, it adds to the real time what a shared file says.
//
// libfaketime is not used, because its timerfd_settime moves the timers of every clock: libdispatch's, which go by the
// monotonic one, then wait for an hour when the wall clock is put back by one. And it makes an environment variable at
// its start, which moves the environment, and Swift no longer finds the arguments in front of it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BILLION INT64_C(1000000000)

struct shared {
    _Atomic int64_t offset;  // nanoseconds to add
    _Atomic int64_t moment;  // nanoseconds since 1970 at which the clock stands; 0 when it goes
};

static struct shared *shared;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("DISPATCHER_FAULT_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) shared = memory;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result != 0 || !shared || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
    int64_t moment = shared->moment;
    if (moment == 0) moment = time->tv_sec * BILLION + time->tv_nsec + shared->offset;
    time->tv_sec = moment / BILLION;
    time->tv_nsec = moment % BILLION;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
