// A RabbitMQ connection for the benchmark's small C programs: they stop the process at the first error.
#pragma once

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static inline void expect(amqp_rpc_reply_t reply, const char *what) {
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return;
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) fail(what, amqp_error_string2(reply.library_error));
    fail(what, "the broker refused");
}

// Connects to an amqp:// URL and opens channel 1.
static inline amqp_connection_state_t connect_to_broker(const char *url) {
    struct amqp_connection_info info;
    char *text = strdup(url);
    if (amqp_parse_url(text, &info) != AMQP_STATUS_OK) fail("url", url);
    amqp_connection_state_t connection = amqp_new_connection();
    amqp_socket_t *socket = amqp_tcp_socket_new(connection);
    if (!socket || amqp_socket_open(socket, info.host, info.port) != AMQP_STATUS_OK) fail("connect", url);
    expect(amqp_login(connection, info.vhost, 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, info.user, info.password), "login");
    amqp_channel_open(connection, 1);
    expect(amqp_get_rpc_reply(connection), "channel");
    return connection;
}
