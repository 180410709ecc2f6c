#pragma once

#include <microhttpd.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// MHD_start_daemon is variadic, which Swift cannot call. The callbacks are named here, where their types are checked;
// the other options come as the array that MHD_OPTION_ARRAY takes.
static inline struct MHD_Daemon *cmicrohttpd_start(unsigned int flags, MHD_AccessHandlerCallback handler,
                                                   void *(*target)(void *, const char *, struct MHD_Connection *),
                                                   MHD_RequestCompletedCallback completed,
                                                   MHD_NotifyConnectionCallback connection, void *context,
                                                   const struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_URI_LOG_CALLBACK, target, context,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connection,
                            context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic as well; none of the kinds asked for takes a further argument.
static inline const union MHD_ConnectionInfo *cmicrohttpd_connection_info(struct MHD_Connection *connection,
                                                                          enum MHD_ConnectionInfoType kind) {
    return MHD_get_connection_info(connection, kind);
}

// So is MHD_get_daemon_info.
static inline int cmicrohttpd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

// So is prctl. At most 15 octets are kept.
static inline void cmicrohttpd_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// The Glibc module of Swift does not carry <sys/eventfd.h>.
static inline int cmicrohttpd_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
