/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/maps.h"

#include "base/file.h"
#include "base/ranges.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

void prof_maps_deinit(struct prof_maps *maps)
{
	for (size_t i = 0; i < maps->mappings.count; i++)
		free(maps->mappings.items[i].path);
	free(maps->mappings.items);
	*maps = (struct prof_maps){0};
}

#define AUTO_MAPS PROF_AUTO(prof_maps_deinit)

/* Reads the file PATH, and puts a NUL after it. */
static struct prof_error *read_text(const char *path, char **ret)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	PROF_ARRAY(char) text = {0};
	ssize_t got = -1;

	while (fd >= 0 && prof_array_reserve(&text, 4096)) {
		got = read(fd, text.items + text.count, text.capacity - text.count - 1);
		if (got <= 0)
			break;
		text.count += got;
	}
	if (got) {
		free(text.items);
		return prof_file_unreadable(path);
	}
	text.items[text.count] = '\0';
	*ret = text.items;
	return NULL;
}

struct prof_error *prof_maps_text(pid_t pid, char **ret)
{
	AUTO_FREE char *path = NULL;

	if (asprintf(&path, "/proc/%d/maps", (int)pid) < 0) {
		path = NULL;
		return prof_error_nomem();
	}
	return read_text(path, ret);
}

struct prof_error *prof_maps_read(struct prof_maps *maps, pid_t pid)
{
	AUTO_FREE char *text = NULL;
	struct prof_error *error = prof_maps_text(pid, &text);

	return error ? error : prof_maps_parse(maps, text);
}

/*
 * Reads the number in BASE at *TEXT; the character END must follow, and *TEXT is advanced behind
 * it.
 */
static bool parse_number(const char **text, int base, char end, uint64_t *ret)
{
	char *stop;

	/* strtoull() would accept a sign, and spaces beyond the end of the line. */
	if (!isxdigit((unsigned char)**text))
		return false;
	errno = 0;
	*ret = strtoull(*text, &stop, base);
	if (errno || *stop != end)
		return false;
	*text = stop + 1;
	return true;
}

/*
 * The numbers of the line TEXT, and where its path begins in *PATH:
 *
 *	7f1bf1eeb000-7f1bf2041000 r-xp 00026000 fe:00 332835          /usr/lib/libc.so.6
 */
static bool parse_line(
	const char *text, struct prof_mapping *mapping, bool *executable, const char **path)
{
	uint64_t device_major, device_minor;

	if (!parse_number(&text, 16, '-', &mapping->low) ||
		!parse_number(&text, 16, ' ', &mapping->high) || strcspn(text, " \n") != 4)
		return false;
	*executable = text[2] == 'x';
	text += 4;
	if (*text++ != ' ' || !parse_number(&text, 16, ' ', &mapping->offset) ||
		!parse_number(&text, 16, ':', &device_major) ||
		!parse_number(&text, 16, ' ', &device_minor))
		return false;
	/* A line without a path can end right after the last number. */
	size_t digits = strspn(text, "0123456789");
	if (!digits || !strchr(" \n", text[digits]))
		return false;
	errno = 0;
	mapping->inode = strtoull(text, NULL, 10);
	mapping->device = makedev(device_major, device_minor);
	text += digits;
	*path = text + strspn(text, " ");
	return !errno && mapping->low < mapping->high;
}

/* Is an executable mapping with that PATH kept?  *PATH and *LENGTH become its name. */
static bool adopt_path(const char **path, size_t *length)
{
	static const char deleted[] = " (deleted)";
	const size_t suffix = sizeof deleted - 1;

	if (*length > suffix && !memcmp(*path + *length - suffix, deleted, suffix))
		*length -= suffix;
	if (!*length || **path != '[')
		return true;
	/* The kernel executes nothing of ours in [vsyscall], and reading it fails. */
	if (*length == strlen("[vsyscall]") && !memcmp(*path, "[vsyscall]", *length))
		return false;
	if (*length != strlen("[vdso]") || memcmp(*path, "[vdso]", *length))
		*length = 0;
	return true;
}

/*
 * Adds MAPPING with the path of LENGTH bytes at PATH.  The kernel may list a place twice if
 * mappings are joined during the reading: the first mapping stays as it is.
 */
static bool add_mapping(
	struct prof_maps *maps, struct prof_mapping mapping, const char *path, size_t length)
{
	size_t count = maps->mappings.count;
	uint64_t above = count ? maps->mappings.items[count - 1].high : 0;

	if (mapping.high <= above)
		return true;
	if (mapping.low < above) {
		mapping.offset += above - mapping.low;
		mapping.low = above;
	}
	mapping.path = strndup(path, length);
	if (!mapping.path)
		return false;
	struct prof_mapping *added = prof_array_push(&maps->mappings);
	if (!added) {
		free(mapping.path);
		return false;
	}
	*added = mapping;
	return true;
}

struct prof_error *prof_maps_parse(struct prof_maps *maps, const char *text)
{
	AUTO_MAPS struct prof_maps found = {0};
	unsigned number = 0;

	for (const char *next; *text; text = next) {
		size_t line = strcspn(text, "\n");
		struct prof_mapping mapping = {0};
		bool executable;
		const char *path;

		number++;
		next = text + line + (text[line] == '\n');
		if (!parse_line(text, &mapping, &executable, &path))
			return prof_error_create(PROF_ERROR_DAMAGED,
				"Line %u of the memory map is not a mapping: \"%.*s\".", number,
				(int)(line < 80 ? line : 80), text);
		size_t length = text + line - path;
		if (executable && adopt_path(&path, &length) &&
			!add_mapping(&found, mapping, path, length))
			return prof_error_nomem();
	}
	prof_maps_deinit(maps);
	*maps = found;
	found = (struct prof_maps){0};
	return NULL;
}

/* Inserts MAPPING, with a copy of its path, at the place AT. */
static bool insert(struct prof_maps *maps, size_t at, const struct prof_mapping *mapping)
{
	char *path = strdup(mapping->path);

	if (!path || !prof_array_reserve(&maps->mappings, 1)) {
		free(path);
		return false;
	}
	struct prof_mapping *place = &maps->mappings.items[at];
	memmove(place + 1, place, (maps->mappings.count - at) * sizeof *place);
	*place = *mapping;
	place->path = path;
	maps->mappings.count++;
	return true;
}

struct prof_error *prof_maps_copy(struct prof_maps *to, const struct prof_maps *from)
{
	for (size_t i = 0; i < from->mappings.count; i++) {
		if (!insert(to, i, &from->mappings.items[i])) {
			prof_maps_deinit(to);
			return prof_error_nomem();
		}
	}
	return NULL;
}

/* Removes what lies between LOW and HIGH from MAPS. */
static bool cut(struct prof_maps *maps, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < maps->mappings.count;) {
		struct prof_mapping *mapping = &maps->mappings.items[i];
		struct prof_mapping above = *mapping;
		if (mapping->high <= low || mapping->low >= high) {
			i++;
			continue;
		}
		above.low = high;
		above.offset += high - mapping->low;
		if (mapping->high > high && !insert(maps, i + 1, &above))
			return false;
		mapping = &maps->mappings.items[i];
		if (mapping->low < low) {
			mapping->high = low;
			i++;
			continue;
		}
		free(mapping->path);
		memmove(mapping, mapping + 1, (--maps->mappings.count - i) * sizeof *mapping);
	}
	return true;
}

struct prof_error *prof_maps_map(struct prof_maps *maps, const struct prof_mapping *mapping)
{
	const char *path = mapping->path;
	size_t length = strlen(path);
	bool shared = !strncmp(path, "//", strlen("//"));
	bool kept = !shared && adopt_path(&path, &length);
	AUTO_FREE char *name = strndup(path, kept ? length : 0);
	struct prof_mapping added = *mapping;

	added.path = name;
	if (!name || !cut(maps, mapping->low, mapping->high) ||
		!insert(maps,
			prof_ranges_below(maps->mappings.items, maps->mappings.count,
				sizeof *maps->mappings.items, mapping->low),
			&added))
		return prof_error_nomem();
	return NULL;
}

const struct prof_mapping *prof_maps_find(const struct prof_maps *maps, uint64_t address)
{
	return prof_ranges_find(
		maps->mappings.items, maps->mappings.count, sizeof *maps->mappings.items, address);
}

uint64_t prof_maps_vdso_end(const struct prof_maps *maps)
{
	for (size_t i = 0; i < maps->mappings.count; i++) {
		if (!strcmp(maps->mappings.items[i].path, "[vdso]"))
			return maps->mappings.items[i].high;
	}
	return 0;
}

bool prof_maps_has(const struct prof_maps *maps, uint64_t address, const char *path)
{
	const struct prof_mapping *mapping = prof_maps_find(maps, address);

	return mapping && !strcmp(mapping->path, path);
}

bool prof_maps_generated(const struct prof_maps *maps, const uint64_t *addresses, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct prof_mapping *mapping = prof_maps_find(maps, addresses[i]);
		if (!mapping || !*mapping->path)
			return true;
	}
	return false;
}
