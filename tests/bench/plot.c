#include "plot.h"

#include <math.h>

#include "verdicts.h"

#define WIDTH 800
#define PANEL_HEIGHT 260
#define LEFT 70
#define RIGHT 20
#define TOP 40
#define BOTTOM 30

/* How a panel's values lie on the page. */
struct scale {
    double low; /* log ratios */
    double high;
    double panel_top;
};

static double y_of(const struct scale *scale, double log_ratio) {
    const double height = PANEL_HEIGHT - TOP - BOTTOM;
    return scale->panel_top + TOP + height * (scale->high - log_ratio) / (scale->high - scale->low);
}

static struct scale find_scale(const struct comparison *comparison, double panel_top) {
    struct scale scale = {.low = 0, .high = 0, .panel_top = panel_top};
    for (size_t i = 0; i < comparison->unit_count; i++) {
        scale.low = fmin(scale.low, comparison->ratios[i]);
        scale.high = fmax(scale.high, comparison->ratios[i]);
    }
    const double margin = fmax(0.005, (scale.high - scale.low) * 0.05);
    scale.low -= margin;
    scale.high += margin;
    return scale;
}

static void draw_line(FILE *file, double y, const char *color, const char *label) {
    fprintf(file,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            LEFT, WIDTH - RIGHT, y, y, color, LEFT - 6, y + 4, label);
}

static void draw_level(FILE *file, const struct scale *scale, double log_ratio, const char *color) {
    char label[32];
    snprintf(label, sizeof(label), "%+.1f %%", 100 * expm1(log_ratio));
    draw_line(file, y_of(scale, log_ratio), color, label);
}

static void draw_interval(FILE *file, const struct scale *scale, double low, double high) {
    const double top = y_of(scale, fmin(high, scale->high));
    const double bottom = y_of(scale, fmax(low, scale->low));
    fprintf(file, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#cfe3f7\"/>\n",
            LEFT, top, WIDTH - LEFT - RIGHT, bottom - top);
}

static void draw_dots(FILE *file, const struct scale *scale, const struct comparison *comparison) {
    const double step = (double)(WIDTH - LEFT - RIGHT) / (double)comparison->unit_count;
    for (size_t i = 0; i < comparison->unit_count; i++) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#333\"/>\n",
                LEFT + step * ((double)i + 0.5), y_of(scale, comparison->ratios[i]));
    }
}

static void draw_panel(FILE *file, const struct report *report, size_t row) {
    const struct comparison *comparison = &report->outcomes[row].comparison;
    const struct estimate *estimate = &comparison->estimate;
    const struct scale scale = find_scale(comparison, (double)row * PANEL_HEIGHT);
    const double width = statistics_half_width(
        estimate,
        statistics_family_level(VERDICT_EFFECT_LEVEL, verdicts_family(report->settings, row)));
    fprintf(file,
            "<text x=\"%d\" y=\"%.1f\">%s: B's time to A's in each of %zu units, with the "
            "99 %% interval of their mean</text>\n",
            LEFT, scale.panel_top + TOP - 16, report->settings->rows[row].name,
            comparison->unit_count);
    draw_interval(file, &scale, estimate->mean - width, estimate->mean + width);
    draw_level(file, &scale, 0, "#999");
    draw_level(file, &scale, estimate->mean, "#1f6fb5");
    draw_dots(file, &scale, comparison);
}

void plot_write(FILE *file, const struct report *report) {
    const size_t height = report->settings->row_count * PANEL_HEIGHT;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%d\" height=\"%zu\" fill=\"white\"/>\n",
            WIDTH, height, WIDTH, height);
    for (size_t row = 0; row < report->settings->row_count; row++) {
        draw_panel(file, report, row);
    }
    fprintf(file, "</svg>\n");
}
