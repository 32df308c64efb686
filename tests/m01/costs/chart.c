#include "chart.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complain.h"
#include "duration.h"

extern char **environ;

enum { BAR_WIDTH = 60, PATH_BYTES = 4096 };

static bool is_measured(const struct result *result) {
    return result->outcome.kind == OUTCOME_MEASURED;
}

/* The powers of ten that all times lie between. */
struct decades {
    int low;
    int high;
};

static struct decades find_decades(const struct results *results) {
    double low = INFINITY;
    double high = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->rows[i];
        if (is_measured(result)) {
            low = fmin(low, fmax(result->outcome.lowest, 0.01));
            high = fmax(high, fmax(result->outcome.highest, result->guess_ns));
            low = result->guess_ns > 0 ? fmin(low, result->guess_ns) : low;
        }
    }
    return (struct decades){.low = (int)floor(log10(low)), .high = (int)ceil(log10(high))};
}

static void say_power(int power, char text[DURATION_TEXT_MAX]) {
    const char *const units[] = {"ns", "us", "ms", "s"};
    if (power < 0) {
        (void)snprintf(text, DURATION_TEXT_MAX, "%g ns", pow(10, power));
    } else {
        const int unit = power / 3 > 3 ? 3 : power / 3;
        (void)snprintf(text, DURATION_TEXT_MAX, "%.0f %s", pow(10, power - 3 * unit), units[unit]);
    }
}

/* Bars of text */

static void print_bar(const struct decades *decades, double ns) {
    const double scale = BAR_WIDTH / (double)(decades->high - decades->low);
    const int length = (int)lround(scale * (log10(ns) - decades->low));
    for (int i = 0; i < (length < 1 ? 1 : length); i++) {
        printf("#");
    }
    printf("\n");
}

static void print_axis(const struct decades *decades) {
    const double scale = BAR_WIDTH / (double)(decades->high - decades->low);
    int column = printf("%-39s", "");
    for (int power = decades->low; power < decades->high; power++) {
        char text[DURATION_TEXT_MAX];
        say_power(power, text);
        const int wanted = 39 + (int)lround(scale * (power - decades->low));
        if (column <= wanted) {
            column += printf("%*s|%s", wanted - column, "", text);
        }
    }
    printf("\n");
}

static void print_bars(const struct results *results) {
    const struct decades decades = find_decades(results);
    printf("\n");
    print_axis(&decades);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->rows[i];
        if (is_measured(result)) {
            printf("%-38s ", result->row->what);
            print_bar(&decades, result->outcome.median);
        }
    }
    if (results->chased) {
        const struct curve *curve = chase_curve(&results->chase);
        printf("\nA load, by the size of its set\n");
        for (size_t i = 0; i < curve->count; i++) {
            char time[DURATION_TEXT_MAX];
            duration_say(curve->points[i].ns, time);
            printf("%22.0f KB %12s ", curve->points[i].bytes / 1024, time);
            print_bar(&decades, curve->points[i].ns);
        }
    }
}

/* Files */

static bool open_new(const char *folder, const char *name, FILE **file) {
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    *file = fopen(path, "w");
    if (*file == NULL) {
        complain_system("%s", path);
    }
    return *file != NULL;
}

static bool close_new(FILE *file, const char *folder, const char *name) {
    const bool ok = ferror(file) == 0;
    if (fclose(file) != 0 || !ok) {
        complain("%s/%s could not be written", folder, name);
        return false;
    }
    return true;
}

static bool write_rows(const struct results *results, const char *folder) {
    FILE *file;
    if (!open_new(folder, "costs.tsv", &file)) {
        return false;
    }
    (void)fprintf(file, "# row\toperation\tmedian ns\tlowest ns\thighest ns\tguess ns\n");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->rows[i];
        const struct outcome *outcome = &result->outcome;
        if (is_measured(result)) {
            (void)fprintf(file, "%s\t%s\t%.4g\t%.4g\t%.4g\t", result->row->name, result->row->what,
                          outcome->median, outcome->lowest, outcome->highest);
            (void)fprintf(file, result->guess_ns > 0 ? "%.4g\n" : "NaN\n", result->guess_ns);
        }
    }
    return close_new(file, folder, "costs.tsv");
}

static bool write_loads(const struct chase *chase, const char *folder) {
    FILE *file;
    if (!open_new(folder, "loads.tsv", &file)) {
        return false;
    }
    (void)fprintf(file, "# bytes\tns in pages as they come\tns in large pages\n");
    for (size_t i = 0; i < chase->plain.count; i++) {
        (void)fprintf(file, "%.0f\t%.4g\t%.4g\n", chase->plain.points[i].bytes,
                      chase->plain.points[i].ns,
                      i < chase->huge.count ? chase->huge.points[i].ns : (double)NAN);
    }
    return close_new(file, folder, "loads.tsv");
}

static void write_tics(FILE *file, char axis, int low, int high) {
    (void)fprintf(file, "set %ctics (", axis);
    for (int power = low; power <= high; power++) {
        char text[DURATION_TEXT_MAX];
        say_power(power, text);
        (void)fprintf(file, "%s\"%s\" 1e%d", power == low ? "" : ", ", text, power);
    }
    (void)fprintf(file, ")\n");
}

static size_t count_measured(const struct results *results) {
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += is_measured(&results->rows[i]);
    }
    return count;
}

/* Sizes on the page are in pixels. */
static bool write_script(const struct results *results, const char *folder) {
    const struct decades decades = find_decades(results);
    const size_t rows = count_measured(results);
    const size_t rows_height = 80 + 22 * rows;
    const size_t loads_height = results->chased ? 400 : 0;
    const double height = (double)(rows_height + loads_height);
    FILE *file;
    if (!open_new(folder, "costs.gnuplot", &file)) {
        return false;
    }
    (void)fprintf(
        file,
        "set terminal svg size 1000,%.0f noenhanced background rgb 'white' font 'sans,12'\n"
        "set output '%s/costs.svg'\n"
        "set datafile separator '\\t'\nset multiplot\nset grid x\nset key below\n"
        "set lmargin 42\nset rmargin 4\n"
        "set size 1,%.4f\nset origin 0,%.4f\n"
        "set logscale x\nset xrange [1e%d:1e%d]\nset yrange [%zu:-1]\n",
        height, folder, (double)rows_height / height, (double)loads_height / height, decades.low,
        decades.high, rows);
    write_tics(file, 'x', decades.low, decades.high);
    (void)fprintf(file,
                  "plot '%s/costs.tsv' using 3:0:4:5:ytic(2) with xerrorbars pt 7 lc rgb '#1f6fb5' "
                  "title 'median, lowest to highest', "
                  "'' using 6:0 with points pt 6 lc rgb '#c0392b' title 'guess'\n",
                  folder);
    if (results->chased) {
        (void)fprintf(
            file,
            "set size 1,%.4f\nset origin 0,0\nunset yrange\nset autoscale x\nset autoscale y\n"
            "set grid y\nset xtics autofreq\n"
            "set logscale x 2\nset logscale y 10\nset format x '%%.0b %%BB'\n"
            "set xlabel 'size of the set'\nset ylabel 'a load'\n",
            (double)loads_height / height);
        write_tics(file, 'y', -1, 4);
        (void)fprintf(file,
                      "plot '%s/loads.tsv' using 1:2 with linespoints title 'pages as they come', "
                      "'' using 1:3 with linespoints title 'large pages'\n",
                      folder);
    }
    return close_new(file, folder, "costs.gnuplot");
}

/* Runs gnuplot, silently. Returns its exit code; -1 when there is no such program. */
static int run_gnuplot(const char *gnuplot, const char *folder) {
    char script[PATH_BYTES];
    char *arguments[] = {(char *)gnuplot, script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status;
    (void)snprintf(script, sizeof script, "%s/costs.gnuplot", folder);
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return -1;
    }
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&process, gnuplot, &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return -1;
    }
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}

bool chart_draw(const struct results *results, const char *folder, const char *gnuplot) {
    if (count_measured(results) == 0) {
        return true;
    }
    if (!write_rows(results, folder) || !write_script(results, folder) ||
        (results->chased && !write_loads(&results->chase, folder))) {
        return false;
    }
    (void)fflush(stdout);
    const int code = run_gnuplot(gnuplot, folder);
    if (code == 0) {
        printf("\nThe picture: %s/costs.svg\n", folder);
        return true;
    }
    printf(code < 0 || code == 127 ? "\n%s is not installed, so the picture is of text:\n"
                                   : "\n%s could not draw the picture, so it is of text:\n",
           gnuplot);
    print_bars(results);
    return true;
}
