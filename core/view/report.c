/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/report.h"

#include "base/file.h"
#include "base/map.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "picture/page.h"
#include "view/code.h"
#include "view/options.h"
#include "view/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct prof_option option_rows[] = {
	{.name = "sources",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_report_choice, sources),
		.describe =
			"Embed the text of the source files, so that the list of lines shows it.  The default leaves it out."},
	PROF_STACK_OPTIONS, PROF_FILTER_OPTIONS{.name = NULL}};

const struct prof_options prof_report_options =
	PROF_OPTIONS(option_rows, struct prof_report_choice);

/* Source files, and their texts, which it owns. */
struct sources {
	PROF_ARRAY(struct prof_page_source) items;
	struct prof_map seen; /* string of a file -> 0 */
};

static void sources_deinit(struct sources *sources)
{
	for (size_t i = 0; i < sources->items.count; i++)
		free((char *)sources->items.items[i].text);
	free(sources->items.items);
	prof_map_deinit(&sources->seen);
}

/* The text of SOURCE in a new string. */
static char *join_lines(const struct prof_code_source *source)
{
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < source->lines.count; i++)
		prof_text_print(&text, "%s\n", source->lines.items[i].text);
	return text.failed ? NULL : strdup(prof_text_get(&text));
}

/* Adds FILE, a string, unless it cannot be read. */
static struct prof_error *add_source(struct sources *sources, struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t file)
{
	PROF_AUTO(prof_code_source_deinit) struct prof_code_source source = {0};
	struct prof_error *error =
		code->source(code, experiment, prof_experiment_text(experiment, file), &source);

	if (error || !source.lines.count)
		return error;
	char *text = join_lines(&source);
	struct prof_page_source *added = text ? prof_array_push(&sources->items) : NULL;
	if (!added) {
		free(text);
		return prof_error_nomem();
	}
	*added = (struct prof_page_source){file, text};
	return NULL;
}

/* Adds all files that stacks lead through. */
static struct prof_error *add_sources(
	struct sources *sources, struct prof_code *code, const struct prof_experiment *experiment)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < experiment->locations.count; i++) {
		uint32_t file = experiment->locations.items[i].file;
		if (!*prof_experiment_text(experiment, file) ||
			prof_map_get(&sources->seen, file) != PROF_NONE)
			continue;
		if (!prof_map_add(&sources->seen, file, 0))
			return prof_error_nomem();
		error = add_source(sources, code, experiment, file);
	}
	return error;
}

/* Adds where RANK ran. */
static void print_host(const struct prof_experiment *experiment, const struct prof_rank *rank,
	struct prof_text *text)
{
	const char *host = prof_experiment_text(experiment, rank->host);

	if (!*host)
		return;
	if (rank->rank == PROF_RANK_NONE)
		prof_text_print(text, "Host: %s\n", host);
	else
		prof_text_print(text, "Rank %" PRId64 " ran on the host %s\n", rank->rank, host);
}

/* Adds what was recorded, and when. */
static void print_subject(const struct prof_experiment *experiment, struct prof_text *text)
{
	const struct prof_recording *recording = &experiment->recording;
	const time_t date = (time_t)recording->date;
	struct tm parts;
	char day[64];

	if (*recording->program)
		prof_text_print(text, "Program: %s\n", recording->program);
	if (*recording->source)
		prof_text_print(text, "Imported from: %s\n", recording->source);
	if (date && gmtime_r(&date, &parts) &&
		strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S UTC", &parts))
		prof_text_print(text, "Recorded: %s\n", day);
	for (size_t i = 0; i < experiment->ranks.count; i++)
		print_host(experiment, &experiment->ranks.items[i], text);
}

/* Prints the page of SHEET. */
static struct prof_error *print_page(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	const struct prof_report_choice *own = choice->own;
	const struct prof_recording *recording = &experiment->recording;
	const char *path = *recording->program ? recording->program : recording->source;
	PROF_AUTO(sources_deinit) struct sources sources = {0};
	AUTO_TEXT struct prof_text summary = {0};
	struct prof_error *error = NULL;

	print_subject(experiment, &summary);
	prof_summary_print(experiment, &summary);
	prof_view_filter(sheet, &choice->filter, &summary);
	if (own->sources && choice->code)
		error = add_sources(&sources, choice->code, experiment);
	if (!error)
		error = prof_text_error(&summary);
	if (error)
		return error;
	const struct prof_page page = {
		.sheet = sheet,
		.title = *path ? prof_file_base_name(path) : "Profile",
		.summary = prof_text_get(&summary),
		.sources = sources.items.items,
		.source_count = sources.items.count,
	};
	return prof_page_print(&page, text);
}

struct prof_error *prof_report_print(const struct prof_experiment *experiment,
	const struct prof_choice *choice, const struct prof_progress *progress,
	struct prof_text *text)
{
	AUTO_SHEET struct prof_sheet sheet = {0};
	const struct prof_sheet_request request = {
		.filter = &choice->filter,
		.kind = PROF_KIND_LINES,
		.inlined = !choice->folded,
		.want = PROF_WANT_NOTHING,
		.needs = PROF_HAS_STACKS,
		.who = "The report",
	};
	struct prof_error *error = prof_sheet_init(&sheet, experiment, &request, progress);

	return error ? error : print_page(&sheet, choice, text);
}
