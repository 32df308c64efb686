/* What the ruler's JSON files have in common. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include <stdio.h>

/* Writes a line `"name": "text",` as a member of the outermost object. */
void json_write_text(FILE *file, const char *name, const char *text);

/* Writes what the machine is: members system, processor and load_average, as far as known. */
void json_write_machine(FILE *file);

#endif
