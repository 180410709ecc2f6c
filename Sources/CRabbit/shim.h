#pragma once

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// amqp_login_with_properties is variadic (one argument list per SASL method), which Swift cannot call.
static inline amqp_rpc_reply_t crabbit_login_plain(amqp_connection_state_t state, const char *vhost, int frame_max,
                                                   int heartbeat, const amqp_table_t *properties, const char *user,
                                                   const char *password) {
    return amqp_login_with_properties(state, vhost, 1, frame_max, heartbeat, properties, AMQP_SASL_METHOD_PLAIN, user,
                                      password);
}

// The same for the identity in the client certificate (rabbitmq-auth-mechanism-ssl).
static inline amqp_rpc_reply_t crabbit_login_external(amqp_connection_state_t state, const char *vhost, int frame_max,
                                                      int heartbeat, const amqp_table_t *properties,
                                                      const char *identity) {
    return amqp_login_with_properties(state, vhost, 1, frame_max, heartbeat, properties, AMQP_SASL_METHOD_EXTERNAL,
                                      identity);
}

// How large the calling thread's stack is; 0 when nobody says. A GNU extension.
// Declared here because the header shows it only to those who define _GNU_SOURCE before all others.
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);

static inline size_t crabbit_stack_size(void) {
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

// prctl is variadic as well. At most 15 octets are kept.
static inline void crabbit_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// The Glibc module of Swift does not carry <sys/eventfd.h>.
static inline int crabbit_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
