/* The rows that send commands through the facade. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "row.h"

/* Executes the picked lines; adds up the lengths of the replies. */
uint64_t commands_run(struct fixture *fixture, const uint32_t *picks, size_t count);

/* The same; a checksum of all bytes of the replies. */
uint64_t commands_check(struct fixture *fixture, const uint32_t *picks, size_t count);

size_t commands_write_get(char *line, size_t key, struct slice value);
size_t commands_write_get_miss(char *line, size_t key, struct slice value);
size_t commands_write_exists(char *line, size_t key, struct slice value);
size_t commands_write_set(char *line, size_t key, struct slice value);
size_t commands_write_incr(char *line, size_t key, struct slice value);
size_t commands_write_append(char *line, size_t key, struct slice value);

#endif
