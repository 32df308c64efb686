/* Numbers with their units, for people. */
#ifndef BENCH_UNITS_H
#define BENCH_UNITS_H

#define UNITS_TEXT_MAX 32

/* Puts a time into `text`, in the unit that leaves it short: "4.7 ns", "1283 ns", "12.3 ms". */
void units_say_time(double ns, char text[UNITS_TEXT_MAX]);

#endif
