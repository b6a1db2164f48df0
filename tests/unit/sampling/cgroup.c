/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cgroup.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that looks like a group with one below it; and what was visited. */
static struct {
	char folder[64];
	int found[8];
	size_t count;
} scene;

static void write_text(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", scene.folder, name);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void make_folder(const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", scene.folder, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void remove_all(void)
{
	static const char *const names[] = {"below/deeper/cgroup.procs", "below/deeper",
		"below/cgroup.procs", "below", "cgroup.procs", "."};
	char path[128];

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		snprintf(path, sizeof path, "%s/%s", scene.folder, names[i]);
		remove(i + 1 < PROF_COUNT(names) ? path : scene.folder);
	}
}

static void make_group(void)
{
	strcpy(scene.folder, "/tmp/cgroup.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(scene.folder));
	make_folder("below");
	make_folder("below/deeper");
	write_text("cgroup.procs", "11\n0\n12\n");
	write_text("below/cgroup.procs", "");
	write_text("below/deeper/cgroup.procs", "13\nrest");
}

static void visit(void *context, pid_t process)
{
	ck_assert_ptr_eq(context, &scene);
	ck_assert_uint_lt(scene.count, PROF_COUNT(scene.found));
	scene.found[scene.count++] = process;
}

START_TEST(processes_of_groups_below_are_visited)
{
	make_group();
	ck_assert(prof_cgroup_processes(scene.folder, visit, &scene));
	remove_all();
	ck_assert_uint_eq(scene.count, 3);
	ck_assert_int_eq(scene.found[0], 11);
	ck_assert_int_eq(scene.found[1], 12);
	ck_assert_int_eq(scene.found[2], 13);
	ck_assert(!prof_cgroup_processes(scene.folder, visit, &scene));
}
END_TEST

START_TEST(a_folder_is_found)
{
	AUTO_FREE char *found = NULL;

	make_group();
	struct prof_error *error = prof_cgroup_find(scene.folder, &found);
	remove_all();
	ck_assert_ok(error);
	ck_assert_str_eq(found, scene.folder);
}
END_TEST

START_TEST(what_is_no_group_is_refused)
{
	static const char *const names[] = {
		"", "/", "/tmp", "no-such.service", "a/b", "/no-such.slice/a.service", ".."};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		char *found = NULL;
		struct prof_error *error = prof_cgroup_find(names[i], &found);
		/* The root of a hierarchy is a group. */
		if (!error && !strcmp(names[i], "/")) {
			free(found);
			continue;
		}
		ck_assert_error(error, "There is no control group");
		ck_assert_ptr_null(found);
	}
}
END_TEST

/* Where the kernel lets this user make groups: by the name that a unit would have. */
START_TEST(a_unit_is_found_by_its_name)
{
	static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	char path[128], name[32], below[64];

	snprintf(name, sizeof name, "gdbprof-%d.service", (int)getpid());
	snprintf(below, sizeof below, "/%s", name);
	for (size_t i = 0; i < PROF_COUNT(roots); i++) {
		AUTO_FREE char *found = NULL, *again = NULL;
		snprintf(path, sizeof path, "%s/cgroup.controllers", roots[i]);
		if (access(path, F_OK))
			continue;
		snprintf(path, sizeof path, "%s/%s", roots[i], name);
		if (mkdir(path, 0755))
			continue;
		struct prof_error *error = prof_cgroup_find(name, &found);
		struct prof_error *other = prof_cgroup_find(below, &again);
		rmdir(path);
		ck_assert_ok(error);
		ck_assert_ok(other);
		ck_assert_str_eq(found, path);
		ck_assert_str_eq(again, path);
	}
}
END_TEST

RUN_TESTS("cgroup", processes_of_groups_below_are_visited, a_folder_is_found,
	what_is_no_group_is_refused, a_unit_is_found_by_its_name)
