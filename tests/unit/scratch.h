/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An empty folder of a test's own, and files in it. */
#ifndef PROF_TESTS_SCRATCH_H
#define PROF_TESTS_SCRATCH_H

#include "suite.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

static void leave_scratch(void)
{
	nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Goes to an empty folder, which goes when the test does. */
static inline void enter_scratch(void)
{
	strcpy(scratch, "/tmp/prof-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(scratch));
	ck_assert_int_eq(chdir(scratch), 0);
	atexit(leave_scratch);
}

/* Writes TEXT into the new file PATH of the folder, and makes the folders above it. */
static inline void put_file(const char *path, const char *text)
{
	char whole[256];

	snprintf(whole, sizeof whole, "%s", path);
	for (char *slash = strchr(whole, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ck_assert(!mkdir(whole, 0700) || errno == EEXIST);
		*slash = '/';
	}
	FILE *file = fopen(whole, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

#endif
