/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/stepping.h"

#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"

#include <stdlib.h>
#include <string.h>

/* The user's value of the setting; NULL: it was not changed. */
static char *before;

/* Restores the setting, if it was changed. */
static void put_back(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (!before)
		return;
	/* A setting with three values, as Python represents it. */
	const char *value = !strcmp(before, "True") ? "on"
		: !strcmp(before, "False")          ? "off"
						    : "auto";
	prof_text_print(&command, "set displaced-stepping %s", value);
	host_forget(host_execute(prof_text_get(&command), &text));
	free(before);
	before = NULL;
}

static void on_inferior(const struct event *event)
{
	(void)event;
	put_back();
}

static const struct event_handler handlers[] = {
	{"new_inferior", on_inferior, false},
	{NULL, NULL, false},
};

void stepping_change(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (before || !host_is_single())
		return;
	struct prof_error *error = events_connect(handlers);
	if (!error)
		error = host_parameter("displaced-stepping", &before);
	if (!error)
		error = host_execute("set displaced-stepping off", &text);
	host_forget(error);
}

void stepping_restore(void)
{
	events_disconnect(handlers);
	put_back();
}
