/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/tips.h"

#include "base/text.h"
#include "model/experiment.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "view/tip.h"

#include <string.h>

/* Of the last tip: the start of its recording, which no other has, and the time of its stop. */
static struct {
	int64_t start, stop;
} last;

static struct prof_error *add_tip(const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_experiment *experiment;
	struct prof_error *error = session_borrow_stacks(PROF_STACKS_USER, progress, &experiment);

	if (error)
		return error;
	if (last.start != experiment->recording.start)
		last.stop = 0;
	last.start = experiment->recording.start;
	error = prof_tip_print(experiment, progress, &last.stop, text);
	session_return();
	return error;
}

/* No command waits for an error: what cannot be found out is no tip. */
static void print_tip(void)
{
	AUTO_TEXT struct prof_text text = {0};
	AUTO_FREE char *wanted = NULL;
	struct host_progress progress;
	struct prof_error *error = settings_get("tips", &wanted);

	if (error || strcmp(wanted, "on") != 0) {
		host_forget(error);
		return;
	}
	host_progress_begin(&progress);
	error = add_tip(&progress.progress, &text);
	host_progress_end(&progress);
	if (!error)
		error = host_write(prof_text_get(&text));
	host_forget(error);
}

void tips_register(void)
{
	session_notify_stops(print_tip);
}
