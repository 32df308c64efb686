#include "scatter_plot.h"

#include <math.h>

#define PANEL 400 /* width and height of a panel */
#define LEFT 60
#define RIGHT 30
#define TOP 50
#define BOTTOM 50
#define INNER_WIDTH (PANEL - LEFT - RIGHT)
#define INNER_HEIGHT (PANEL - TOP - BOTTOM)
#define BINS 40
#define RADIUS 3.0

/* The log effects that both panels show. */
struct range {
    double low;
    double high;
};

static void widen(struct range *range, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        range->low = fmin(range->low, values[i]);
        range->high = fmax(range->high, values[i]);
    }
}

static struct range find_range(const struct scatter *scatter) {
    struct range range = {.low = -0.01, .high = 0.01};
    widen(&range, scatter->effects, scatter->survey.layouts);
    widen(&range, scatter->halves[0], scatter->survey.layouts);
    widen(&range, scatter->halves[1], scatter->survey.layouts);
    const double margin = (range.high - range.low) / BINS;
    return (struct range){.low = range.low - margin, .high = range.high + margin};
}

static double place(const struct range *range, double value, double length) {
    return length * (value - range->low) / (range->high - range->low);
}

static void draw_dot(FILE *file, double x, double y, double radius) {
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#1f6fb5\"/>\n", x, y, radius);
}

static void draw_text(FILE *file, double x, double y, const char *anchor, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void draw_frame(FILE *file, double left, const char *title) {
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#999\"/>\n",
            left, TOP, INNER_WIDTH, INNER_HEIGHT);
    draw_text(file, left, TOP - 10, "start", title);
}

#define TICKS 4

/* Per cent of the mean layout, along the lower edge. */
static void draw_ticks(FILE *file, double left, const struct range *range) {
    for (size_t i = 0; i <= TICKS; i++) {
        char label[32];
        const double value = range->low + (double)i * (range->high - range->low) / TICKS;
        snprintf(label, sizeof(label), "%+.1f %%", 100 * expm1(value));
        draw_text(file, left + place(range, value, INNER_WIDTH), PANEL - BOTTOM + 18, "middle",
                  label);
    }
}

static void draw_distribution(FILE *file, const struct scatter *scatter,
                              const struct range *range) {
    size_t heights[BINS + 1] = {0};
    size_t highest = 1;
    for (size_t i = 0; i < scatter->survey.layouts; i++) {
        const size_t bin = (size_t)place(range, scatter->effects[i], BINS);
        heights[bin]++;
        highest = heights[bin] > highest ? heights[bin] : highest;
    }
    const double step = fmin(3 * RADIUS, (double)INNER_HEIGHT / (double)highest);
    for (size_t bin = 0; bin <= BINS; bin++) {
        for (size_t i = 0; i < heights[bin]; i++) {
            draw_dot(file, LEFT + ((double)bin + 0.5) * INNER_WIDTH / BINS,
                     PANEL - BOTTOM - ((double)i + 0.5) * step, fmin(RADIUS, step / 2));
        }
    }
    draw_ticks(file, LEFT, range);
    draw_text(file, LEFT + INNER_WIDTH / 2.0, PANEL - 10, "middle",
              "time of a layout, against the mean one");
}

static void draw_halves(FILE *file, const struct scatter *scatter, const struct range *range) {
    const double left = PANEL + LEFT;
    fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ccc\"/>\n", left,
            PANEL - BOTTOM, left + INNER_WIDTH, TOP);
    for (size_t i = 0; i < scatter->survey.layouts; i++) {
        draw_dot(file, left + place(range, scatter->halves[0][i], INNER_WIDTH),
                 PANEL - BOTTOM - place(range, scatter->halves[1][i], INNER_HEIGHT), RADIUS);
    }
    draw_ticks(file, left, range);
    draw_text(file, left + INNER_WIDTH / 2.0, PANEL - 10, "middle",
              "one half of the processes; upwards: the other half");
}

void scatter_plot_write(FILE *file, const struct settings *settings,
                        const struct scatter *scatter) {
    const struct range range = find_range(scatter);
    char title[128];
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            2 * PANEL, PANEL, 2 * PANEL, PANEL);
    snprintf(title, sizeof(title), "%s: %zu layouts", settings->rows[0].name,
             scatter->survey.layouts);
    draw_frame(file, LEFT, title);
    draw_distribution(file, scatter, &range);
    snprintf(title, sizeof(title), "real spread %.2f %%, correlation %.2f",
             100 * expm1(scatter->spread.real), scatter->spread.correlation);
    draw_frame(file, PANEL + LEFT, title);
    draw_halves(file, scatter, &range);
    fprintf(file, "</svg>\n");
}
