/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/preload.h"

#include "agent/agent.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void prof_agent_preload_restore(void)
{
	char *value = getenv("LD_PRELOAD");
	Dl_info own;

	if (!value || !dladdr(&prof_agent, &own))
		return;
	size_t length = strlen(own.dli_fname), whole = strlen(value);
	if (strncmp(value, own.dli_fname, length) != 0)
		return;
	if (!value[length]) {
		unsetenv("LD_PRELOAD");
	} else if (value[length] == ':') {
		size_t rest = whole - length - 1;
		memmove(value, value + length + 1, rest);
		memset(value + rest, 0, whole - rest);
	}
}
