/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round trips: what is exported and read again is what it was. */
#ifndef PROF_TESTS_VIEW_TRIP_H
#define PROF_TESTS_VIEW_TRIP_H

#include "export/export.h"
#include "formats/import.h"
#include "view_support.h"

#include <unistd.h>

/* EXPERIMENT's METRICS as FORMAT, with inlined functions on their own or not. */
static inline void trip_print(struct prof_experiment *experiment, const char *name,
	const char *metrics, bool inlined, struct prof_text *text)
{
	const struct prof_export *format;
	const struct prof_filter filter = {0};
	struct prof_sheet sheet;

	ck_assert_ok(prof_export_find(name, &format));
	const struct prof_sheet_request request = {
		metrics, &filter, format->kind, inlined, format->want, format->needs, "It"};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_ok(format->print(&sheet, text));
	prof_sheet_deinit(&sheet);
}

/* What prof-load makes of TEXT, as if it had come from no file. */
static inline struct prof_experiment *trip_read(const struct prof_text *text)
{
	char path[] = "/tmp/prof-view-trip-XXXXXX";
	int fd = mkstemp(path);
	struct prof_experiment *experiment = NULL;

	ck_assert_int_eq(write(fd, prof_text_get(text), text->length), (ssize_t)text->length);
	close(fd);
	struct prof_error *error = prof_import_read(path, NULL, &experiment);
	unlink(path);
	ck_assert_ok(error);
	prof_experiment_check(experiment);
	*experiment->recording.source = '\0';
	return experiment;
}

/* EXPERIMENT as it is after a trip. */
static inline struct prof_experiment *trip(
	struct prof_experiment *experiment, const char *name, const char *metrics, bool inlined)
{
	AUTO_TEXT struct prof_text text = {0};

	trip_print(experiment, name, metrics, inlined, &text);
	return trip_read(&text);
}

/* The export NAME of METRICS is the same of A and B. */
static inline void trip_same(struct prof_experiment *a, struct prof_experiment *b, const char *name,
	const char *metrics, bool inlined)
{
	AUTO_TEXT struct prof_text left = {0};
	AUTO_TEXT struct prof_text right = {0};

	trip_print(a, name, metrics, inlined, &left);
	trip_print(b, name, metrics, true, &right);
	ck_assert_str_eq(prof_text_get(&right), prof_text_get(&left));
}

#endif
