/* The texts that docs/protocol.md freezes. No other test looks at an error's wording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "session.h"
#include "watchdog.h"

static const struct {
    const char *line;
    const char *reply;
} frozen[] = {
    {"NOSUCH", "ERR unknown command 'NOSUCH', try HELP"},
    {"NOSUCH a b", "ERR unknown command 'NOSUCH', try HELP"},
    {"\"\"", "ERR empty command name"},
    {"\"\" a", "ERR empty command name"},
    {"SET a", "ERR wrong number of arguments for 'SET', use: SET key value"},
    {"SET a 1 2", "ERR wrong number of arguments for 'SET', use: SET key value"},
    {"GET", "ERR wrong number of arguments for 'GET', use: GET key"},
    {"DEL", "ERR wrong number of arguments for 'DEL', use: DEL key"},
    {"EXISTS", "ERR wrong number of arguments for 'EXISTS', use: EXISTS key"},
    {"INCR", "ERR wrong number of arguments for 'INCR', use: INCR key"},
    {"APPEND a", "ERR wrong number of arguments for 'APPEND', use: APPEND key value"},
    {"COUNT a", "ERR wrong number of arguments for 'COUNT', use: COUNT"},
    {"STATS a", "ERR wrong number of arguments for 'STATS', use: STATS"},
    {"COMPACT a", "ERR wrong number of arguments for 'COMPACT', use: COMPACT"},
    {"BACKUP", "ERR wrong number of arguments for 'BACKUP', use: BACKUP path"},
    {"HELP a b", "ERR wrong number of arguments for 'HELP', use: HELP [command]"},
    {"QUIT a", "ERR wrong number of arguments for 'QUIT', use: QUIT"},
    {"SET a \"1", "ERR unbalanced quotes"},
    {"SET a 1\"2\"", "ERR unbalanced quotes"},
    {"SET a \"1\"2", "ERR unbalanced quotes"},
    {"SET a \"\\q\"", "ERR unknown escape in quotes, use \\\" \\\\ \\n \\r \\t or \\xNN"},

    /* Of several faults, an unknown name is told first, then quotes, then the number of words. */
    {"NOSUCH \"a", "ERR unknown command 'NOSUCH', try HELP"},
    {"NOSUCH \"\\q\"", "ERR unknown command 'NOSUCH', try HELP"},
    {"\"\" \"a", "ERR empty command name"},
    {"SET \"a", "ERR unbalanced quotes"},
    {"GET a b \"c", "ERR unbalanced quotes"},
    {"\"NOSUCH", "ERR unbalanced quotes"},
};

static void test_frozen_errors_have_their_text(void **state) {
    for (size_t i = 0; i < sizeof frozen / sizeof frozen[0]; i++) {
        assert_reply(*state, frozen[i].line, frozen[i].reply);
    }
}

static void test_a_line_over_the_limit_is_told_the_limit(void **state) {
    struct blob line = {0};
    blob_add_run(&line, 'x', MINIKV_LINE_LIMIT + 1);
    assert_reply_bytes(*state, blob_view(&line),
                       slice_from_string("ERR line longer than 1048576 bytes"));
    blob_release(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SESSION(test_frozen_errors_have_their_text),
        IN_SESSION(test_a_line_over_the_limit_is_told_the_limit),
    };
    return cmocka_run_group_tests(tests, watchdog_start, NULL);
}
