/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/exits.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/trap.h"

static void reached(const struct trap *trap);

/* exit(), quick_exit() and _Exit() call the first; execl() and its variants call the others. */
static struct trap traps[] = {
	{"-qualified -function _exit", reached, NULL},
	{"-qualified -function execve", reached, NULL},
	{"-qualified -function execveat", reached, NULL},
	{"-qualified -function fexecve", reached, NULL},
};

/* Whom to notify; NULL: nobody. */
static void (*report)(pid_t thread);

static void reached(const struct trap *trap)
{
	(void)trap;
	if (report)
		report(host_thread());
}

struct prof_error *exits_watch(void (*leave)(pid_t thread))
{
	struct prof_error *error = NULL;

	exits_unwatch();
	report = leave;
	for (size_t i = 0; i < PROF_COUNT(traps) && !error && !host_has_attached(); i++)
		error = trap_set(&traps[i]);
	return error;
}

bool exits_look(void)
{
	if (!host_has_attached())
		return true;
	exits_unwatch();
	return false;
}

bool exits_are_unknown(void)
{
	return trap_is_pending(&traps[0]);
}

void exits_unwatch(void)
{
	for (size_t i = 0; i < PROF_COUNT(traps); i++)
		trap_clear(&traps[i]);
	report = NULL;
}
