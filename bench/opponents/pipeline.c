// The floor: our pipeline for one-user jobs in one C thread, without any check, escape or recovery.
//
//   pipeline AMQP_URL DATABASE_URL QUEUE PREFETCH BATCH       runs until it is ended
//
// A batch is what is ready: one lookup of all its tags, a payload for each device, one COPY, one multiple ack.
#include "connect.h"
#include "rows.h"

enum { TEXT = 256, DEVICES_PER_JOB = 8, PAYLOAD = 2048 };

typedef struct {
    int64_t notification;
    char tag[TEXT], title[TEXT], body[TEXT];
} Job;

typedef struct {
    amqp_connection_state_t broker;
    PGconn *database;
    Buffer buffer;
    Job *jobs;
    Row *rows;
    size_t batch;
} Pipeline;

// Copies the string that follows the key; escapes are not looked at.
static void copy_member(const char *text, size_t size, const char *key, char *value) {
    char *start = memmem(text, size, key, strlen(key));
    size_t length = 0;
    if (start) {
        start += strlen(key);
        while (start + length < text + size && start[length] != '"' && length < TEXT - 1) length++;
        memcpy(value, start, length);
    }
    value[length] = 0;
}

static void parse(Job *job, amqp_bytes_t body) {
    char id[TEXT];
    copy_member(body.bytes, body.len, "\"id\":\"", id);
    copy_member(body.bytes, body.len, "\"tags\":\"", job->tag);
    copy_member(body.bytes, body.len, "\"title\":\"", job->title);
    copy_member(body.bytes, body.len, "\"body\":\"", job->body);
    // The generator writes the job's number into the last group of its id.
    job->notification = strlen(id) == 36 ? strtoll(id + 24, NULL, 16) : 0;
}

// Takes one message and then what is ready, up to a batch. Answers the number of jobs and the last delivery tag.
static size_t take(Pipeline *line, uint64_t *tag) {
    struct timeval moment = {0, 1000};
    size_t count = 0;
    amqp_maybe_release_buffers(line->broker);
    while (count < line->batch) {
        amqp_envelope_t envelope;
        amqp_rpc_reply_t reply = amqp_consume_message(line->broker, &envelope, count ? &moment : NULL, 0);
        if (count && reply.library_error == AMQP_STATUS_TIMEOUT) break;
        expect(reply, "consume");
        parse(&line->jobs[count++], envelope.message.body);
        *tag = envelope.delivery_tag;
        amqp_destroy_envelope(&envelope);
    }
    return count;
}

static const char *const lookup =
    "select wanted.number, device.id, device.platform, device.token"
    " from unnest($1::text[]) with ordinality as wanted(tag, number)"
    " join lateral (select id, platform, token from opponent.device where tags @> array[wanted.tag]) as device on true";

static PGresult *resolve(Pipeline *line, size_t count) {
    Buffer *buffer = &line->buffer;
    buffer->count = 0;
    put32(buffer, 1);
    put32(buffer, 0);
    put32(buffer, 25);
    put32(buffer, (int32_t)count);
    put32(buffer, 1);
    for (size_t index = 0; index < count; index++) {
        size_t length = strlen(line->jobs[index].tag);
        put32(buffer, (int32_t)length);
        put(buffer, line->jobs[index].tag, length);
    }
    const char *values[] = {buffer->bytes};
    int lengths[] = {(int)buffer->count}, formats[] = {1};
    PGresult *result = PQexecPrepared(line->database, "lookup", 1, values, lengths, formats, 1);
    stop_unless(PQresultStatus(result) == PGRES_TUPLES_OK, line->database, "lookup");
    return result;
}

static int64_t read64(PGresult *result, int row, int column) {
    int64_t value;
    memcpy(&value, PQgetvalue(result, row, column), 8);
    return (int64_t)be64toh((uint64_t)value);
}

static int render(char *payload, const Job *job, int platform, const char *token, int length) {
    if (platform == 0) {
        return snprintf(payload, PAYLOAD, "{\"aps\":{\"alert\":{\"title\":\"%s\",\"body\":\"%s\"}}}", job->title, job->body);
    }
    return snprintf(payload, PAYLOAD,
                    "{\"message\":{\"token\":\"%.*s\",\"notification\":{\"title\":\"%s\",\"body\":\"%s\"}}}",
                    length, token, job->title, job->body);
}

// The simulated gateway accepts whatever has a body.
static void send_push(const char *payload, int size) {
    if (size < 20 || payload[0] != '{') fail("gateway", "no payload");
}

static size_t deliver(Pipeline *line, PGresult *found) {
    int count = PQntuples(found);
    if ((size_t)count > line->batch * DEVICES_PER_JOB) fail("lookup", "more devices than the benchmark has");
    for (int index = 0; index < count; index++) {
        const Job *job = &line->jobs[read64(found, index, 0) - 1];
        int16_t platform;
        char payload[PAYLOAD];
        memcpy(&platform, PQgetvalue(found, index, 2), 2);
        platform = (int16_t)ntohs((uint16_t)platform);
        int size = render(payload, job, platform, PQgetvalue(found, index, 3), PQgetlength(found, index, 3));
        send_push(payload, size);
        line->rows[index] = (Row){job->notification, read64(found, index, 1), platform};
    }
    return (size_t)count;
}

static void start(Pipeline *line, char **arguments) {
    int prefetch = atoi(arguments[4]);
    line->batch = (size_t)atoi(arguments[5]);
    line->jobs = malloc(line->batch * sizeof(Job));
    line->rows = malloc(line->batch * DEVICES_PER_JOB * sizeof(Row));
    line->database = PQconnectdb(arguments[2]);
    stop_unless(PQstatus(line->database) == CONNECTION_OK, line->database, "connect");
    PGresult *result = PQprepare(line->database, "lookup", lookup, 0, NULL);
    stop_unless(PQresultStatus(result) == PGRES_COMMAND_OK, line->database, "prepare");
    PQclear(result);
    line->broker = connect_to_broker(arguments[1]);
    amqp_basic_qos(line->broker, 1, 0, (uint16_t)prefetch, 0);
    expect(amqp_get_rpc_reply(line->broker), "qos");
    amqp_bytes_t queue = amqp_cstring_bytes(arguments[3]);
    amqp_basic_consume(line->broker, 1, queue, amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
    expect(amqp_get_rpc_reply(line->broker), "consume");
}

int main(int count, char **arguments) {
    if (count != 6) return 64;
    Pipeline line = {0};
    start(&line, arguments);
    for (;;) {
        uint64_t tag = 0;
        size_t jobs = take(&line, &tag);
        PGresult *found = resolve(&line, jobs);
        size_t rows = deliver(&line, found);
        PQclear(found);
        record(line.database, &line.buffer, line.rows, rows);
        if (amqp_basic_ack(line.broker, 1, tag, 1) != 0) fail("ack", "not written");
    }
}
