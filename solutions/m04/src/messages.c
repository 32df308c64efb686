#include "messages.h"

static const char *const sources[MESSAGE_COUNT] = {
    [MESSAGE_OK] = "OK",
    [MESSAGE_NIL] = "(nil)",
    [MESSAGE_INTEGER] = "(integer) @value",
    [MESSAGE_ERROR] = "ERR @reason",
    [MESSAGE_EMPTY_NAME] = "ERR empty command name",
    [MESSAGE_UNKNOWN_COMMAND] = "ERR unknown command '@command', try HELP",
    [MESSAGE_WRONG_ARITY] = "ERR wrong number of arguments for '@command', use: @usage",
    [MESSAGE_UNBALANCED_QUOTES] = "ERR unbalanced quotes",
    [MESSAGE_BAD_ESCAPE] = "ERR unknown escape in quotes, use \\\" \\\\ \\n \\r \\t or \\xNN",
    [MESSAGE_LINE_TOO_LONG] = "ERR line longer than @limit bytes",
    [MESSAGE_BAD_PATH] = "ERR a path has at least one byte, and no NUL",
    [MESSAGE_NO_MEMORY] = "ERR out of memory",
};

bool messages_init(struct messages *messages) {
    *messages = (struct messages){0};
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        messages->templates[i] = template_compile(sources[i]);
        if (messages->templates[i] == NULL) {
            messages_release(messages);
            return false;
        }
    }
    return true;
}

void messages_release(struct messages *messages) {
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        template_free(messages->templates[i]);
    }
    *messages = (struct messages){0};
}
