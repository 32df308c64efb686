#include "database.h"

#include <stdlib.h>

struct database {
    struct store *store;
};

struct database *database_open(const char *path, const struct store_options *options,
                               struct error *error) {
    struct database *database = malloc(sizeof *database);
    if (database == NULL) {
        error_set(error, "out of memory");
        return NULL;
    }
    database->store = store_open(path, options, error);
    if (database->store == NULL) {
        free(database);
        return NULL;
    }
    return database;
}

bool database_close(struct database *database, struct error *error) {
    bool ok = store_close(database->store, error);
    free(database);
    return ok;
}

struct pair database_get(const struct database *database, struct slice key) {
    return store_get(database->store, key);
}

bool database_exists(const struct database *database, struct slice key) {
    return store_exists(database->store, key);
}

bool database_set(struct database *database, struct slice key, struct slice value,
                  struct error *error) {
    return store_set(database->store, key, value, error);
}

bool database_delete(struct database *database, struct slice key, bool *existed,
                     struct error *error) {
    return store_delete(database->store, key, existed, error);
}

bool database_increment(struct database *database, struct slice key, int64_t *value,
                        struct error *error) {
    return store_increment(database->store, key, value, error);
}

bool database_append(struct database *database, struct slice key, struct slice suffix,
                     size_t *length, struct error *error) {
    return store_append(database->store, key, suffix, length, error);
}

size_t database_count(const struct database *database) {
    return store_count(database->store);
}

void database_add_stat(const struct database *database, const char *name) {
    store_add_stat(database->store, name);
}

bool database_stats(const struct database *database, struct bytes *text) {
    return store_stats(database->store, text);
}

bool database_compact(struct database *database, struct error *error) {
    return store_compact(database->store, error);
}

bool database_backup(const struct database *database, const char *path, struct error *error) {
    return store_backup(database->store, path, error);
}
