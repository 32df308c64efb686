#include "json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static void write_string(FILE *file, const char *text) {
    putc('"', file);
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20) {
            fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            if (*c == '"' || *c == '\\') {
                putc('\\', file);
            }
            putc(*c, file);
        }
    }
    putc('"', file);
}

void json_write_text(FILE *file, const char *name, const char *text) {
    fprintf(file, "  \"%s\": ", name);
    write_string(file, text);
    fprintf(file, ",\n");
}

/* What the processor calls itself; "" where that cannot be found out. */
static void find_processor(char *name, size_t size) {
    char line[256];
    name[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(file);
}

void json_write_machine(FILE *file) {
    struct utsname system;
    char processor[128];
    char text[1024];
    double load = 0;
    find_processor(processor, sizeof(processor));
    if (uname(&system) == 0) {
        snprintf(text, sizeof(text), "%s %s %s", system.sysname, system.release, system.machine);
        json_write_text(file, "system", text);
    }
    json_write_text(file, "processor", processor);
    if (getloadavg(&load, 1) == 1) {
        fprintf(file, "  \"load_average\": %.2f,\n", load);
    }
}
