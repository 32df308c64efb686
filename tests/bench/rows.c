#include "commands.h"

#define COMMANDS .run = commands_run, .check = commands_check

const struct row rows[] = {
    {.name = "get-hit", .measures = "GET, key is there", COMMANDS, .line = commands_write_get},
    {.name = "get-miss", .measures = "GET, no such key", COMMANDS, .line = commands_write_get_miss},
    {.name = "set", .measures = "SET, key is there", COMMANDS, .line = commands_write_set},
    {.name = "exists", .measures = "EXISTS, key is there", COMMANDS, .line = commands_write_exists},
    {.name = "incr", .measures = "INCR", COMMANDS, .line = commands_write_incr, .numbers = true},
    {.name = "append", .measures = "APPEND of one byte", COMMANDS, .line = commands_write_append},
    {.name = NULL},
};
