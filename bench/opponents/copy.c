// The limit of recording: delivery rows by raw binary COPY, one transaction for each thousand, from memory.
//
//   copy DATABASE_URL FIRST COUNT        rows of one notification and the installations FIRST … FIRST + COUNT - 1
//
// Several streams are several processes. Ends when everything is committed.
#include "rows.h"

enum { ROWS_PER_TRANSACTION = 1000 };

int main(int count, char **arguments) {
    if (count != 4) return 64;
    int64_t first = atoll(arguments[2]), total = atoll(arguments[3]);
    PGconn *database = PQconnectdb(arguments[1]);
    stop_unless(PQstatus(database) == CONNECTION_OK, database, "connect");
    Buffer buffer = {0};
    Row rows[ROWS_PER_TRANSACTION];
    for (int64_t done = 0; done < total;) {
        size_t size = 0;
        for (; size < ROWS_PER_TRANSACTION && done < total; size++, done++) {
            rows[size] = (Row){.notification = 1, .installation = first + done, .platform = (int16_t)(done % 3 == 0)};
        }
        record(database, &buffer, rows, size);
    }
    PQfinish(database);
    return 0;
}
