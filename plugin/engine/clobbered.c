/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/clobbered.h"

#include "plugin/engine/engine.h"
#include "plugin/engine/remote_usage.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/methods.h"

#include <string.h>

/* Does the stub have the mask registers, which belong to AVX-512? */
static bool has_masks(pid_t process)
{
	return methods_has_register(process, "k0");
}

/* Is the machine's CPU made by AMD?  A stub that transfers no files is not gdbserver. */
static bool is_amd(void)
{
	char name[4096];

	return remote_usage_read("/sys/devices/system/cpu/modalias", name, sizeof name) &&
		strstr(name, ",ven0002");
}

/* Is the program in PROCESS, which stands still, damaged? */
static bool is_damaged(pid_t process)
{
	AUTO_FREE char *connection = NULL;
	struct prof_error *error = host_connection(&connection);

	host_forget(error);
	return !error && !host_is_native(connection) && has_masks(process) && is_amd();
}

void clobbered_say(struct prof_text *text)
{
	/* A running process cannot be asked: its stub would have to be interrupted. */
	static pid_t asked;
	static bool damaged;
	pid_t process = host_process();

	if (process && process != asked && host_stands_still(process)) {
		asked = process;
		damaged = is_damaged(process);
	}
	if (!process || process != asked || !damaged)
		return;
	prof_text_print(text,
		"Warning: gdbserver before version 14 damages AVX-512 registers each time it stops a\nprogram on this CPU, also without gdbprof.  Use gdbserver 14 or newer; otherwise the\nprogram may compute wrong results.\n");
}
