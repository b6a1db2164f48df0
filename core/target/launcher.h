/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The launcher of a parallel job, such as `mpirun` or `srun`: it starts many processes, and passes
 * each its number, its rank, in the environment.
 *
 * Sources: "Environment variables for your application" in Open MPI's documentation (OMPI_COMM_*),
 * MPICH's process management interface (PMI_*), srun(1) (SLURM_*), and the PMIx standard (PMIX_*).
 */
#ifndef PROF_TARGET_LAUNCHER_H
#define PROF_TARGET_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the name of a job, with the 0 at its end; names that PMIx gives have 255 at most. */
enum { PROF_LAUNCH_NAME = 256 };

/* The place of a process in its job. */
struct prof_launch {
	const char *launcher; /* "Open MPI", "MPICH", "Slurm" or "PMIx", static; NULL: no job */
	int64_t rank;         /* from 0 on */
	int64_t size;         /* how many ranks the job has; 0: not known */
	char job[PROF_LAUNCH_NAME]; /* what the launcher calls the job; "": not known */
};

/*
 * The place of this process, as the environment that GET reads, like getenv(), has it.  Numbers
 * that make no sense are ignored.
 */
struct prof_launch prof_launcher_find(char *(*get)(const char *name));

/*
 * The place of a process with ENVIRONMENT, as /proc/PID/environ has it: strings of the form
 * NAME=VALUE, and an empty string behind the last.
 */
struct prof_launch prof_launcher_find_in(const char *environment);

#endif
