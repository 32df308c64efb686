#include "die.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void die(const char *what) {
    perror(what);
    exit(EXIT_FAILURE);
}

void must(int result, const char *what) {
    if (result != 0) {
        die(what);
    }
}
