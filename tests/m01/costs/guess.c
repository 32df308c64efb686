#include "guess.h"

#include <errno.h>
#include <string.h>

#include "duration.h"

/* What is read, and where from. */
struct reading {
    const char *path;
    size_t number; /* of the line */
    FILE *complaints;
    struct guess *guess;
    bool faults;
    bool answers; /* there is one, right or wrong */
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Cuts blanks off both ends and makes one of those in a row, in place. */
static void squeeze(char *text) {
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (!is_blank(*c)) {
            text[length++] = *c;
        } else if (length > 0 && text[length - 1] != ' ') {
            text[length++] = ' ';
        }
    }
    length -= length > 0 && text[length - 1] == ' ';
    text[length] = '\0';
}

static void fault(struct reading *reading, const char *what, const char *detail) {
    reading->faults = true;
    (void)fprintf(reading->complaints, "%s:%zu: %s%s%s\n", reading->path, reading->number, what,
                  detail[0] == '\0' ? "" : ": ", detail);
}

/* Cuts the line in two at its last colon; NULL when it has none. */
static char *cut(char *line) {
    char *time = strrchr(line, ':');
    if (time != NULL) {
        *time++ = '\0';
        squeeze(time);
    }
    squeeze(line);
    return time;
}

static struct guess_line *find(struct guess *guess, const char *what) {
    for (size_t i = 0; i < guess->count; i++) {
        if (strcmp(guess->lines[i].what, what) == 0) {
            return &guess->lines[i];
        }
    }
    return NULL;
}

static void take_form_line(struct reading *reading, char *line) {
    struct guess *guess = reading->guess;
    if (cut(line) != NULL && guess->count < GUESS_LINES_MAX) {
        struct guess_line *added = &guess->lines[guess->count++];
        *added = (struct guess_line){.ns = 0};
        (void)snprintf(added->what, sizeof added->what, "%s", line);
    }
}

static void take_time(struct reading *reading, struct guess_line *line, const char *time) {
    char detail[2 * GUESS_TEXT_MAX];
    const char *wrong = duration_read(time, &line->ns);
    if (wrong != NULL) {
        line->ns = 0;
        (void)snprintf(detail, sizeof detail, "%.120s: %.120s", line->what, time);
        fault(reading, wrong, detail);
    }
}

static void take_guess_line(struct reading *reading, char *line) {
    const char *time = cut(line);
    struct guess_line *asked = find(reading->guess, line);
    if (time == NULL) {
        fault(reading, "write \"operation: time\"", line);
    } else if (asked == NULL) {
        fault(reading, "nothing of that name is asked for; leave the operations as they are", line);
    } else if (asked->number > 0) {
        fault(reading, "this was guessed in a line above; keep one of the two", line);
    } else {
        asked->number = reading->number;
        take_time(reading, asked, time);
    }
}

/* Hands every line that means something to `take`. False when the file cannot be read. */
static bool read_lines(struct reading *reading, void (*take)(struct reading *reading, char *line)) {
    char line[1024];
    FILE *file = fopen(reading->path, "r");
    if (file == NULL) {
        (void)fprintf(reading->complaints, "%s: %s\n", reading->path, strerror(errno));
        return false;
    }
    for (reading->number = 1; fgets(line, sizeof line, file) != NULL; reading->number++) {
        char *begin = strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line;
        begin += strspn(begin, " \t\r\n");
        if (begin[0] != '\0' && begin[0] != '#') {
            take(reading, begin);
        }
    }
    const bool ok = ferror(file) == 0;
    if (!ok) {
        (void)fprintf(reading->complaints, "%s: it cannot be read\n", reading->path);
    }
    (void)fclose(file);
    return ok;
}

/* Looks whether a line says more than the form does. */
static void look_for_answer(struct reading *reading, char *line) {
    const char *time = cut(line);
    if (time == NULL || (time[0] != '\0' && time[0] != '_') || find(reading->guess, line) == NULL) {
        reading->answers = true;
    }
}

static void find_missing_lines(struct reading *reading) {
    for (size_t i = 0; i < reading->guess->count; i++) {
        if (reading->guess->lines[i].number == 0) {
            reading->faults = true;
            (void)fprintf(reading->complaints, "%s: a line is missing; write \"%s: ...\"\n",
                          reading->path, reading->guess->lines[i].what);
        }
    }
}

enum guess_result guess_read(const char *form, const char *path, FILE *complaints,
                             struct guess *guess) {
    struct reading reading = {.path = form, .complaints = complaints, .guess = guess};
    guess->count = 0;
    if (!read_lines(&reading, take_form_line)) {
        return GUESS_UNREADABLE;
    }
    reading.path = path;
    if (!read_lines(&reading, look_for_answer)) {
        return GUESS_UNREADABLE;
    }
    if (!reading.answers) {
        (void)fprintf(complaints, "%s: nothing is guessed yet\n", path);
        return GUESS_UNTOUCHED;
    }
    if (!read_lines(&reading, take_guess_line)) {
        return GUESS_UNREADABLE;
    }
    find_missing_lines(&reading);
    return reading.faults ? GUESS_MALFORMED : GUESS_COMPLETE;
}

double guess_of(const struct guess *guess, const char *what) {
    for (size_t i = 0; i < guess->count; i++) {
        if (strcmp(guess->lines[i].what, what) == 0) {
            return guess->lines[i].ns;
        }
    }
    return 0;
}
