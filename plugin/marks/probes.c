/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/marks/probes.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/trap.h"

static void reach_mark(const struct trap *trap);
static void reach_pause(const struct trap *trap);
static void reach_resume(const struct trap *trap);
static void reach_thread_pause(const struct trap *trap);
static void reach_thread_resume(const struct trap *trap);
static void reach_end(const struct trap *trap);

static struct trap traps[] = {
	{"-probe-stap gdbprof:mark", reach_mark, NULL},
	{"-probe-stap gdbprof:pause", reach_pause, NULL},
	{"-probe-stap gdbprof:resume", reach_resume, NULL},
	{"-probe-stap gdbprof:thread_pause", reach_thread_pause, NULL},
	{"-probe-stap gdbprof:thread_resume", reach_thread_resume, NULL},
	{"-probe-stap gdbprof:end", reach_end, NULL},
};

static const struct probes_actions *actions;

/* Longer labels are cut. */
enum { LABEL = 256 };

static void reach_mark(const struct trap *trap)
{
	char label[LABEL];

	(void)trap;
	host_probe_text(0, label, sizeof label);
	actions->mark(label);
}

static void reach_pause(const struct trap *trap)
{
	(void)trap;
	actions->pause();
}

static void reach_resume(const struct trap *trap)
{
	(void)trap;
	actions->resume();
}

static void reach_thread_pause(const struct trap *trap)
{
	(void)trap;
	actions->mute(true);
}

static void reach_thread_resume(const struct trap *trap)
{
	(void)trap;
	actions->mute(false);
}

static void reach_end(const struct trap *trap)
{
	(void)trap;
	actions->end();
}

struct prof_error *probes_watch(const struct probes_actions *what)
{
	struct prof_error *error = NULL;

	probes_unwatch();
	actions = what;
	for (size_t i = 0; i < PROF_COUNT(traps) && !error; i++)
		error = trap_set(&traps[i]);
	return error;
}

void probes_unwatch(void)
{
	for (size_t i = 0; i < PROF_COUNT(traps); i++)
		trap_clear(&traps[i]);
}

bool probes_have_breakpoints(void)
{
	for (size_t i = 0; i < PROF_COUNT(traps); i++) {
		if (traps[i].breakpoint && !trap_is_pending(&traps[i]))
			return true;
	}
	return false;
}
