/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/launcher.h"

#include "base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The variables that a launcher sets for each process; the first row that fits is right. */
static const struct {
	const char *launcher;
	const char *rank;
	const char *size; /* NULL: not set */
	const char *job;  /* NULL: jobs have no names */
	const char *step; /* must be set, too, and is part of the name; NULL: nothing else */
} launchers[] = {
	/*
	 * Before Slurm: `srun` can start the processes of both libraries, which then know better.
	 */
	{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", NULL},
	/* Only the library that Slurm has for it sets the name. */
	{"MPICH", "PMI_RANK", "PMI_SIZE", "PMI_JOBID", NULL},
	/* The script of a batch job has rank and size too, but it is no step. */
	{"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"},
	{"PMIx", "PMIX_RANK", NULL, "PMIX_NAMESPACE", NULL},
};

/* Reads TEXT as a number of at least LEAST; false: it is none. */
static bool read_number(const char *text, int64_t least, int64_t *ret)
{
	char *end;

	if (!text || !*text)
		return false;
	errno = 0;
	*ret = strtoll(text, &end, 10);
	return !errno && !*end && *ret >= least && *ret <= INT32_MAX;
}

/* Where variables are looked up: by a function like getenv(), or in a block. */
struct source {
	char *(*get)(const char *name);
	const char *block; /* NULL: look up by GET */
};

static const char *get(const struct source *source, const char *name)
{
	size_t length = strlen(name);

	if (!source->block)
		return source->get(name);
	for (const char *at = source->block; *at; at += strlen(at) + 1) {
		if (!strncmp(at, name, length) && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

static struct prof_launch find(const struct source *source)
{
	for (size_t i = 0; i < PROF_COUNT(launchers); i++) {
		struct prof_launch found = {.launcher = launchers[i].launcher};
		const char *step = launchers[i].step ? get(source, launchers[i].step) : "";
		if (!step)
			continue;
		if (!read_number(get(source, launchers[i].rank), 0, &found.rank))
			continue;
		if (launchers[i].size &&
			(!read_number(get(source, launchers[i].size), 1, &found.size) ||
				found.rank >= found.size))
			continue;
		const char *job = launchers[i].job ? get(source, launchers[i].job) : NULL;
		if (job)
			snprintf(
				found.job, sizeof found.job, "%s%s%s", job, *step ? "." : "", step);
		return found;
	}
	return (struct prof_launch){.launcher = NULL};
}

struct prof_launch prof_launcher_find(char *(*get_by)(const char *name))
{
	return find(&(struct source){.get = get_by});
}

struct prof_launch prof_launcher_find_in(const char *environment)
{
	return find(&(struct source){.block = environment});
}
