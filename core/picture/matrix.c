/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/matrix.h"

#include "metric/exchanges.h"
#include "picture/svg_draw.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of color: the class bN of flame.css is the step N, of which 1 has the fewest bytes. */
enum { STEPS = 8 };

/* Pixels. */
enum {
	SIDE = 768,       /* the width and height of the cells at most */
	CELL_MOST = 96,   /* of one cell */
	LABEL_LEAST = 16, /* from the label of a row to that of the next */
	LABEL_GAP = 6,    /* between a label and the cells */
};

/* The heading of the rows' labels. */
#define SENDERS "from rank"

struct cell {
	prof_value bytes, messages;
};

struct step {
	prof_value least, most; /* bytes of its cells */
	size_t cells;           /* none: the legend leaves it out */
};

/* What the parts of a matrix share. */
struct layout {
	struct cell *cells;  /* of a sender after the other: COUNT by COUNT */
	size_t count;        /* rows, and columns */
	int64_t ranks, each; /* how many there are, and how many share a row */
	prof_value least, most;
	struct step steps[STEPS + 1];
	int left, top, cell; /* pixels: where the cells begin, and the width of one */
	int foot;            /* pixels: where the notes begin */
};

/* Adds the exchanges between known ranks to the cells. */
static void add_cells(struct layout *layout, const struct prof_exchanges *exchanges)
{
	for (size_t i = 0; i < exchanges->list.count; i++) {
		const struct prof_exchange *exchange = &exchanges->list.items[i];
		if (exchange->sender < 0 || exchange->receiver < 0)
			continue;
		size_t row = (size_t)(exchange->sender / layout->each);
		size_t column = (size_t)(exchange->receiver / layout->each);
		struct cell *cell = &layout->cells[row * layout->count + column];
		cell->bytes += prof_exchange_bytes(exchange);
		cell->messages += prof_exchange_messages(exchange);
	}
}

/*
 * The step of BYTES: messages without any have the first, too.  From a step to the next the bytes
 * double at least, so that cells that are nearly alike look so.
 */
static int step_of(const struct layout *layout, prof_value bytes)
{
	double most = prof_value_double(layout->most);

	if (!bytes)
		return 1;
	double octaves = log2(most / prof_value_double(layout->least)) / STEPS;
	double below = log2(most / prof_value_double(bytes)) / (octaves > 1 ? octaves : 1);
	return below < STEPS ? STEPS - (int)below : 1;
}

/* Finds the range of all cells, and that of each step. */
static void find_steps(struct layout *layout)
{
	size_t cells = layout->count * layout->count;

	for (size_t i = 0; i < cells; i++) {
		prof_value bytes = layout->cells[i].bytes;
		if (bytes && (!layout->least || bytes < layout->least))
			layout->least = bytes;
		if (bytes > layout->most)
			layout->most = bytes;
	}
	for (size_t i = 0; i < cells; i++) {
		prof_value bytes = layout->cells[i].bytes;
		if (!layout->cells[i].messages)
			continue;
		struct step *step = &layout->steps[step_of(layout, bytes)];
		if (!step->cells || bytes < step->least)
			step->least = bytes;
		if (bytes > step->most)
			step->most = bytes;
		step->cells++;
	}
}

/* Pixels: how wide TEXT is, in ASCII. */
static int width_of(const char *text)
{
	return (int)(PROF_SVG_COLUMN * (double)strlen(text) + 1);
}

/* Prints the ranks of the row or column NUMBER into BUFFER: "3", or "12-15". */
static const char *ranks_text(
	const struct layout *layout, size_t number, char buffer[PROF_NUMBER_TEXT])
{
	int64_t first = (int64_t)number * layout->each, last = first + layout->each - 1;

	if (last >= layout->ranks)
		last = layout->ranks - 1;
	if (first == last)
		snprintf(buffer, PROF_NUMBER_TEXT, "%" PRId64, first);
	else
		snprintf(buffer, PROF_NUMBER_TEXT, "%" PRId64 "-%" PRId64, first, last);
	return buffer;
}

/* Finds the places of all parts. */
static void find_places(struct layout *layout)
{
	char last[PROF_NUMBER_TEXT];
	int cells, legend = 0, heading = width_of(SENDERS);
	int labels = width_of(ranks_text(layout, layout->count - 1, last));

	layout->cell = SIDE / (int)layout->count;
	if (layout->cell > CELL_MOST)
		layout->cell = CELL_MOST;
	layout->left = PROF_SVG_MARGIN + (labels > heading ? labels : heading) + LABEL_GAP;
	for (int i = 1; i <= STEPS; i++)
		legend += layout->steps[i].cells ? PROF_SVG_LINE : 0;
	cells = layout->cell * (int)layout->count;
	layout->foot = layout->top + (cells > legend ? cells : legend) + 2 * PROF_SVG_LINE;
}

static struct prof_error *layout_init(struct layout *layout, const struct prof_exchanges *exchanges)
{
	layout->ranks = exchanges->ranks;
	layout->each = 1 + (layout->ranks - 1) / PROF_MATRIX_MOST;
	if (layout->ranks)
		layout->count = (size_t)((layout->ranks - 1) / layout->each) + 1;
	layout->cells = calloc(layout->count * layout->count + 1, sizeof *layout->cells);
	if (!layout->cells)
		return prof_error_nomem();
	layout->top = layout->foot = PROF_SVG_HEAD + PROF_SVG_LINE;
	add_cells(layout, exchanges);
	find_steps(layout);
	if (layout->count)
		find_places(layout);
	return NULL;
}

static void layout_deinit(struct layout *layout)
{
	free(layout->cells);
}

/* The distance of labels that need so many PIXELS: each cell, or each 2nd, 5th, 10th, ... */
static size_t distance_of(const struct layout *layout, int pixels)
{
	static const size_t factors[] = {1, 2, 5};
	size_t distance = 1;

	for (size_t power = 1, i = 0; distance * (size_t)layout->cell < (size_t)pixels; i++) {
		if (i && i % PROF_COUNT(factors) == 0)
			power *= 10;
		distance = power * factors[i % PROF_COUNT(factors)];
	}
	return distance;
}

/* A text that ends at X where it is an END, and is centered around X elsewhere. */
static void print_label(bool end, int x, int y, const char *label, struct prof_text *text)
{
	prof_text_print(text, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n",
		end ? "end" : "middle", x, y, label);
}

/* The frame, the labels of rows and columns, and a line at each of these. */
static void print_axes(const struct layout *layout, struct prof_text *text)
{
	int side = (int)layout->count * layout->cell, half = layout->cell / 2;
	char label[PROF_NUMBER_TEXT];
	int widest = width_of(ranks_text(layout, layout->count - 1, label));
	size_t across = distance_of(layout, widest + 8), down = distance_of(layout, LABEL_LEAST);

	prof_text_print(text,
		"<g id=\"axes\">\n<text class=\"end\" x=\"%d\" y=\"%d\">" SENDERS "</text>\n"
		"<text x=\"%d\" y=\"%d\">to rank</text>\n",
		layout->left - LABEL_GAP, layout->top - PROF_SVG_LINE - 5, layout->left,
		layout->top - PROF_SVG_LINE - 5);
	for (size_t i = 0; i < layout->count; i += across) {
		int x = layout->left + (int)i * layout->cell;
		print_label(false, x + half, layout->top - 5, ranks_text(layout, i, label), text);
		prof_text_print(text, "<path d=\"M%d %dv%d\"/>\n", x, layout->top, side);
	}
	for (size_t i = 0; i < layout->count; i += down) {
		int y = layout->top + (int)i * layout->cell;
		print_label(true, layout->left - LABEL_GAP, y + half + 4,
			ranks_text(layout, i, label), text);
		prof_text_print(text, "<path d=\"M%d %dh%d\"/>\n", layout->left, y, side);
	}
	prof_text_print(text, "<path d=\"M%d %dv%dh%dv%d\"/>\n</g>\n", layout->left + side,
		layout->top, side, -side, -side);
}

static void print_cell(
	const struct layout *layout, size_t row, size_t column, struct prof_text *text)
{
	const struct cell *cell = &layout->cells[row * layout->count + column];
	const char *several = layout->each > 1 ? "s" : "";
	char sender[PROF_NUMBER_TEXT], receiver[PROF_NUMBER_TEXT];
	char bytes[PROF_NUMBER_TEXT], messages[PROF_NUMBER_TEXT], class[16];
	const struct prof_rectangle place = {layout->left + (int)column * layout->cell,
		layout->cell, layout->top + (int)row * layout->cell, layout->cell};

	prof_number_fixed(cell->bytes, 1, 0, bytes);
	prof_number_fixed(cell->messages, 1, 0, messages);
	prof_text_print(text,
		"<g><title>from rank%s %s to rank%s %s: %s byte%s in %s message%s</title>", several,
		ranks_text(layout, row, sender), several, ranks_text(layout, column, receiver),
		bytes, strcmp(bytes, "1") != 0 ? "s" : "", messages,
		strcmp(messages, "1") != 0 ? "s" : "");
	snprintf(class, sizeof class, "b%d", step_of(layout, cell->bytes));
	prof_svg_rectangle(&place, class, text);
	if (layout->cell >= LABEL_LEAST && width_of(bytes) + 2 * PROF_SVG_INSET <= layout->cell)
		print_label(false, (int)place.x + layout->cell / 2, place.y + layout->cell / 2 + 4,
			bytes, text);
	prof_text_print(text, "</g>\n");
}

/* What the colors stand for, to the right of the cells. */
static void print_legend(const struct layout *layout, struct prof_text *text)
{
	double x = layout->left + (int)layout->count * layout->cell + 2 * PROF_SVG_LINE;
	int y = layout->top;
	char least[PROF_NUMBER_TEXT], most[PROF_NUMBER_TEXT], class[16];

	prof_text_print(text, "<g id=\"legend\">\n");
	prof_svg_begin_text(x, y - 5, text);
	prof_text_print(text, "Bytes</text>\n");
	for (int i = STEPS; i > 0; i--) {
		const struct step *step = &layout->steps[i];
		if (!step->cells)
			continue;
		snprintf(class, sizeof class, "b%d", i);
		prof_svg_rectangle(
			&(struct prof_rectangle){x, PROF_SVG_SWATCH, y + 3, PROF_SVG_SWATCH}, class,
			text);
		prof_svg_begin_text(x + PROF_SVG_SWATCH + 5, y + 3 + PROF_SVG_SWATCH - 1, text);
		prof_text_print(text, "%s", prof_number_fixed(step->least, 1, 0, least));
		if (step->most != step->least)
			prof_text_print(text, " to %s", prof_number_fixed(step->most, 1, 0, most));
		prof_text_print(text, "</text>\n");
		y += PROF_SVG_LINE;
	}
	prof_text_print(text, "</g>\n");
}

static void print_subtitle(const struct layout *layout, struct prof_text *text)
{
	prof_text_print(text,
		"A row for each sender, a column for each receiver, by ranks in MPI_COMM_WORLD.");
	if (layout->each > 1)
		prof_text_print(
			text, "  %" PRId64 " ranks share a row, and a column.", layout->each);
}

/* The rows of cells, their names, and what they mean. */
static void print_cells(const struct layout *layout, struct prof_text *text)
{
	prof_text_print(text, "<g id=\"cells\">\n");
	for (size_t i = 0; i < layout->count * layout->count; i++) {
		if (layout->cells[i].messages)
			print_cell(layout, i / layout->count, i % layout->count, text);
	}
	prof_text_print(text, "</g>\n");
	print_axes(layout, text);
	print_legend(layout, text);
}

struct prof_error *prof_matrix_print(const struct prof_matrix *matrix, struct prof_text *text)
{
	PROF_AUTO(layout_deinit) struct layout layout = {0};
	AUTO_TEXT struct prof_text subtitle = {0};
	struct prof_error *error = layout_init(&layout, matrix->exchanges);

	if (error)
		return error;
	print_subtitle(&layout, &subtitle);
	if (subtitle.failed)
		return prof_error_nomem();
	prof_svg_begin(
		matrix->title, layout.foot + prof_svg_lines(matrix->notes) * PROF_SVG_LINE, text);
	prof_svg_line("title", 24, matrix->title, text);
	prof_svg_line("dim", 43, prof_text_get(&subtitle), text);
	if (layout.count)
		print_cells(&layout, text);
	prof_svg_notes(matrix->notes, layout.foot, text);
	prof_text_print(text, "</svg>\n");
	return prof_text_error(text);
}
