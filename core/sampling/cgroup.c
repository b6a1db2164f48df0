/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cgroup.h"

#include "base/memory.h"

#include <dirent.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most levels of groups: nobody nests them so deeply. */
enum { DEPTH = 64 };

/* Writes FOLDER/NAME to PATH.  False: it is too long. */
static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static bool is_group(const char *folder)
{
	char path[PATH_MAX];

	return join(path, folder, "cgroup.procs") && !access(path, F_OK);
}

/* Calls VISIT for each folder in FOLDER. */
static void each_below(const char *folder,
	void (*visit)(void *context, const char *path, const char *name), void *context)
{
	DIR *below = opendir(folder);
	char path[PATH_MAX];

	for (struct dirent *entry; below && (entry = readdir(below));) {
		if (entry->d_type == DT_DIR && *entry->d_name != '.' &&
			join(path, folder, entry->d_name))
			visit(context, path, entry->d_name);
	}
	if (below)
		closedir(below);
}

struct search {
	const char *name;
	unsigned depth;
	char *found; /* the first one, or NULL */
	char *other; /* another one, or NULL */
	bool failed; /* memory was short */
};

static void look_for(void *context, const char *path, const char *name)
{
	struct search *search = context;
	char **place = search->found ? &search->other : &search->found;

	if (!strcmp(name, search->name) && is_group(path) && !*place) {
		*place = strdup(path);
		search->failed |= !*place;
	}
	if (search->depth == DEPTH)
		return;
	search->depth++;
	each_below(path, look_for, search);
	search->depth--;
}

/* Looks in the hierarchy that is mounted at FOLDER. */
static struct prof_error *find_below(const char *folder, const char *name, char **ret)
{
	struct search search = {.name = name};
	struct prof_error *error = NULL;
	char path[PATH_MAX];

	if (*name == '/') {
		if (join(path, folder, name + 1) && is_group(path))
			search.failed = !(search.found = strdup(path));
	} else {
		each_below(folder, look_for, &search);
	}
	if (search.failed)
		error = prof_error_nomem();
	else if (search.other)
		error = prof_error_create(PROF_ERROR_USAGE,
			"Several control groups are called %s: name the folder of one, %s or %s.",
			name, search.found, search.other);
	else
		*ret = steal(&search.found);
	free(search.found);
	free(search.other);
	return error;
}

/* Looks in all hierarchies of TYPE. */
static struct prof_error *find_mounted(const char *type, const char *name, char **ret)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r");
	struct prof_error *error = NULL;
	struct mntent entry;
	char room[PATH_MAX];

	while (mounts && !error && !*ret && getmntent_r(mounts, &entry, room, sizeof room)) {
		if (!strcmp(entry.mnt_type, type))
			error = find_below(entry.mnt_dir, name, ret);
	}
	if (mounts)
		endmntent(mounts);
	return error;
}

struct prof_error *prof_cgroup_find(const char *name, char **ret)
{
	struct prof_error *error = NULL;
	char *found = NULL;

	if (*name == '/' && is_group(name)) {
		found = strdup(name);
		if (!found)
			return prof_error_nomem();
	} else if (*name == '/' || (*name && !strchr(name, '/'))) {
		error = find_mounted("cgroup2", name, &found);
		if (!error && !found)
			error = find_mounted("cgroup", name, &found);
	}
	if (error)
		return error;
	if (!found)
		return prof_error_create(PROF_ERROR_MISSING,
			"There is no control group \"%s\": give its folder, as in /sys/fs/cgroup/system.slice/nginx.service, or the name of a systemd unit.",
			name);
	*ret = found;
	return NULL;
}

struct visit {
	void (*process)(void *context, pid_t process);
	void *context;
	unsigned depth;
};

static bool visit_group(struct visit *visit, const char *folder);

static void visit_below(void *context, const char *path, const char *name)
{
	(void)name;
	visit_group(context, path);
}

static bool visit_group(struct visit *visit, const char *folder)
{
	char path[PATH_MAX];
	FILE *file = join(path, folder, "cgroup.procs") ? fopen(path, "re") : NULL;
	int process;

	if (!file)
		return false;
	while (fscanf(file, "%d", &process) == 1) {
		/* The kernel lists processes of another pid namespace as 0. */
		if (process > 0)
			visit->process(visit->context, process);
	}
	fclose(file);
	if (visit->depth < DEPTH) {
		visit->depth++;
		each_below(folder, visit_below, visit);
		visit->depth--;
	}
	return true;
}

bool prof_cgroup_processes(
	const char *folder, void (*visit)(void *context, pid_t process), void *context)
{
	struct visit all = {.process = visit, .context = context};

	return visit_group(&all, folder);
}
