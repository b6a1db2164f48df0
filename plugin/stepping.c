#include "plugin/stepping.h"

#include "plugin/host.h"

#include <stdlib.h>
#include <string.h>

/* The setting as the user has it; NULL: it is so. */
static char *before;

void stepping_change(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct prof_error *error = host_parameter("displaced-stepping", &before);

	if (!error)
		error = host_execute("set displaced-stepping off", &text);
	host_forget(error);
}

void stepping_restore(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (!before)
		return;
	/* A setting of three values, as Python has it. */
	const char *value = !strcmp(before, "True") ? "on"
		: !strcmp(before, "False")          ? "off"
						    : "auto";
	prof_text_print(&command, "set displaced-stepping %s", value);
	host_forget(host_execute(prof_text_get(&command), &text));
	free(before);
	before = NULL;
}
