/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter_tracepoint.h"

#include "sampling/counter.h"
#include "sampling/counter_kind.h"

#include <linux/perf_event.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the kernel has the folder `events`; the first is where it belongs. */
static const char *const places[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"};

enum { PATH_LENGTH = 1024 };

static void close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

/* Why the folder or file PATH cannot be read: REASON is errno. */
static struct prof_error *unreadable(const char *path, int reason)
{
	if (reason == EACCES || reason == EPERM)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Only root may read the kernel's tracepoints here: run GDB as root, or permit reading %s.",
			path);
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The kernel's tracepoints cannot be read, because tracefs is not mounted: run \"mount -t tracefs none /sys/kernel/tracing\" as root.");
}

/* The folder of all tracepoints; NULL: *WHY says why there is none. */
static const char *find_place(struct prof_error **why)
{
	int reason = 0;

	*why = NULL;
	for (size_t i = 0; i < PROF_COUNT(places); i++) {
		if (!access(places[i], R_OK | X_OK))
			return places[i];
		reason = i ? reason : errno;
	}
	*why = unreadable(places[0], reason);
	return NULL;
}

/* Does NAME have the form GROUP:NAME of a tracepoint? */
static bool is_name(const char *name)
{
	const char *colon = strchr(name, ':');

	if (!colon || colon == name || !colon[1] || name[0] == '.' || colon[1] == '.')
		return false;
	for (const char *at = name; *at; at++) {
		if (at != colon && !isalnum((unsigned char)*at) && !strchr("_-.", *at))
			return false;
	}
	return true;
}

static void set(struct prof_counter_entry *entry, uint64_t id)
{
	entry->kind = PROF_COUNTER_TRACEPOINT;
	entry->counter.type = PERF_TYPE_TRACEPOINT;
	entry->counter.config = id;
	entry->counter.interval = 1;
	entry->counter.kernel = true;
	entry->counter.reg = -1;
}

struct prof_error *prof_counter_tracepoint_find_in(
	const char *events, const char *name, struct prof_counter_entry *ret, bool *found)
{
	char path[PATH_LENGTH];
	char line[32] = "";
	const char *colon = strchr(name, ':');

	*found = false;
	if (!is_name(name))
		return NULL;
	int length = snprintf(
		path, sizeof path, "%s/%.*s/%s/id", events, (int)(colon - name), name, colon + 1);
	if (length < 0 || (size_t)length >= sizeof path)
		return NULL;
	PROF_AUTO(close_file) FILE *file = fopen(path, "re");
	if (!file && (errno == EACCES || errno == EPERM))
		return unreadable(path, errno);
	*found = file && fgets(line, sizeof line, file) && isdigit((unsigned char)line[0]);
	if (*found)
		set(ret, strtoull(line, NULL, 10));
	return NULL;
}

struct prof_error *prof_counter_tracepoint_find(
	const char *name, struct prof_counter_entry *ret, bool *found)
{
	struct prof_error *why;

	*found = false;
	if (!is_name(name))
		return NULL;
	const char *events = find_place(&why);
	return events ? prof_counter_tracepoint_find_in(events, name, ret, found) : why;
}

/* Adds the tracepoints of GROUP. */
static struct prof_error *list_group(
	const char *events, const char *group, struct prof_counter_list *list)
{
	char path[PATH_LENGTH];
	const struct dirent *entry;

	snprintf(path, sizeof path, "%s/%s", events, group);
	PROF_AUTO(close_folder) DIR *folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		char name[2 * sizeof entry->d_name];
		if (entry->d_name[0] == '.' || entry->d_type != DT_DIR)
			continue;
		snprintf(name, sizeof name, "%s:%s", group, entry->d_name);
		struct prof_counter_entry *added =
			prof_counter_list_add(list, PROF_COUNTER_TRACEPOINT, name, NULL, NULL);
		if (!added)
			return prof_error_nomem();
		set(added, 0);
	}
	return NULL;
}

static int by_name(const void *one, const void *other)
{
	const struct prof_counter_entry *left = one, *right = other;

	return strcmp(left->counter.name, right->counter.name);
}

struct prof_error *prof_counter_tracepoint_list_in(
	const char *events, struct prof_counter_list *list)
{
	size_t first = list->entries.count;
	struct prof_error *error = NULL;
	const struct dirent *entry;

	PROF_AUTO(close_folder) DIR *folder = opendir(events);
	if (!folder)
		return NULL;
	/* The group ftrace belongs to the kernel's tracer: it cannot be sampled. */
	while (!error && (entry = readdir(folder))) {
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR &&
			strcmp(entry->d_name, "ftrace") != 0)
			error = list_group(events, entry->d_name, list);
	}
	if (list->entries.count > first)
		qsort(list->entries.items + first, list->entries.count - first,
			sizeof *list->entries.items, by_name);
	return error;
}

struct prof_error *prof_counter_tracepoint_list(struct prof_counter_list *list)
{
	const char *events = find_place(&list->missing[PROF_COUNTER_TRACEPOINT]);

	return events ? prof_counter_tracepoint_list_in(events, list) : NULL;
}
