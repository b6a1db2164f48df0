/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/patch_admission.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "sampling/sandbox.h"
#include "target/process.h"
#include "target/procfs.h"

const char *patch_admission_obstacle(pid_t process, uint64_t control)
{
	struct prof_sandbox sandbox;
	uint64_t word;
	pid_t own;

	if (prof_process_read(process, control, &word, sizeof word))
		return "another recording of the process has left its own patches there";
	if (!host_is_single())
		return "GDB has several inferiors";
	if (host_stops_single())
		return "GDB is in non-stop mode";
	prof_sandbox_init(&sandbox, process);
	return prof_sandbox_look(&sandbox, host_thread(), &own);
}

/* The threads of a process, all of which must be admitted. */
struct admission {
	struct prof_patched *patched;
	const char *why; /* one is not; NULL: all are */
};

static void admit(void *context, pid_t thread)
{
	struct admission *admission = context;

	if (!admission->why)
		admission->why = prof_patched_admit(admission->patched, thread);
}

const char *patch_admission_admit(pid_t process, struct prof_patched *patched)
{
	struct admission admission = {.patched = patched};

	prof_procfs_threads(process, admit, &admission);
	return admission.why;
}
