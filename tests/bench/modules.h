/* The rows that call one module of minikv directly, through its frozen header. */
#ifndef BENCH_MODULES_H
#define BENCH_MODULES_H

#include "row.h"

/* Appends one byte to a buffer that grows to a few kilobytes and starts again. */
uint64_t modules_append_byte(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_check_append_byte(struct fixture *fixture, const uint32_t *picks, size_t count);

/* Makes a buffer on the stack, appends a short reply to it and ends it. */
uint64_t modules_cycle_buffer(struct fixture *fixture, const uint32_t *picks, size_t count);

/* The same by way of room for one byte, which is filled afterwards: no call of memcpy(). */
uint64_t modules_alloc_byte(struct fixture *fixture, const uint32_t *picks, size_t count);

/*
 * A buffer of three chunks: asks for its length, copies nearly all of it out, or adds a few bytes
 * and cuts them off again.
 */
bool modules_open_buffer(struct fixture *fixture);
uint64_t modules_measure_buffer(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_copy_buffer(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_truncate_buffer(struct fixture *fixture, const uint32_t *picks, size_t count);

/* Hands external bytes over to an empty buffer and clears it. */
uint64_t modules_append_external(struct fixture *fixture, const uint32_t *picks, size_t count);

/* Renders a template without and with a place to fill in. */
bool modules_open_fixed(struct fixture *fixture);
bool modules_open_filled(struct fixture *fixture);
uint64_t modules_render_fixed(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_check_render_fixed(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_render_filled(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_check_render_filled(struct fixture *fixture, const uint32_t *picks, size_t count);
void modules_close_template(struct fixture *fixture);

/* Sees to a path of four folders: one that is there, and one of which only the first is. */
bool modules_open_folders(struct fixture *fixture);
uint64_t modules_ensure_old(struct fixture *fixture, const uint32_t *picks, size_t count);
uint64_t modules_ensure_new(struct fixture *fixture, const uint32_t *picks, size_t count);
void modules_tidy_folders(struct fixture *fixture);
void modules_close_folders(struct fixture *fixture);

/* Notes an event in a rate meter whose window holds a thousand. */
bool modules_open_rate(struct fixture *fixture);
uint64_t modules_update_rate(struct fixture *fixture, const uint32_t *picks, size_t count);
void modules_close_rate(struct fixture *fixture);

/* The loop of the program `folders`: notes an event, sees to a path of folders that is there. */
bool modules_open_program(struct fixture *fixture);
uint64_t modules_ensure_counted(struct fixture *fixture, const uint32_t *picks, size_t count);
void modules_close_program(struct fixture *fixture);

#endif
