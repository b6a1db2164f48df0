/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages between the lanes of a chart. */
#include "picture/svg_draw.h"

#include "base/time_unit.h"
#include "model/experiment.h"
#include "model/mpi_operation.h"
#include "picture/chart.h"
#include "picture/svg.h"

#include <inttypes.h>

/* The distance from the top to the middle of the lane's title at ROW, in pixels. */
static int place_of(const struct prof_svg *svg, uint32_t row)
{
	return prof_svg_top(svg) + (int)row * PROF_SVG_ROW + PROF_SVG_ROW / 2;
}

static void print_arrow(
	const struct prof_svg *svg, const struct prof_arrow *arrow, struct prof_text *text)
{
	const struct prof_mpi_operation *items = svg->names->operations.items;
	const struct prof_mpi_operation *send = &items[arrow->send];
	const struct prof_mpi_operation *receive = &items[arrow->receive];

	prof_text_print(text,
		"<g><title>rank %" PRId64 " to rank %" PRId64 ": %" PRId64 " byte%s, tag %" PRId64
		"\nsent at %.6f s, received at %.6f s</title><line",
		send->rank, receive->rank, send->bytes, send->bytes == 1 ? "" : "s", send->tag,
		(double)send->posted / PROF_NS_PER_SECOND,
		(double)receive->end / PROF_NS_PER_SECOND);
	prof_svg_pixels("x1", PROF_SVG_MARGIN + arrow->begin * PROF_SVG_WIDTH, text);
	prof_text_print(text, " y1=\"%d\"", place_of(svg, arrow->from));
	prof_svg_pixels("x2", PROF_SVG_MARGIN + arrow->end * PROF_SVG_WIDTH, text);
	prof_text_print(text, " y2=\"%d\"/></g>\n", place_of(svg, arrow->to));
}

void prof_svg_arrows(const struct prof_svg *svg, struct prof_text *text)
{
	if (!svg->chart || !svg->chart->arrows.count)
		return;
	prof_text_print(text,
		"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
		"markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
		"orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
		"<g id=\"messages\">\n");
	for (size_t i = 0; i < svg->chart->arrows.count; i++)
		print_arrow(svg, &svg->chart->arrows.items[i], text);
	prof_text_print(text, "</g>\n");
}
