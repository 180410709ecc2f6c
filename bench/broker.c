// What the benchmark asks of the broker.
//
//   broker URL fill EXCHANGE KEY < LINES        publishes each line as a persistent message, confirms included
//   broker URL pace EXCHANGE KEY EVERY_MS < LINES   the same one by one at a fixed pace; prints "ID SECONDS" for each,
//                                               the wall clock just before the publish
//   broker URL purge QUEUE…
//   broker URL depth QUEUE                      prints the number of ready messages
//   broker URL taken QUEUE COUNT                waits until fewer than COUNT are ready; prints the wall clock then
#include "opponents/connect.h"

#include <poll.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { WINDOW = 500, LINE = 65536 };

typedef struct {
    amqp_connection_state_t connection;
    uint64_t published, confirmed;
} Publisher;

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int depth(amqp_connection_state_t connection, const char *queue) {
    amqp_queue_declare_ok_t *answer =
        amqp_queue_declare(connection, 1, amqp_cstring_bytes(queue), 1, 0, 0, 0, amqp_empty_table);
    expect(amqp_get_rpc_reply(connection), queue);
    return (int)answer->message_count;
}

// Reads confirms until at most `open` publishes are without one.
static void await_confirms(Publisher *publisher, uint64_t open) {
    while (publisher->published - publisher->confirmed > open) {
        amqp_frame_t frame;
        struct timeval patience = {60, 0};
        int status = amqp_simple_wait_frame_noblock(publisher->connection, &frame, &patience);
        if (status != AMQP_STATUS_OK) fail("confirm", amqp_error_string2(status));
        if (frame.frame_type != AMQP_FRAME_METHOD || frame.payload.method.id != AMQP_BASIC_ACK_METHOD) {
            fail("confirm", "nack, return or close");
        }
        amqp_basic_ack_t *ack = frame.payload.method.decoded;
        publisher->confirmed = ack->multiple ? ack->delivery_tag : publisher->confirmed + 1;
        amqp_maybe_release_buffers(publisher->connection);
    }
}

static void publish(Publisher *publisher, const char *exchange, const char *key, char *line, size_t length) {
    amqp_basic_properties_t properties = {0};
    properties._flags = AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG;
    properties.content_type = amqp_cstring_bytes("application/json");
    properties.delivery_mode = 2;
    amqp_bytes_t body = {length, line};
    int status = amqp_basic_publish(publisher->connection, 1, amqp_cstring_bytes(exchange), amqp_cstring_bytes(key), 1, 0,
                                    &properties, body);
    if (status != AMQP_STATUS_OK) fail("publish", amqp_error_string2(status));
    publisher->published++;
}

static void print_id(const char *line, double moment) {
    const char *id = strstr(line, "\"id\":\"");
    printf("%.36s %.6f\n", id ? id + 6 : "", moment);
    fflush(stdout);
}

static void publish_lines(amqp_connection_state_t connection, const char *exchange, const char *key, int pace) {
    static char line[LINE];
    Publisher publisher = {connection, 0, 0};
    amqp_confirm_select(connection, 1);
    expect(amqp_get_rpc_reply(connection), "confirm.select");
    double next = wall_clock();
    while (fgets(line, LINE, stdin)) {
        size_t length = strcspn(line, "\n");
        double moment = wall_clock();
        if (pace && moment < next) {
            poll(NULL, 0, (int)((next - moment) * 1000));
            moment = wall_clock();
        }
        next += pace / 1000.0;
        publish(&publisher, exchange, key, line, length);
        if (pace) print_id(line, moment);
        await_confirms(&publisher, pace ? 0 : WINDOW);
    }
    await_confirms(&publisher, 0);
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    amqp_connection_state_t connection = connect_to_broker(arguments[1]);
    const char *command = arguments[2];
    if (!strcmp(command, "fill") && count == 5) {
        publish_lines(connection, arguments[3], arguments[4], 0);
    } else if (!strcmp(command, "pace") && count == 6) {
        publish_lines(connection, arguments[3], arguments[4], atoi(arguments[5]));
    } else if (!strcmp(command, "purge")) {
        for (int index = 3; index < count; index++) {
            amqp_queue_purge(connection, 1, amqp_cstring_bytes(arguments[index]));
            expect(amqp_get_rpc_reply(connection), arguments[index]);
        }
    } else if (!strcmp(command, "depth")) {
        printf("%d\n", depth(connection, arguments[3]));
    } else if (!strcmp(command, "taken") && count == 5) {
        while (depth(connection, arguments[3]) >= atoi(arguments[4])) {
            poll(NULL, 0, 1);
            amqp_maybe_release_buffers(connection);
        }
        printf("%.6f\n", wall_clock());
    } else {
        return 64;
    }
    amqp_connection_close(connection, AMQP_REPLY_SUCCESS);
    return 0;
}
