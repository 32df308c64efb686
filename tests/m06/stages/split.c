/* Taking the line apart: its first word, in upper case, for the handler; then all its words. */
#include "stages.h"

#include "server.c"

static void find(struct slice name) {
    struct bytes upper;
    if (upper_case(name, &upper)) {
        stages_sink += find_handler(bytes_view(&upper)) != NULL;
        bytes_release(&upper);
    }
}

static void run(const struct query *query) {
    struct bytes name;
    struct words words;
    struct slice rest = query->line;
    if (words_next(&rest, &name) == WORDS_OK) {
        find(bytes_view(&name));
        bytes_release(&name);
    }
    if (words_split(query->line, &words) == WORDS_OK) {
        stages_sink += words.count;
        words_release(&words);
    }
}

const struct stage stage_split = {.run = run};
