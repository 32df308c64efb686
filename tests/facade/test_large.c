/* A log of a million records is opened in memory that is in proportion to what is alive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include <cmocka.h>

#include "path.h"
#include "program.h"
#include "sanitized.h"
#include "session.h"
#include "watchdog.h"

#define RECORDS (SANITIZED ? 100000 : 1000000)

/* For a record's key and value of some twenty bytes, its node and its share of the table. */
#define MEMORY_PER_RECORD 160

/* For the program itself. */
#define MEMORY_BESIDE ((size_t)16 * 1024 * 1024)

/* Writes the log, which is alive as a whole: so it is not compacted. */
static void write_records(struct session *session) {
    char line[64];
    struct buffer reply;
    buffer_init(&reply);
    for (int i = 0; i < RECORDS; i++) {
        int length = snprintf(line, sizeof line, "SET key:%07d value:%07d", i, i);
        (void)minikv_execute(session->kv, slice_from(line, (size_t)length), &reply);
        buffer_clear(&reply);
    }
    buffer_release(&reply);
}

/* Memory is limited where that can be done. */
static void test_a_million_records_take_memory_in_proportion(void **state) {
    struct session *session = *state;
    struct program program;
    struct program_result result;
    struct blob expected = {0};
    write_records(session);
    session_close(session);
    assert_true(path_size(session->log) > (size_t)RECORDS * 45);

    size_t limit = MEMORY_BESIDE + (size_t)RECORDS * MEMORY_PER_RECORD;
    const struct program_options options = {.memory_limit = SANITIZED ? 0 : limit};
    const char *const arguments[] = {session->log, NULL};
    program_start(&program, program_minikv(), arguments, &options);
    program_write(&program, slice_from_string("COUNT\nGET key:0000000\nGET key:0099999\n"));
    program_finish(&program, &result);
    blob_print(&expected, "(integer) %d\n\"value:0000000\"\n\"value:0099999\"\n", RECORDS);
    assert_int_equal(result.status, 0);
    assert_true(blob_equals(&result.out, blob_view(&expected)));
    program_result_release(&result);
    blob_release(&expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_a_million_records_take_memory_in_proportion),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
