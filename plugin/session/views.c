/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The current experiment: printed, saved and replaced; and the notes on a recording. */
#include "plugin/session/private.h"

#include "base/file.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "parallel/class.h"
#include "store/store.h"
#include "plugin/gdb/code.h"
#include "plugin/engine/clobbered.h"
#include "plugin/collect/collector.h"
#include "plugin/gdb/host.h"
#include "plugin/collect/inferiors.h"
#include "plugin/marks/marks.h"
#include "plugin/collect/notes.h"
#include "plugin/option/amount.h"
#include "plugin/session/stranded.h"
#include "view/archive.h"
#include "view/summary.h"

#include <stdlib.h>
#include <string.h>

/* Reports what FAILED; the recorder is locked. */
static void print_failure(struct prof_text *text, const struct prof_error *failed)
{
	prof_text_print(text, "%s  %s", prof_error_message(failed),
		prof_recorder_gave_up(session.recorder)
			? "Since then gdbprof records only marks; prof-save saves the recording."
			: "The recording stays in memory: prof-save saves it.");
}

void session_note_failure(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	const struct prof_error *failed =
		session.recorder ? prof_recorder_error(session.recorder) : NULL;

	if (!failed)
		return;
	print_failure(&text, failed);
	notes_add(prof_text_get(&text));
}

void session_fill(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0}, line = {0};

	prof_recorder_lock(session.recorder);
	bool gave_up = prof_recorder_gave_up(session.recorder);
	if (gave_up)
		print_failure(&text, prof_recorder_error(session.recorder));
	else
		prof_text_print(&text,
			"The recording has reached its size limit (\"set prof limit\"): since then gdbprof records only marks.");
	prof_recorder_unlock(session.recorder);
	notes_add(prof_text_get(&text));
	prof_text_name(&line, prof_text_get(&text));
	prof_text_print(&line, "\n");
	free(session.news);
	session.news = strdup(prof_text_get(&line));
	notes_error(marks_fill(gave_up ? "no file" : "limit"));
}

void session_announce(void)
{
	AUTO_FREE char *news = session.news;

	session.news = NULL;
	if (news)
		host_forget(host_write(news));
}

struct prof_error *session_status(struct prof_text *text)
{
	const struct prof_experiment *experiment = session_peek();

	if (!experiment) {
		session_return();
		COLLECTORS_CALL(list, text);
		prof_text_print(
			text, "Nothing has been recorded or loaded yet: begin with prof-start.\n");
		amount_say_rates(text);
		return prof_text_error(text);
	}
	if (!session.recorder)
		prof_text_print(text, "Nothing is being recorded; views show %s.\n",
			*experiment->recording.source ? "the loaded experiment"
						      : "the last recording");
	else {
		prof_text_print(text, "Recording%s", *session.output ? " into " : "");
		prof_text_name(text, session.output);
		prof_text_print(text, ": ");
		inferiors_describe(collectors_count_others(), text);
		prof_text_print(text, ".\n");
		inferiors_list(text);
	}
	session_note_failure();
	COLLECTORS_CALL(list, text);
	prof_summary_print(experiment, text);
	COLLECTORS_CALL(say, text, COLLECTOR_RUNS);
	stranded_say(text);
	clobbered_say(text);
	prof_text_print(text, "%s", prof_text_get(notes_text()));
	session_return();
	return prof_text_error(text);
}

/* Is PATH the file that is being recorded into? */
static bool is_output(const char *path)
{
	return session.recorder && *session.output && prof_file_is_same(path, session.output);
}

static struct prof_error *take_archive(
	struct prof_archive_figures *archive, const struct prof_progress *progress)
{
	PROF_AUTO(code_end) struct code code = {0};

	code_begin(&code, false);
	return prof_archive_take(session.experiment, &code.code, progress, archive);
}

struct prof_error *session_save(const char *path, struct prof_archive_figures *archive,
	const struct prof_progress *progress)
{
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow(progress, &experiment);

	if (error)
		return error;
	if (archive)
		error = take_archive(archive, progress);
	/* The file being recorded into must not be replaced: it only has to be up to date. */
	if (!error && is_output(path) && !prof_recorder_error(session.recorder))
		prof_recorder_flush(session.recorder);
	else if (!error)
		error = prof_store_save(path, experiment, progress);
	session_return();
	return error;
}

void session_forget(void)
{
	for (size_t i = 0; i < PROF_COUNT(session.stacks); i++) {
		prof_experiment_destroy(session.stacks[i].experiment);
		session.stacks[i] = (struct session_stacks){0};
	}
	session.resolved = session.asked = session.objects = 0;
	session.called = session.classified = 0;
	symbols_lines_deinit(&session.lines);
}

struct prof_error *session_load(struct prof_experiment *experiment)
{
	if (session.recorder) {
		prof_experiment_destroy(experiment);
		return prof_error_create(
			PROF_ERROR_STATE, "A recording is going on: end it with prof-stop first.");
	}
	prof_experiment_destroy(session.experiment);
	session.experiment = experiment;
	session_forget();
	notes_clear();
	return NULL;
}

const struct prof_experiment *session_peek(void)
{
	session_settle();
	if (session.recorder) {
		inferiors_look();
		COLLECTORS_CALL(report);
		prof_recorder_lock(session.recorder);
	}
	return session.experiment;
}

/* Classifies the stacks, which are resolved, unless that was done. */
static struct prof_error *classify(void)
{
	if (session.classified == session.experiment->paths.count)
		return NULL;
	struct prof_error *error = prof_classes_update(session.experiment);
	if (!error)
		session.classified = session.experiment->paths.count;
	return error;
}

struct prof_error *session_borrow(
	const struct prof_progress *progress, const struct prof_experiment **ret)
{
	const struct prof_experiment *experiment = session_peek();
	struct prof_error *error = NULL;

	if (!experiment)
		error = prof_error_create(PROF_ERROR_STATE,
			"There is nothing to show: begin with prof-start, or prof-load a file.");
	else
		error = session_resolve(NULL, progress);
	if (!error)
		error = classify();
	if (error)
		session_return();
	else
		*ret = experiment;
	return error;
}

/* Makes *STACKS from the current experiment, unless that has not changed since. */
static struct prof_error *make_stacks(
	enum prof_stacks mode, const struct prof_progress *progress, struct session_stacks *stacks)
{
	const struct prof_experiment *experiment = session.experiment;
	uint64_t changes = experiment->samples.changes + experiment->changes +
		experiment->marks.count + experiment->arcs.count;

	if (stacks->experiment && stacks->changes == changes)
		return NULL;
	prof_experiment_destroy(steal(&stacks->experiment));
	stacks->changes = changes;
	stacks->version = ++session.stacks_made;
	return prof_user_stacks_create(experiment, mode, progress, &stacks->experiment);
}

struct prof_error *session_borrow_stacks(enum prof_stacks mode,
	const struct prof_progress *progress, const struct prof_experiment **ret)
{
	struct session_stacks *stacks = &session.stacks[mode];
	struct prof_error *error = session_borrow(progress, ret);

	if (error || !((*ret)->classes_used & PROF_CLASS_OMP))
		return error;
	error = make_stacks(mode, progress, stacks);
	if (error)
		session_return();
	else if (stacks->experiment)
		*ret = stacks->experiment;
	return error;
}

uint64_t session_stacks_version(enum prof_stacks mode)
{
	return session.stacks[mode].experiment ? session.stacks[mode].version : 0;
}

void session_return(void)
{
	if (session.recorder)
		prof_recorder_unlock(session.recorder);
}
