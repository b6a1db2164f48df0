/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Processes outside of GDB that are sampled, too: what the program forks and executes (prof-start
 * --children), and processes that the user names (--processes, --cgroup).
 */
#include "base/option.h"
#include "plugin/collect/collector.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "base/time_unit.h"
#include "recording/recorder.h"
#include "sampling/cgroup.h"
#include "sampling/descendants.h"
#include "sampling/marker.h"
#include "target/arch.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* There is only one recording at a time. */
static struct {
	bool wanted;
	bool children;  /* of the program */
	bool elsewhere; /* there was a process on another machine */
	struct prof_marker *marker;
	struct prof_descendants *sampled; /* NULL: none are sampled */
	struct prof_error *lacks;         /* what the kernel does not allow, or NULL */
} descendants;

static void report_before_mark(void *context)
{
	prof_descendants_report_processes(context);
}

/* Samples the processes LIST, ids separated by commas. */
static struct prof_error *follow(const char *list)
{
	struct prof_error *error = NULL;

	for (const char *at = list; at && !error;) {
		char *end;
		unsigned long process = strtoul(at, &end, 10);
		if (*at < '0' || *at > '9' || (*end && *end != ',') || !process ||
			process > INT_MAX)
			return prof_error_create(PROF_ERROR_USAGE,
				"--processes needs process ids, as in 12,34, not \"%s\".", list);
		error = kill((pid_t)process, 0) && errno == ESRCH
			? prof_error_create(PROF_ERROR_MISSING, "There is no process %lu.", process)
			: prof_descendants_follow(descendants.sampled, (pid_t)process);
		at = *end ? end + 1 : NULL;
	}
	return error;
}

static struct prof_error *follow_group(const char *name)
{
	AUTO_FREE char *folder = NULL;
	struct prof_error *error = prof_cgroup_find(name, &folder);

	return error ? error : prof_descendants_follow_group(descendants.sampled, folder);
}

/* The options that only this collector reads. */
struct descendants_choice {
	bool children;         /* record what the program forks and executes, too */
	const char *processes; /* ids of other processes, which are recorded with their children;
				  NULL: none */
	const char *cgroup;    /* a control group whose processes are recorded; NULL: none */
};

static const struct prof_option rows[] = {
	{.name = "children",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct descendants_choice, children),
		.describe =
			"Also record the processes that the program starts, and those that they start, until they end.  "
			"GDB does not stop them.  The kernel must permit perf events."},
	{.name = "processes",
		.value = "PID,...",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct descendants_choice, processes),
		.describe = "Also record these running processes, and those that they start.  "
			    "GDB does not attach to them.  The kernel must permit perf events."},
	{.name = "cgroup",
		.value = "NAME",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct descendants_choice, cgroup),
		.describe =
			"Also record the processes of this control group, including those that join it later, and those that they start.  "
			"NAME is the folder of the group, or the name of a systemd unit.  "
			"The kernel must permit perf events."},
	{.name = NULL},
};

static const struct prof_options own_options = PROF_OPTIONS(rows, struct descendants_choice);

static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct session_request *asked = request->asked;
	const struct descendants_choice *choice = own;
	struct prof_error **lacks = &descendants.lacks;
	struct prof_descendants_options options = {
		.rate = asked->rate,
		.kernel = asked->kernel,
		.wall = !strcmp(asked->clock, "wall"),
		.max_depth = asked->max_depth,
		.queue = request->queue,
	};
	bool named = choice->processes || choice->cgroup;

	descendants.wanted = choice->children || named;
	descendants.children = choice->children;
	descendants.marker = request->marker;
	if (!descendants.wanted)
		return NULL;
	if (!strcmp(asked->engine, engine_none.name))
		return prof_error_create(PROF_ERROR_USAGE,
			"--children, --processes and --cgroup need samples by the clock, which --engine=none and --counter alone do not take: add --rate=HZ or another engine.");
	options.scope = prof_perf_scope(prof_arch_native(), lacks);
	if (options.scope == PROF_PERF_NOTHING)
		return named ? steal(lacks) : NULL;
	struct prof_error *error = prof_descendants_create(&options, &descendants.sampled);
	if (!error &&
		!prof_marker_listen(request->marker, report_before_mark, descendants.sampled)) {
		prof_descendants_destroy(steal(&descendants.sampled));
		error = prof_error_nomem();
	}
	/* The sum over all named processes is unknown: 0 is no process's id. */
	if (!error && named && !prof_marker_add(request->marker, 0, false))
		error = prof_error_nomem();
	prof_recorder_report_processes(request->recorder);
	if (!error && choice->processes)
		error = follow(choice->processes);
	return error || !choice->cgroup ? error : follow_group(choice->cgroup);
}

static void end(void)
{
	if (descendants.sampled)
		prof_marker_ignore(descendants.marker, descendants.sampled);
	prof_descendants_destroy(descendants.sampled);
	prof_error_destroy(descendants.lacks);
	descendants = (__typeof__(descendants)){0};
}

static struct prof_error *attach(pid_t process, bool native)
{
	descendants.elsewhere |= descendants.children && !native;
	if (!descendants.sampled || !native)
		return NULL;
	if (descendants.children)
		return prof_descendants_add(descendants.sampled, process);
	/* It may be one that the user has named, but GDB has it now, and the engine samples it. */
	prof_descendants_leave_out(descendants.sampled, process);
	return NULL;
}

static void pause_all(bool paused)
{
	if (descendants.sampled)
		prof_descendants_pause(descendants.sampled, paused);
}

static bool has_others(void)
{
	return descendants.sampled;
}

static size_t count_others(void)
{
	return descendants.sampled ? prof_descendants_figures(descendants.sampled).living : 0;
}

static void report(void)
{
	if (descendants.sampled)
		prof_descendants_report_processes(descendants.sampled);
}

static void say(struct prof_text *text, enum collector_phase phase)
{
	(void)phase;
	if (!descendants.wanted)
		return;
	if (!descendants.sampled) {
		prof_text_print(text, "Children of the program are not recorded: %s\n",
			prof_error_message(descendants.lacks));
		return;
	}
	if (descendants.elsewhere)
		prof_text_print(
			text, "Children of a program on another machine are not recorded.\n");
	struct prof_descendants_figures figures = prof_descendants_figures(descendants.sampled);
	if (figures.unsampled)
		prof_text_print(text,
			"Children have no stack for %.3f s of CPU time: they %sended before their next sample.\nRun GDB as root to have short processes sampled too.\n",
			(double)figures.unsampled / PROF_NS_PER_SECOND,
			descendants.lacks ? "were in system calls, or " : "");
	if (figures.unseen)
		prof_text_print(text,
			"gdbprof does not know what children waited for during %.3f s: they ended before\nit looked at them.\n",
			(double)figures.unseen / PROF_NS_PER_SECOND);
	if (figures.refused)
		prof_text_print(text,
			"%zu process%s of the control group %s not recorded: the kernel refused it.\n",
			figures.refused, figures.refused == 1 ? "" : "es",
			figures.refused == 1 ? "was" : "were");
	if (figures.cut)
		prof_text_print(text,
			"gdbprof cut off %lu stack%s of children: the kernel copies only the top of a large stack.\n",
			figures.cut, figures.cut == 1 ? "" : "s");
	if (figures.lost)
		prof_text_print(text,
			"The kernel dropped %lu sample%s because its buffer was full: some may be of children.\n",
			figures.lost, figures.lost == 1 ? "" : "s");
}

const struct collector collector_descendants = {
	.name = "descendants",
	.options = &own_options,
	.begin = begin,
	.end = end,
	.attach = attach,
	.pause = pause_all,
	.report = report,
	.has_others = has_others,
	.count_others = count_others,
	.say = say,
};
