/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/perf_map.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/search.h"
#include "target/procfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In place of a function's number. */
static const uint32_t NONE = UINT32_MAX;

struct function {
	uint64_t low, high; /* its first address, and the one after its last */
	size_t name;        /* offset of its name in names, which move as they grow */
};

/*
 * The address space is cut wherever a function begins or ends.  A part begins at a point, and ends
 * at the next one.
 */
struct prof_perf_map {
	PROF_ARRAY(struct function) functions; /* in the order of their lines */
	PROF_ARRAY(char) names;
	size_t count;     /* of points */
	uint64_t *points; /* ascending, each once */
	uint32_t *owners; /* for each point the function that has its part, or NONE */
};

static bool read_number(const char **text, uint64_t *ret)
{
	char *end;

	/* strtoull() would take a blank or a sign. */
	if (!isxdigit((unsigned char)**text))
		return false;
	*ret = strtoull(*text, &end, 16);
	if (*end != ' ')
		return false;
	*text = end + 1;
	return true;
}

/* Adds the function of the line TEXT, if it is whole and has one. */
static struct prof_error *add_line(struct prof_perf_map *map, const char *text)
{
	const char *end = text + strcspn(text, "\r\n");
	struct function function = {.name = map->names.count};
	uint64_t size;

	if (!*end || !read_number(&text, &function.low) || !read_number(&text, &size) ||
		text == end || !size || function.low > UINT64_MAX - size)
		return NULL;
	function.high = function.low + size;
	size_t length = (size_t)(end - text);
	if (!prof_array_reserve(&map->names, length + 1) || !prof_array_reserve(&map->functions, 1))
		return prof_error_nomem();
	memcpy(map->names.items + map->names.count, text, length);
	map->names.count += length;
	map->names.items[map->names.count++] = '\0';
	map->functions.items[map->functions.count++] = function;
	return NULL;
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Finds the points. */
static struct prof_error *cut(struct prof_perf_map *map)
{
	size_t count = map->functions.count * 2;

	map->points = malloc((count + 1) * sizeof *map->points);
	map->owners = malloc((count + 1) * sizeof *map->owners);
	if (!map->points || !map->owners)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		const struct function *function = &map->functions.items[i / 2];
		map->points[i] = i % 2 ? function->high : function->low;
	}
	qsort(map->points, count, sizeof *map->points, compare);
	for (size_t i = 0; i < count; i++) {
		if (map->count && map->points[map->count - 1] == map->points[i])
			continue;
		map->owners[map->count] = NONE;
		map->points[map->count++] = map->points[i];
	}
	/* No function begins or ends behind it. */
	map->points[map->count] = UINT64_MAX;
	return NULL;
}

/* The first part from AT on that has no owner yet; NEXT leads there from those that have one. */
static uint32_t find_free(uint32_t *next, uint32_t at)
{
	uint32_t found = at;

	while (next[found] != found)
		found = next[found];
	/* The next search is shorter. */
	while (next[at] != found) {
		uint32_t behind = next[at];
		next[at] = found;
		at = behind;
	}
	return found;
}

/* Gives each function, the newest first, those of its parts that no newer one has. */
static struct prof_error *share(struct prof_perf_map *map)
{
	AUTO_FREE uint32_t *next = malloc((map->count + 1) * sizeof *next);

	if (!next)
		return prof_error_nomem();
	for (size_t i = 0; i <= map->count; i++)
		next[i] = (uint32_t)i;
	for (size_t i = map->functions.count; i-- > 0;) {
		const struct function *function = &map->functions.items[i];
		size_t first;
		PROF_SEARCH(first, map->count, at, map->points[at] < function->low);
		uint32_t part = find_free(next, (uint32_t)first);
		for (; map->points[part] < function->high; part = find_free(next, part)) {
			map->owners[part] = (uint32_t)i;
			next[part] = part + 1;
		}
	}
	return NULL;
}

static struct prof_error *read_lines(struct prof_perf_map *map, FILE *file)
{
	AUTO_FREE char *text = NULL;
	struct prof_error *error = NULL;
	size_t room = 0;

	while (!error && getline(&text, &room, file) > 0)
		error = add_line(map, text);
	if (!error)
		error = cut(map);
	return error ? error : share(map);
}

/* Reads FD, which it closes: the file PATH. */
static struct prof_error *read_file(int fd, const char *path, struct prof_perf_map **ret)
{
	FILE *file = fdopen(fd, "r");

	if (!file) {
		close(fd);
		return prof_file_unreadable(path);
	}
	struct prof_perf_map *map = calloc(1, sizeof *map);
	struct prof_error *error = map ? read_lines(map, file) : prof_error_nomem();
	fclose(file);
	if (error) {
		prof_perf_map_destroy(map);
		return error;
	}
	*ret = map;
	return NULL;
}

struct prof_error *prof_perf_map_read(const char *path, struct prof_perf_map **ret)
{
	int fd;
	struct prof_error *error = prof_file_open(path, NULL, &fd);

	return error ? error : read_file(fd, path, ret);
}

/* The id that PROCESS has for itself, in the innermost of its namespaces. */
static pid_t own_id(pid_t process)
{
	static const char field[] = "\nNSpid:";
	char text[PROF_PROCFS_STATUS];
	pid_t id = process;

	if (!prof_procfs_read(process, 0, "status", text, sizeof text))
		return process;
	char *at = strstr(text, field);
	if (!at)
		return process;
	at += strlen(field);
	at[strcspn(at, "\n")] = '\0';
	for (char *rest = strtok_r(at, " \t", &at); rest; rest = strtok_r(NULL, " \t", &at))
		id = (pid_t)strtol(rest, NULL, 10);
	return id;
}

/*
 * Opens the file PATH.  Negative: it cannot be opened, or is neither of the user of PROCESS, nor of
 * the user of this process, nor root's.
 */
static int open_map(const char *path, pid_t process, uint64_t *size)
{
	char folder[64];
	struct stat map, owner;
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &map) || !S_ISREG(map.st_mode))
		return -1;
	snprintf(folder, sizeof folder, "/proc/%d", process);
	bool its = !stat(folder, &owner) && owner.st_uid == map.st_uid;
	if (!its && map.st_uid && map.st_uid != geteuid())
		return -1;
	int opened = fd;
	*size = (uint64_t)map.st_size;
	fd = -1;
	return opened;
}

struct prof_error *prof_perf_map_of(pid_t process, uint64_t most, struct prof_perf_map **ret)
{
	char path[128];
	uint64_t size;

	*ret = NULL;
	/* In a container the process has its own /tmp. */
	snprintf(path, sizeof path, "/proc/%d/root/tmp/perf-%d.map", process, own_id(process));
	int fd = open_map(path, process, &size);
	if (fd < 0) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", process);
		fd = open_map(path, process, &size);
	}
	if (fd < 0)
		return NULL;
	if (size < most)
		return read_file(fd, path, ret);
	close(fd);
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"The functions that \"%s\" lists stay without names, because the file has %" PRIu64
		" MiB or more.",
		path, most >> 20);
}

void prof_perf_map_destroy(struct prof_perf_map *map)
{
	if (!map)
		return;
	free(map->functions.items);
	free(map->names.items);
	free(map->points);
	free(map->owners);
	free(map);
}

const char *prof_perf_map_find(const struct prof_perf_map *map, uint64_t address, uint64_t *low)
{
	size_t below;

	PROF_SEARCH(below, map->count, at, map->points[at] <= address);
	if (!below || map->owners[below - 1] == NONE)
		return NULL;
	const struct function *function = &map->functions.items[map->owners[below - 1]];
	*low = function->low;
	return map->names.items + function->name;
}
