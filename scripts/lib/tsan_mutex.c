/*
 * Tells ThreadSanitizer of the contended half of Swift's Mutex.
 *
 * Mutex.withLock is compiled into its caller, so the sanitizer sees its atomic fast path. When the lock is contended, the
 * standard library, which is not instrumented, goes on in _lockSlow and _unlockSlow, and the kernel hands the lock over
 * (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI). The sanitizer sees none of that and reports what the lock protects as a race. Loaded
 * before the standard library, these functions do what they stand before and say what it meant; nothing is suppressed.
 * In a process without the sanitizer they say nothing.
 *
 * Swift's calling convention passes the mutex in the context register, as swift_context does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define MUTEX __attribute__((swift_context)) void *mutex

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, MUTEX) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(MUTEX) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(MUTEX) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static SWIFT void (*real_lock)(uint32_t, MUTEX);
static SWIFT bool (*real_try_lock)(MUTEX);
static SWIFT void (*real_unlock)(MUTEX);

__attribute__((constructor)) static void find(void) {
    real_lock = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real_try_lock = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    real_unlock = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
}

SWIFT void lock_slow(uint32_t thread, MUTEX) {
    real_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(MUTEX) {
    bool is_locked = real_try_lock(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock_slow(MUTEX) {
    if (__tsan_release) __tsan_release(mutex);
    real_unlock(mutex);
}
