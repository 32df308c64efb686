#include "server.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "reply.h"
#include "words.h"

/* As much of an unknown name as is repeated to the user. */
enum { NAME_SHOWN = 64 };

struct server {
    struct database *database;
    size_t line_limit;
    struct messages messages;
};

/* One line being carried out. */
struct request {
    struct server *server;
    struct slice line;
    struct buffer *reply;
    struct words words; /* what parse() found; empty before */
    bool replied;
    bool quit;
};

struct usage {
    const char *name;
    const char *arguments;
    const char *help;
};

static const struct usage usages[] = {
    {"SET", "SET key value", "gives key the value"},
    {"GET", "GET key", "the value of key in quotes, or (nil)"},
    {"DEL", "DEL key", "removes key; 1, or 0 if there was none"},
    {"EXISTS", "EXISTS key", "1 if key has a value, else 0"},
    {"INCR", "INCR key", "adds one to the integer that key holds; the sum"},
    {"APPEND", "APPEND key value", "puts value behind what key holds; the new length in bytes"},
    {"COUNT", "COUNT", "how many keys there are"},
    {"STATS", "STATS", "counters as name=value pairs"},
    {"COMPACT", "COMPACT", "rewrites the log with what is alive"},
    {"BACKUP", "BACKUP path", "writes what is alive into a new log at path, folders included"},
    {"HELP", "HELP [command]", "the commands, or how to use one"},
    {"QUIT", "QUIT", "ends the session"},
};

static void say_with(struct request *request, enum message message,
                     const struct template_value *values, size_t count) {
    request->replied =
        reply_message(request->reply, &request->server->messages, message, values, count);
}

static void say(struct request *request, enum message message) {
    say_with(request, message, NULL, 0);
}

static void say_integer(struct request *request, int64_t value) {
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%" PRId64, value);
    const struct template_value values[] = {{"value", slice_from_string(digits)}};
    say_with(request, MESSAGE_INTEGER, values, 1);
}

static void say_error(struct request *request, const struct error *error) {
    const struct template_value values[] = {{"reason", slice_from_string(error->text)}};
    say_with(request, MESSAGE_ERROR, values, 1);
}

static void say_line_too_long(struct request *request) {
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%zu", request->server->line_limit);
    const struct template_value values[] = {{"limit", slice_from_string(digits)}};
    say_with(request, MESSAGE_LINE_TOO_LONG, values, 1);
}

static void say_unknown_command(struct request *request, struct slice name) {
    char shown[NAME_SHOWN + sizeof "..."];
    size_t length = name.length <= NAME_SHOWN ? name.length : NAME_SHOWN;
    if (length == 0) {
        say(request, MESSAGE_EMPTY_NAME);
        return;
    }
    memcpy(shown, name.data, length);
    if (length < name.length) {
        memcpy(shown + length, "...", 3);
        length += 3;
    }
    const struct template_value values[] = {{"command", slice_from(shown, length)}};
    say_with(request, MESSAGE_UNKNOWN_COMMAND, values, 1);
}

static void say_bad_words(struct request *request, enum words_result result) {
    if (result == WORDS_UNBALANCED_QUOTES) {
        say(request, MESSAGE_UNBALANCED_QUOTES);
    } else if (result == WORDS_BAD_ESCAPE) {
        say(request, MESSAGE_BAD_ESCAPE);
    } else {
        say(request, MESSAGE_NO_MEMORY);
    }
}

/* A reply that may be large: where there is no memory for it, there may be for saying so. */
static void say_text(struct request *request, struct slice text, bool quote, bool escape) {
    request->replied = reply_bulk(request->reply, text, quote, escape);
    if (!request->replied) {
        say(request, MESSAGE_NO_MEMORY);
    }
}

static const struct usage *find_usage(struct slice name) {
    for (size_t i = 0; i < sizeof usages / sizeof usages[0]; i++) {
        if (slice_equal(name, slice_from_string(usages[i].name))) {
            return &usages[i];
        }
    }
    return NULL;
}

static void say_wrong_arity(struct request *request, const char *name) {
    const struct usage *usage = find_usage(slice_from_string(name));
    const struct template_value values[] = {{"command", slice_from_string(name)},
                                            {"usage", slice_from_string(usage->arguments)}};
    say_with(request, MESSAGE_WRONG_ARITY, values, 2);
}

/* Splits the line of the command `name`. Where it returns false, the reply has been made. */
static bool split(struct request *request) {
    enum words_result result = words_split(request->line, &request->words);
    if (result != WORDS_OK) {
        say_bad_words(request, result);
        return false;
    }
    return true;
}

/* The same for a command that takes exactly `count` arguments. */
static bool parse(struct request *request, const char *name, size_t count) {
    if (!split(request)) {
        return false;
    }
    if (request->words.count != count + 1) {
        say_wrong_arity(request, name);
        return false;
    }
    return true;
}

/* The argument with that number, the first one being 1. */
static struct slice argument(const struct request *request, size_t number) {
    return bytes_view(&request->words.items[number]);
}

static void handle_get(struct request *request) {
    struct database *database = request->server->database;
    if (!parse(request, "GET", 1)) {
        return;
    }
    if (!database_exists(database, argument(request, 1))) {
        say(request, MESSAGE_NIL);
        return;
    }
    struct pair result = database_get(database, argument(request, 1));
    if (result.first && result.second.data == NULL) {
        say(request, MESSAGE_NO_MEMORY);
        return;
    }
    say_text(request, bytes_view(&result.second), true, true);
    bytes_release(&result.second);
}

static void handle_set(struct request *request) {
    struct error error;
    if (!parse(request, "SET", 2)) {
        return;
    }
    if (!database_set(request->server->database, argument(request, 1), argument(request, 2),
                      &error)) {
        say_error(request, &error);
        return;
    }
    say(request, MESSAGE_OK);
}

static void handle_del(struct request *request) {
    struct error error;
    bool existed;
    if (!parse(request, "DEL", 1)) {
        return;
    }
    if (!database_delete(request->server->database, argument(request, 1), &existed, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, existed ? 1 : 0);
}

static void handle_exists(struct request *request) {
    if (!parse(request, "EXISTS", 1)) {
        return;
    }
    say_integer(request, database_exists(request->server->database, argument(request, 1)) ? 1 : 0);
}

static void handle_incr(struct request *request) {
    struct error error;
    int64_t value;
    if (!parse(request, "INCR", 1)) {
        return;
    }
    if (!database_increment(request->server->database, argument(request, 1), &value, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, value);
}

static void handle_append(struct request *request) {
    struct error error;
    size_t length;
    if (!parse(request, "APPEND", 2)) {
        return;
    }
    if (!database_append(request->server->database, argument(request, 1), argument(request, 2),
                         &length, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, (int64_t)length);
}

static void handle_count(struct request *request) {
    if (!parse(request, "COUNT", 0)) {
        return;
    }
    say_integer(request, (int64_t)database_count(request->server->database));
}

static void handle_stats(struct request *request) {
    struct bytes text;
    if (!parse(request, "STATS", 0)) {
        return;
    }
    bytes_init(&text);
    if (database_stats(request->server->database, &text)) {
        say_text(request, bytes_view(&text), false, false);
    } else {
        say(request, MESSAGE_NO_MEMORY);
    }
    bytes_release(&text);
}

static void handle_compact(struct request *request) {
    struct error error;
    if (!parse(request, "COMPACT", 0)) {
        return;
    }
    if (!database_compact(request->server->database, &error)) {
        say_error(request, &error);
        return;
    }
    say(request, MESSAGE_OK);
}

/* The path as a string of the system, or NULL where memory runs out. */
static char *string_of(struct slice path) {
    return strndup((const char *)path.data, path.length);
}

static void handle_backup(struct request *request) {
    struct error error;
    if (!parse(request, "BACKUP", 1)) {
        return;
    }
    struct slice path = argument(request, 1);
    if (path.length == 0 || memchr(path.data, '\0', path.length) != NULL) {
        say(request, MESSAGE_BAD_PATH);
        return;
    }
    char *string = string_of(path);
    if (string == NULL) {
        say(request, MESSAGE_NO_MEMORY);
    } else if (!database_backup(request->server->database, string, &error)) {
        say_error(request, &error);
    } else {
        say(request, MESSAGE_OK);
    }
    free(string);
}

/* An upper-case copy of `name`. False when memory runs out. */
static bool upper_case(struct slice name, struct bytes *upper) {
    if (!bytes_copy(upper, name)) {
        return false;
    }
    for (size_t i = 0; i < upper->length; i++) {
        upper->data[i] = (unsigned char)toupper(upper->data[i]);
    }
    return true;
}

static void help_all(struct request *request) {
    static const char names[] =
        "SET GET DEL EXISTS INCR APPEND COUNT STATS COMPACT BACKUP HELP QUIT";
    say_text(request, slice_from_string(names), false, false);
}

static void help_one(struct request *request, struct slice name) {
    char text[160];
    struct bytes upper;
    if (!upper_case(name, &upper)) {
        say(request, MESSAGE_NO_MEMORY);
        return;
    }
    const struct usage *usage = find_usage(bytes_view(&upper));
    bytes_release(&upper);
    if (usage == NULL) {
        say_unknown_command(request, name);
        return;
    }
    (void)snprintf(text, sizeof text, "%s: %s", usage->arguments, usage->help);
    say_text(request, slice_from_string(text), false, false);
}

static void handle_help(struct request *request) {
    if (!split(request)) {
        return;
    }
    if (request->words.count == 1) {
        help_all(request);
    } else if (request->words.count == 2) {
        help_one(request, argument(request, 1));
    } else {
        say_wrong_arity(request, "HELP");
    }
}

static void handle_quit(struct request *request) {
    if (!parse(request, "QUIT", 0)) {
        return;
    }
    say(request, MESSAGE_OK);
    request->quit = true;
}

struct handler {
    const char *name;
    void (*handle)(struct request *request);
};

static const struct handler handlers[] = {
    {"APPEND", handle_append}, {"BACKUP", handle_backup}, {"COMPACT", handle_compact},
    {"COUNT", handle_count},   {"DEL", handle_del},       {"EXISTS", handle_exists},
    {"GET", handle_get},       {"HELP", handle_help},     {"INCR", handle_incr},
    {"QUIT", handle_quit},     {"SET", handle_set},       {"STATS", handle_stats},
};

static const struct handler *find_handler(struct slice name) {
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        if (slice_equal(name, slice_from_string(handlers[i].name))) {
            return &handlers[i];
        }
    }
    return NULL;
}

static void run_command(struct request *request, struct slice name) {
    struct bytes upper;
    if (!upper_case(name, &upper)) {
        say(request, MESSAGE_NO_MEMORY);
        return;
    }
    const struct handler *handler = find_handler(bytes_view(&upper));
    bytes_release(&upper);
    if (handler == NULL) {
        say_unknown_command(request, name);
        return;
    }
    handler->handle(request);
    words_release(&request->words);
}

static void run_line(struct request *request) {
    struct bytes name;
    struct slice rest = request->line;
    enum words_result result = words_next(&rest, &name);
    if (result == WORDS_END) {
        request->replied = true; /* a blank line has no reply */
        return;
    }
    database_add_stat(request->server->database, "commands");
    if (result != WORDS_OK) {
        say_bad_words(request, result);
        return;
    }
    run_command(request, bytes_view(&name));
    bytes_release(&name);
}

struct server *server_new(struct database *database, size_t line_limit) {
    struct server *server = malloc(sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    if (!messages_init(&server->messages)) {
        free(server);
        return NULL;
    }
    server->database = database;
    server->line_limit = line_limit;
    return server;
}

void server_free(struct server *server) {
    if (server != NULL) {
        messages_release(&server->messages);
        free(server);
    }
}

enum server_result server_execute(struct server *server, struct slice line, struct buffer *reply) {
    struct request request = {.server = server, .line = line, .reply = reply};
    if (line.length > server->line_limit) {
        say_line_too_long(&request);
    } else {
        run_line(&request);
    }
    if (!request.replied) {
        return SERVER_NO_REPLY;
    }
    return request.quit ? SERVER_QUIT : SERVER_CONTINUE;
}
