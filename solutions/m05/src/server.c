#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* One command being carried out. */
struct request {
    struct server *server;
    struct buffer *reply;
    struct words words;
    bool replied;
    bool quit;
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

/* The argument with that number, the first one being 1. */
static struct slice argument(const struct request *request, size_t number) {
    return request->words.items[number];
}

static void handle_get(struct request *request) {
    struct database *database = request->server->database;
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
    if (!database_delete(request->server->database, argument(request, 1), &existed, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, existed ? 1 : 0);
}

static void handle_exists(struct request *request) {
    say_integer(request, database_exists(request->server->database, argument(request, 1)) ? 1 : 0);
}

static void handle_incr(struct request *request) {
    struct error error;
    int64_t value;
    if (!database_increment(request->server->database, argument(request, 1), &value, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, value);
}

static void handle_append(struct request *request) {
    struct error error;
    size_t length;
    if (!database_append(request->server->database, argument(request, 1), argument(request, 2),
                         &length, &error)) {
        say_error(request, &error);
        return;
    }
    say_integer(request, (int64_t)length);
}

static void handle_count(struct request *request) {
    say_integer(request, (int64_t)database_count(request->server->database));
}

static void handle_stats(struct request *request) {
    struct bytes text;
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

static void handle_help(struct request *request);

static void handle_quit(struct request *request) {
    say(request, MESSAGE_OK);
    request->quit = true;
}

/* All that there is to know about a command. Its handler is called with the right arguments. */
struct command {
    const char *name;
    size_t least; /* arguments */
    size_t most;
    const char *usage;
    const char *help;
    void (*handle)(struct request *request);
};

/* In the order in which HELP lists them. */
static const struct command commands[] = {
    {"SET", 2, 2, "SET key value", "gives key the value", handle_set},
    {"GET", 1, 1, "GET key", "the value of key in quotes, or (nil)", handle_get},
    {"DEL", 1, 1, "DEL key", "removes key; 1, or 0 if there was none", handle_del},
    {"EXISTS", 1, 1, "EXISTS key", "1 if key has a value, else 0", handle_exists},
    {"INCR", 1, 1, "INCR key", "adds one to the integer that key holds; the sum", handle_incr},
    {"APPEND", 2, 2, "APPEND key value",
     "puts value behind what key holds; the new length in bytes", handle_append},
    {"COUNT", 0, 0, "COUNT", "how many keys there are", handle_count},
    {"STATS", 0, 0, "STATS", "counters as name=value pairs", handle_stats},
    {"COMPACT", 0, 0, "COMPACT", "rewrites the log with what is alive", handle_compact},
    {"BACKUP", 1, 1, "BACKUP path", "writes what is alive into a new log at path, folders included",
     handle_backup},
    {"HELP", 0, 1, "HELP [command]", "the commands, or how to use one", handle_help},
    {"QUIT", 0, 0, "QUIT", "ends the session", handle_quit},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* Names are equal in any case. */
static bool is_named(const struct command *command, struct slice name) {
    return name.length == strlen(command->name) &&
           strncasecmp(command->name, (const char *)name.data, name.length) == 0;
}

static const struct command *find_command(struct slice name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (is_named(&commands[i], name)) {
            return &commands[i];
        }
    }
    return NULL;
}

static bool list_names(struct bytes *names) {
    bool ok = true;
    for (size_t i = 0; ok && i < COMMAND_COUNT; i++) {
        ok = (i == 0 || bytes_append(names, slice_from_string(" "))) &&
             bytes_append(names, slice_from_string(commands[i].name));
    }
    return ok;
}

static void help_all(struct request *request) {
    struct bytes names;
    bytes_init(&names);
    if (list_names(&names)) {
        say_text(request, bytes_view(&names), false, false);
    } else {
        say(request, MESSAGE_NO_MEMORY);
    }
    bytes_release(&names);
}

static void help_one(struct request *request, struct slice name) {
    char text[160];
    const struct command *command = find_command(name);
    if (command == NULL) {
        say_unknown_command(request, name);
        return;
    }
    (void)snprintf(text, sizeof text, "%s: %s", command->usage, command->help);
    say_text(request, slice_from_string(text), false, false);
}

static void handle_help(struct request *request) {
    if (request->words.count == 1) {
        help_all(request);
    } else {
        help_one(request, argument(request, 1));
    }
}

static void say_wrong_arity(struct request *request, const struct command *command) {
    const struct template_value values[] = {{"command", slice_from_string(command->name)},
                                            {"usage", slice_from_string(command->usage)}};
    say_with(request, MESSAGE_WRONG_ARITY, values, 2);
}

/* `result` is what became of the line. A mistake behind the name is told after one in the name. */
static void run_command(struct request *request, enum words_result result) {
    if (request->words.count == 0) {
        say_bad_words(request, result);
        return;
    }
    const struct command *command = find_command(request->words.items[0]);
    const size_t arguments = request->words.count - 1;
    if (command == NULL) {
        say_unknown_command(request, request->words.items[0]);
    } else if (result != WORDS_OK) {
        say_bad_words(request, result);
    } else if (arguments < command->least || arguments > command->most) {
        say_wrong_arity(request, command);
    } else {
        command->handle(request);
    }
}

static void run_line(struct request *request, struct slice line) {
    enum words_result result = words_split(line, &request->words);
    if (result == WORDS_OK && request->words.count == 0) {
        request->replied = true; /* a blank line has no reply */
    } else {
        database_add_stat(request->server->database, "commands");
        run_command(request, result);
    }
    words_release(&request->words);
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
    struct request request = {.server = server, .reply = reply};
    if (line.length > server->line_limit) {
        say_line_too_long(&request);
    } else {
        run_line(&request, line);
    }
    if (!request.replied) {
        return SERVER_NO_REPLY;
    }
    return request.quit ? SERVER_QUIT : SERVER_CONTINUE;
}
