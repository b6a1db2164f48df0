/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"

#include "experiment_support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>

/* The number of entries of this directory. */
static int entries(void)
{
	DIR *directory = opendir(".");
	int count = -2; /* "." and ".." */

	ck_assert_ptr_nonnull(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count;
}

static void assert_holds(const char *path, const char *expected, size_t length)
{
	size_t found;
	AUTO_FREE char *bytes = read_bytes(path, &found);

	ck_assert_uint_eq(found, length);
	ck_assert_mem_eq(bytes, expected, length);
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	return status.st_mode & 07777;
}

START_TEST(writes_all_bytes)
{
	enter_scratch();
	ck_assert_ok(prof_file_write("new", "a\0b\n", 4));
	assert_holds("new", "a\0b\n", 4);
	ck_assert_ok(prof_file_write("empty", NULL, 0));
	assert_holds("empty", "", 0);
	ck_assert_int_eq(entries(), 2);
}
END_TEST

START_TEST(replaces_what_was_there)
{
	enter_scratch();
	write_text("file", "a longer text", 13);
	/* Who has it open goes on with the old one: it is not written to. */
	AUTO_CLOSE int old = open("file", O_RDONLY);
	char bytes[32];

	ck_assert_ok(prof_file_write("file", "new", 3));
	assert_holds("file", "new", 3);
	ck_assert_int_eq(read(old, bytes, sizeof bytes), 13);
	ck_assert_mem_eq(bytes, "a longer text", 13);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(mode_is_kept)
{
	enter_scratch();
	umask(027);
	ck_assert_ok(prof_file_write("new", "x", 1));
	ck_assert_uint_eq(mode_of("new"), 0640);
	/* Asking for the mask must not change it. */
	ck_assert_uint_eq(umask(027), 027);

	chmod("new", 0604);
	ck_assert_ok(prof_file_write("new", "y", 1));
	ck_assert_uint_eq(mode_of("new"), 0604);
}
END_TEST

START_TEST(full_disk_leaves_the_old_file)
{
	static char bytes[100000];
	struct rlimit limit = {4096, 4096};

	enter_scratch();
	write_text("file", "old", 3);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_error(prof_file_write("file", bytes, sizeof bytes), PROF_ERROR_SYSTEM, "\"file\"");
	assert_holds("file", "old", 3);
	assert_error(prof_file_write("new", bytes, sizeof bytes), PROF_ERROR_SYSTEM, "\"new\"");
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(guard_leaves_signals_as_they_were)
{
	sigset_t before, after, pending;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	for (int blocked = 0; blocked < 2; blocked++) {
		struct prof_file_guard guard = prof_file_guard();
		pthread_kill(pthread_self(), SIGXFSZ);
		prof_file_unguard(&guard);
		sigpending(&pending);
		ck_assert(!sigismember(&pending, SIGXFSZ));
		pthread_sigmask(SIG_BLOCK, NULL, &after);
		ck_assert_int_eq(sigismember(&after, SIGXFSZ), blocked);
		sigaddset(&before, SIGXFSZ);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	/* One that was there before is the host's. */
	pthread_kill(pthread_self(), SIGXFSZ);
	struct prof_file_guard guard = prof_file_guard();
	prof_file_unguard(&guard);
	sigpending(&pending);
	ck_assert(sigismember(&pending, SIGXFSZ));
}
END_TEST

START_TEST(missing_directory_is_an_error)
{
	enter_scratch();
	assert_error(prof_file_write("none/file", "x", 1), PROF_ERROR_SYSTEM,
		"\"none/file\" cannot be written: No such file");
	assert_error(prof_file_write("", "x", 1), PROF_ERROR_SYSTEM, "cannot be written");
	ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(directory_is_not_replaced)
{
	enter_scratch();
	ck_assert_int_eq(mkdir("place", 0700), 0);
	assert_error(prof_file_write("place", "x", 1), PROF_ERROR_SYSTEM, "Is a directory");
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(pipe_that_nobody_reads_does_not_block)
{
	enter_scratch();
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	assert_error(prof_file_write("pipe", "x", 1), PROF_ERROR_SYSTEM, "\"pipe\"");
	ck_assert_int_eq(entries(), 1);
}
END_TEST

enum { MUCH = 1000000 };

static void *read_slowly(void *path)
{
	static char bytes[7000];
	size_t total = 0;
	AUTO_CLOSE int fd = open(path, O_RDONLY);

	for (ssize_t length; (length = read(fd, bytes, sizeof bytes)) > 0;) {
		total += (size_t)length;
		usleep(100);
	}
	return (void *)total;
}

/* More than a pipe holds at a time. */
START_TEST(pipe_gets_all_however_slowly_it_is_read)
{
	static char bytes[MUCH];
	char path[] = "pipe";
	pthread_t reader;
	void *total;

	enter_scratch();
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	/* So that the writer does not come too soon. */
	AUTO_CLOSE int both = open(path, O_RDWR);
	pthread_create(&reader, NULL, read_slowly, path);
	ck_assert_ok(prof_file_write(path, bytes, sizeof bytes));
	close(both);
	both = -1;
	pthread_join(reader, &total);
	ck_assert_uint_eq((size_t)total, MUCH);
	ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(device_is_written_to)
{
	ck_assert_ok(prof_file_write("/dev/null", "x", 1));
	assert_error(prof_file_write("/dev/full", "x", 1), PROF_ERROR_SYSTEM, "No space left");
}
END_TEST

START_TEST(directory_without_permission_is_an_error)
{
	enter_scratch();
	ck_assert_int_eq(mkdir("place", 0700), 0);
	write_text("place/file", "old", 3);
	chmod("place", 0500);
	chmod(".", 0755);
	if (!getuid())
		ck_assert_int_eq(seteuid(65534), 0);
	struct prof_error *error = prof_file_write("place/file", "new", 3);
	if (!getuid())
		ck_assert_int_eq(seteuid(0), 0);
	chmod("place", 0700);
	assert_error(error, PROF_ERROR_SYSTEM, "Permission denied");
	assert_holds("place/file", "old", 3);
}
END_TEST

START_TEST(what_a_link_leads_to_is_replaced)
{
	struct stat status;

	enter_scratch();
	write_text("file", "old", 3);
	ck_assert_int_eq(symlink("file", "link"), 0);
	ck_assert_ok(prof_file_write("link", "new", 3));
	assert_holds("file", "new", 3);
	ck_assert_int_eq(lstat("link", &status), 0);
	ck_assert(S_ISLNK(status.st_mode));
	ck_assert_int_eq(entries(), 2);
}
END_TEST

START_TEST(base_names_follow_the_last_slash)
{
	ck_assert_str_eq(prof_file_base_name("/lib/libc.so.6"), "libc.so.6");
	ck_assert_str_eq(prof_file_base_name("plain"), "plain");
	ck_assert_str_eq(prof_file_base_name("folder/"), "folder/");
	ck_assert_str_eq(prof_file_base_name(""), "");
}
END_TEST

START_TEST(file_is_the_same_by_all_its_names)
{
	enter_scratch();
	write_text("file", "a", 1);
	write_text("copy", "a", 1);
	ck_assert_int_eq(symlink("file", "link"), 0);
	ck_assert(prof_file_is_same("./link", "file"));
	ck_assert(!prof_file_is_same("copy", "file"));
	ck_assert(!prof_file_is_same("none", "none"));
}
END_TEST

START_TEST(file_is_written_while_it_is_open_for_that)
{
	enter_scratch();
	int fd = open("file", O_RDWR | O_CREAT, 0666);
	ck_assert(prof_file_is_written("file"));
	close(fd);
	ck_assert(!prof_file_is_written("file"));
	fd = open("file", O_RDONLY);
	ck_assert(!prof_file_is_written("file"));
	close(fd);
	ck_assert(!prof_file_is_written("none"));
}
END_TEST

START_TEST(next_file_has_a_number_above_all_others)
{
	static const char *const others[] = {
		"prog.2", "prog.10", "prog.11x", "prog.012", "prog.", "program.99", "prog.0"};
	AUTO_FREE char *first = NULL;
	AUTO_FREE char *next = NULL;

	enter_scratch();
	ck_assert_ok(prof_file_next(".", "prog", &first));
	ck_assert_str_eq(first, "./prog.1");
	for (size_t i = 0; i < PROF_COUNT(others); i++)
		write_text(others[i], "", 0);
	ck_assert_ok(prof_file_next(".", "prog", &next));
	ck_assert_str_eq(next, "./prog.11");
}
END_TEST

START_TEST(next_file_needs_a_folder)
{
	char *path = NULL;

	enter_scratch();
	AUTO_ERROR struct prof_error *error = prof_file_next("nowhere", "prog", &path);
	ck_assert_ptr_nonnull(error);
	ck_assert_ptr_nonnull(strstr(prof_error_message(error), "\"nowhere\""));
	ck_assert_ptr_null(path);
}
END_TEST

/* Opens a file with LIMIT descriptors allowed, while all below BUSY are taken, to be kept. */
static int keep_one(rlim_t limit, int busy)
{
	struct rlimit before;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	const struct rlimit now = {limit, before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &now), 0);
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, busy);
	ck_assert_int_ge(moved, busy);
	close(fd);
	errno = 0;
	fd = prof_file_keep(moved);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	return fd;
}

START_TEST(what_is_kept_open_is_out_of_the_way)
{
	int fd = keep_one(4096, 20);

	/* No host has these in its sets. */
	ck_assert_int_ge(fd, FD_SETSIZE);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	fd = keep_one(64, 20);
	ck_assert_int_eq(fd, 20);
	close(fd);
	/* The host may need the rest. */
	ck_assert_int_eq(keep_one(64, 40), -1);
	ck_assert_int_eq(errno, EMFILE);
	ck_assert_int_eq(fcntl(40, F_GETFD), -1);
	ck_assert_int_eq(prof_file_keep(-1), -1);
}
END_TEST

/* Sentences of the same form, whatever the file is. */
START_TEST(damage_is_an_error_that_names_the_file_and_what_is_wrong)
{
	AUTO_ERROR struct prof_error *damaged =
		prof_file_damaged("experiment", "x.prof", "row %d of %s is wrong", 3, "sample");
	AUTO_ERROR struct prof_error *mistaken =
		prof_file_mistaken("x", "a gmon.out", "it does not begin as one");

	ck_assert_int_eq(prof_error_code(damaged), PROF_ERROR_DAMAGED);
	ck_assert_str_eq(prof_error_message(damaged),
		"The experiment \"x.prof\" is damaged: row 3 of sample is wrong.");
	ck_assert_int_eq(prof_error_code(mistaken), PROF_ERROR_DAMAGED);
	ck_assert_str_eq(prof_error_message(mistaken),
		"The file \"x\" is not a gmon.out: it does not begin as one.");
}
END_TEST

RUN_TESTS("base_file", damage_is_an_error_that_names_the_file_and_what_is_wrong,
	what_is_kept_open_is_out_of_the_way, writes_all_bytes, replaces_what_was_there,
	mode_is_kept, full_disk_leaves_the_old_file, guard_leaves_signals_as_they_were,
	missing_directory_is_an_error, directory_is_not_replaced,
	pipe_that_nobody_reads_does_not_block, pipe_gets_all_however_slowly_it_is_read,
	device_is_written_to, what_a_link_leads_to_is_replaced,
	directory_without_permission_is_an_error, base_names_follow_the_last_slash,
	file_is_the_same_by_all_its_names, file_is_written_while_it_is_open_for_that,
	next_file_has_a_number_above_all_others, next_file_needs_a_folder)
