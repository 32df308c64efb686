/*
 * The thought: two threads that lock and unlock the same mutex as fast as they can make contention.
 * But whoever has unlocked it locks it again before the other one is awake, so that most of the
 * time nobody waits who is running.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "cpus.h"

struct lock {
    pthread_mutex_t mutex;
    pthread_t other;
    atomic_bool end;
    uint64_t count;
};

static void *want_it(void *argument) {
    struct lock *lock = argument;
    cpus_pin(cpus_get(1));
    while (!atomic_load_explicit(&lock->end, memory_order_relaxed)) {
        (void)pthread_mutex_lock(&lock->mutex);
        lock->count++;
        (void)pthread_mutex_unlock(&lock->mutex);
    }
    return NULL;
}

static void close_lock(void *state) {
    struct lock *lock = state;
    atomic_store(&lock->end, true);
    (void)pthread_join(lock->other, NULL);
    (void)pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

static void *open_lock(uint64_t size) {
    struct lock *lock = calloc(1, sizeof *lock);
    (void)size;
    if (cpus_get(1) < 0 || lock == NULL) {
        cost_cannot("no memory, or no second processor");
        free(lock);
        return NULL;
    }
    (void)pthread_mutex_init(&lock->mutex, NULL);
    const int error = pthread_create(&lock->other, NULL, want_it, lock);
    if (error != 0) {
        cost_cannot("no second thread: %s", strerror(error));
        free(lock);
        return NULL;
    }
    return lock;
}

static uint64_t lock_and_unlock(void *state, uint64_t steps) {
    struct lock *lock = state;
    for (uint64_t step = 0; step < steps; step++) {
        (void)pthread_mutex_lock(&lock->mutex);
        lock->count++;
        (void)pthread_mutex_unlock(&lock->mutex);
    }
    return lock->count;
}

const struct cost_row mine[] = {
    {.name = "mutex-greedy",
     .what = "a mutex that two threads want",
     .run = lock_and_unlock,
     .open = open_lock,
     .close = close_lock},
    {.name = NULL},
};
