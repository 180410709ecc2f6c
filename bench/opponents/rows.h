// Delivery rows in PostgreSQL's binary COPY format, for a table of the shape of ours (schema.sql).
#pragma once

#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FINISHED_ACCEPTED = 2, COLUMNS = 9 };

typedef struct {
    int64_t notification, installation;
    int16_t platform;
} Row;

typedef struct {
    char *bytes;
    size_t count, capacity;
} Buffer;

static inline void put(Buffer *buffer, const void *bytes, size_t count) {
    if (buffer->count + count > buffer->capacity) {
        buffer->capacity = 2 * (buffer->count + count);
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static inline void put16(Buffer *buffer, int16_t value) {
    uint16_t swapped = htons((uint16_t)value);
    put(buffer, &swapped, 2);
}

static inline void put32(Buffer *buffer, int32_t value) {
    uint32_t swapped = htonl((uint32_t)value);
    put(buffer, &swapped, 4);
}

static inline void put64(Buffer *buffer, int64_t value) {
    uint64_t swapped = htobe64((uint64_t)value);
    put(buffer, &swapped, 8);
}

static inline void put_field16(Buffer *buffer, int16_t value) {
    put32(buffer, 2);
    put16(buffer, value);
}

static inline void put_field64(Buffer *buffer, int64_t value) {
    put32(buffer, 8);
    put64(buffer, value);
}

// Microseconds since PostgreSQL's epoch, the first of January 2000.
static inline int64_t postgres_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - 946684800LL) * 1000000 + now.tv_nsec / 1000;
}

static inline void put_row(Buffer *buffer, const Row *row, int64_t now) {
    put16(buffer, COLUMNS);
    put_field64(buffer, row->notification);
    put_field64(buffer, row->installation);
    put_field64(buffer, now);
    put_field64(buffer, now);
    put_field16(buffer, FINISHED_ACCEPTED);
    put_field16(buffer, row->platform);
    put_field16(buffer, 1);
    put32(buffer, 1);
    put(buffer, "\0", 1);
    put32(buffer, -1);
}

static inline void stop_unless(int fine, PGconn *database, const char *what) {
    if (fine) return;
    fprintf(stderr, "%s: %s\n", what, PQerrorMessage(database));
    exit(1);
}

// One transaction: COPY of the rows.
static inline void record(PGconn *database, Buffer *buffer, const Row *rows, size_t count) {
    PGresult *result = PQexec(database, "copy opponent.delivery from stdin (format binary)");
    stop_unless(PQresultStatus(result) == PGRES_COPY_IN, database, "copy");
    PQclear(result);
    int64_t now = postgres_now();
    buffer->count = 0;
    put(buffer, "PGCOPY\n\377\r\n\0", 11);
    put64(buffer, 0);
    for (size_t index = 0; index < count; index++) put_row(buffer, &rows[index], now);
    put16(buffer, -1);
    int sent = PQputCopyData(database, buffer->bytes, (int)buffer->count);
    stop_unless(sent == 1 && PQputCopyEnd(database, NULL) == 1, database, "copy data");
    while ((result = PQgetResult(database))) {
        stop_unless(PQresultStatus(result) == PGRES_COMMAND_OK, database, "copy end");
        PQclear(result);
    }
}
