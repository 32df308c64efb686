/* Locks, threads and processes. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpus.h"
#include "rows.h"

extern char **environ;

/*
 * A free lock, in a program with a second thread: libraries know whether there is one, and may save
 * what a lock costs if there is not. It waits for a lock of its own, until the end.
 */
struct free_lock {
    pthread_mutex_t mutex;
    pthread_mutex_t asleep;
    pthread_t other;
    uint64_t count;
};

static void *wait_for_the_end(void *argument) {
    struct free_lock *lock = argument;
    (void)pthread_mutex_lock(&lock->asleep);
    (void)pthread_mutex_unlock(&lock->asleep);
    return NULL;
}

static void close_free_lock(void *state) {
    struct free_lock *lock = state;
    (void)pthread_mutex_unlock(&lock->asleep);
    (void)pthread_join(lock->other, NULL);
    (void)pthread_mutex_destroy(&lock->mutex);
    (void)pthread_mutex_destroy(&lock->asleep);
    free(lock);
}

static void *open_free_lock(uint64_t size) {
    struct free_lock *lock = calloc(1, sizeof *lock);
    (void)size;
    if (lock == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    (void)pthread_mutex_init(&lock->mutex, NULL);
    (void)pthread_mutex_init(&lock->asleep, NULL);
    (void)pthread_mutex_lock(&lock->asleep);
    const int error = pthread_create(&lock->other, NULL, wait_for_the_end, lock);
    if (error != 0) {
        cost_cannot("no second thread: %s", strerror(error));
        free(lock);
        return NULL;
    }
    return lock;
}

static uint64_t lock_and_unlock(void *state, uint64_t steps) {
    struct free_lock *lock = state;
    for (uint64_t step = 0; step < steps; step++) {
        (void)pthread_mutex_lock(&lock->mutex);
        lock->count++;
        (void)pthread_mutex_unlock(&lock->mutex);
    }
    return lock->count;
}

/*
 * A contended lock. Two threads that lock and unlock as fast as they can do not make one: whoever
 * has it takes it again before the other is awake. So there are three locks in a ring. Each
 * thread holds one, takes the next and lets go of the one before, and the next is always the one
 * that the other lets go of in its turn: nobody can overtake, and everybody waits.
 */
enum { RING = 3 };

struct ring {
    pthread_mutex_t mutexes[RING];
    pthread_t other;
    int other_cpu;
    sem_t ready; /* the other thread holds its first lock */
    size_t at;   /* the one that the timed thread holds */
    atomic_bool end;
};

static size_t move_on(struct ring *ring, size_t at) {
    const size_t next = (at + 1) % RING;
    (void)pthread_mutex_lock(&ring->mutexes[next]);
    (void)pthread_mutex_unlock(&ring->mutexes[at]);
    return next;
}

static void *follow_round(void *argument) {
    struct ring *ring = argument;
    size_t at = 0;
    cpus_pin(ring->other_cpu);
    (void)pthread_mutex_lock(&ring->mutexes[at]);
    (void)sem_post(&ring->ready);
    while (!atomic_load_explicit(&ring->end, memory_order_relaxed)) {
        at = move_on(ring, at);
    }
    (void)pthread_mutex_unlock(&ring->mutexes[at]);
    return NULL;
}

static void close_ring(void *state) {
    struct ring *ring = state;
    atomic_store(&ring->end, true);
    (void)pthread_mutex_unlock(&ring->mutexes[ring->at]);
    (void)pthread_join(ring->other, NULL);
    for (int i = 0; i < RING; i++) {
        (void)pthread_mutex_destroy(&ring->mutexes[i]);
    }
    (void)sem_destroy(&ring->ready);
    free(ring);
}

/* `which` processor the other thread is on, the way cpus_get() counts. */
static void *open_ring(uint64_t which) {
    const int cpu = cpus_get((int)which);
    if (cpu < 0 && which > 0) {
        cost_cannot("it takes two processors, and there is one");
        return NULL;
    }
    struct ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL) {
        cost_cannot("no memory");
        return NULL;
    }
    for (int i = 0; i < RING; i++) {
        (void)pthread_mutex_init(&ring->mutexes[i], NULL);
    }
    (void)sem_init(&ring->ready, 0, 0);
    ring->other_cpu = cpu;
    ring->at = 1;
    (void)pthread_mutex_lock(&ring->mutexes[ring->at]);
    const int error = pthread_create(&ring->other, NULL, follow_round, ring);
    if (error != 0) {
        cost_cannot("no second thread: %s", strerror(error));
        free(ring);
        return NULL;
    }
    while (sem_wait(&ring->ready) != 0) {
    }
    return ring;
}

static uint64_t go_round(void *state, uint64_t steps) {
    struct ring *ring = state;
    for (uint64_t step = 0; step < steps; step++) {
        ring->at = move_on(ring, ring->at);
    }
    return steps + ring->at;
}

static void *return_at_once(void *argument) {
    return argument;
}

static uint64_t start_threads(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        pthread_t thread;
        void *result = NULL;
        if (pthread_create(&thread, NULL, return_at_once, &sum) != 0) {
            return 0;
        }
        (void)pthread_join(thread, &result);
        sum += result != NULL;
    }
    return sum;
}

static uint64_t wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return (uint64_t)status + 1;
}

static uint64_t start_processes(void *state, uint64_t steps) {
    uint64_t sum = 0;
    (void)state;
    for (uint64_t step = 0; step < steps; step++) {
        const pid_t process = fork();
        if (process == 0) {
            _exit(EXIT_SUCCESS);
        }
        if (process < 0) {
            return 0;
        }
        sum += wait_for(process);
    }
    return sum;
}

static const char program[] = "/bin/true";

static void *open_program(uint64_t size) {
    (void)size;
    if (access(program, X_OK) != 0) {
        cost_cannot("%s: %s", program, strerror(errno));
        return NULL;
    }
    return (void *)program;
}

static uint64_t start_programs(void *state, uint64_t steps) {
    char *arguments[] = {state, NULL};
    uint64_t sum = 0;
    for (uint64_t step = 0; step < steps; step++) {
        pid_t process;
        if (posix_spawn(&process, program, NULL, NULL, arguments, environ) != 0) {
            return 0;
        }
        sum += wait_for(process);
    }
    return sum;
}

const struct cost_row thread_rows[] = {
    {.name = "mutex",
     .what = "lock and unlock a free mutex",
     .run = lock_and_unlock,
     .open = open_free_lock,
     .close = close_free_lock},
    {.name = "mutex-contended",
     .what = "a mutex taken over, one processor",
     .run = go_round,
     .per_step = 2, /* from the other thread, and by it */
     .open = open_ring,
     .close = close_ring},
    {.name = "mutex-contended-two",
     .what = "a mutex taken over, two processors",
     .run = go_round,
     .per_step = 2,
     .open = open_ring,
     .size = 1,
     .close = close_ring},
    {.name = "thread", .what = "a thread, created and waited for", .run = start_threads},
    {.name = "process", .what = "a process, forked and waited for", .run = start_processes},
    {.name = "program",
     .what = "a program, started and waited for",
     .run = start_programs,
     .open = open_program},
    {.name = NULL},
};
