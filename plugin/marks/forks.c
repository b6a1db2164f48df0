/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/marks/forks.h"

#include "plugin/marks/marks.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/trap.h"

static void reached(const struct trap *trap);

/* system() and popen() call the last one, under another name. */
static struct trap traps[] = {
	{"-qualified -function fork", reached, NULL},
	{"-qualified -function vfork", reached, NULL},
	{"-qualified -function posix_spawn", reached, NULL},
	{"-qualified -function posix_spawnp", reached, NULL},
};

static void reached(const struct trap *trap)
{
	(void)trap;
	host_forget(marks_automatic(PROF_MARK_FORK, "before fork"));
}

struct prof_error *forks_watch(void)
{
	struct prof_error *error = NULL;

	forks_unwatch();
	for (size_t i = 0; i < PROF_COUNT(traps) && !error && !host_has_attached(); i++)
		error = trap_set(&traps[i]);
	return error;
}

void forks_look(void)
{
	if (trap_is_set(&traps[0]) && host_has_attached())
		forks_unwatch();
}

void forks_made(void)
{
	prof_error_destroy(marks_automatic(PROF_MARK_FORK, "after fork"));
}

void forks_unwatch(void)
{
	for (size_t i = 0; i < PROF_COUNT(traps); i++)
		trap_clear(&traps[i]);
}
