/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/hooknames.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct hook {
	uint64_t address;
	char *name;
};

static PROF_ARRAY(struct hook) hooks;

const char *hooknames_find(uint64_t address)
{
	for (size_t i = 0; i < hooks.count; i++) {
		if (hooks.items[i].address == address)
			return hooks.items[i].name;
	}
	return NULL;
}

/* Without memory, the function keeps the name that GDB knows. */
void hooknames_note(uint64_t address, const char *name)
{
	AUTO_FREE char *copy = strdup(name);

	if (!address || !copy || hooknames_find(address))
		return;
	struct hook *hook = prof_array_push(&hooks);
	if (hook)
		*hook = (struct hook){address, steal(&copy)};
}

void hooknames_forget(void)
{
	while (hooks.count)
		free(hooks.items[--hooks.count].name);
}
