/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `make fuzz' starts from, and what it has found, read again. */
#include "experiment_support.h"
#include "formats/import.h"

#include <dirent.h>

/* The folder NAME in tests/fuzz, in BUFFER. */
static const char *folder(const char *name, char buffer[4096])
{
	const char *slash = strrchr(__FILE__, '/');

	snprintf(buffer, 4096, "%.*s../../fuzz/%s", (int)(slash + 1 - __FILE__), __FILE__, name);
	return buffer;
}

/* Reads PATH by READER. */
static void read_file(const struct prof_import *reader, const char *path, bool good)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_error *error = reader->read(path, NULL, &experiment);

	if (good)
		ck_assert_ok(error);
	if (!error)
		prof_experiment_check(experiment);
	else
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), path));
	prof_error_destroy(error);
}

/* Reads all files in KIND/READER.  How many are there? */
static int read_folder(const struct prof_import *reader, const char *kind, bool good)
{
	char name[64], path[4096];
	int count = 0;

	snprintf(name, sizeof name, "%s/%s", kind, reader->name);
	folder(name, path);
	size_t length = strlen(path);
	DIR *files = opendir(path);
	for (struct dirent *file; files && (file = readdir(files));) {
		if (file->d_name[0] == '.')
			continue;
		snprintf(path + length, sizeof path - length, "/%s", file->d_name);
		read_file(reader, path, good);
		count++;
	}
	if (files)
		closedir(files);
	return count;
}

START_TEST(each_reader_has_a_corpus_that_it_reads)
{
	for (const struct prof_import *reader = prof_imports; reader->name; reader++) {
		if (strcmp(reader->name, "experiment") != 0)
			ck_assert_msg(read_folder(reader, "corpus", true) > 0,
				"There is no corpus for %s.", reader->name);
	}
}
END_TEST

/* Each reader meets the files of all others, too. */
START_TEST(what_was_found_breaks_no_reader)
{
	char path[4096];
	int count = 0;

	for (const struct prof_import *reader = prof_imports; reader->name; reader++) {
		for (const struct prof_import *other = prof_imports; other->name; other++) {
			const struct prof_import both = {other->name, "", NULL, reader->read};
			count += read_folder(&both, "corpus", false);
			count += read_folder(&both, "regressions", false);
		}
	}
	ck_assert_msg(count > 20, "%s has no files.", folder("corpus", path));
}
END_TEST

RUN_TESTS(
	"experiment_fuzz", each_reader_has_a_corpus_that_it_reads, what_was_found_breaks_no_reader)
