/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Control groups: the processes of a service, or of a container, as the kernel lists them. */
#ifndef PROF_SAMPLING_CGROUP_H
#define PROF_SAMPLING_CGROUP_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The folder of the control group NAME, to be freed: NAME is that folder, or what it is called
 * below the mount point of its hierarchy, or its last part, as the name of a systemd unit is.
 */
struct prof_error *prof_cgroup_find(const char *name, char **ret) PROF_MUST_CHECK;

/* Calls VISIT for each process in the control group FOLDER, and in those below it.  False: the
 * group is gone. */
bool prof_cgroup_processes(
	const char *folder, void (*visit)(void *context, pid_t process), void *context);

#endif
