/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/shadow_stack.h"

#include "target/procfs.h"

#include <string.h>

bool prof_shadow_stack_is_listed(const char *status)
{
	static const char name[] = "\nx86_Thread_features:", feature[] = "shstk";
	const size_t length = sizeof feature - 1;
	const char *at = strstr(status, name);

	if (!at)
		return false;
	at += sizeof name - 1;
	for (;;) {
		at += strspn(at, " \t");
		size_t word = strcspn(at, " \t\n");
		if (!word)
			return false;
		if (word == length && !memcmp(at, feature, length))
			return true;
		at += word;
	}
}

bool prof_shadow_stack_is_on(pid_t process, pid_t thread)
{
	char status[PROF_PROCFS_STATUS];

	return prof_procfs_read(process, thread, "status", status, sizeof status) &&
		prof_shadow_stack_is_listed(status);
}
