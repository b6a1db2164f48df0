/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * `gdbprof record`: becomes a GDB that runs a program and records it.  The program keeps its own
 * input, output and exit status.  This file has what happens before there is a GDB.
 */
#include "shell/gdbprof.h"

#include "base/file.h"
#include "base/number_range.h"
#include "base/text.h"
#include "formats/import.h"
#include "shell/choice.h"
#include "shell/debug.h"
#include "shell/environment.h"
#include "shell/rank.h"
#include "store/store.h"
#include "target/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tells it which file the profile replaces. */
#define REPLACES "GDBPROF_REPLACES"

#define DEFAULT_OUTPUT "gdbprof.prof"

static const struct prof_option rows[] = {
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write the profile to FILE; -o FILE does so too.  The default is " DEFAULT_OUTPUT
			".  A profile that is there already becomes FILE.old as soon as the program runs; "
			"gdbprof replaces no other file.  In FILE, %r is the rank that mpirun or srun has "
			"given the process, %p the process ID, and %% a percent sign."},
	{.name = "debug-rank",
		.value = "N",
		.describe =
			"Open a session of GDB on the terminal for rank N of a parallel job, before its program runs, while the other ranks are recorded.  Type run there; the rank's profile is in FILE when GDB ends."},
	{.name = NULL},
};

enum { PROBED = 512 }; /* bytes that identify a file */

struct request {
	const char *output;
	const char *debug_rank;   /* as it was given; NULL: none */
	struct prof_text options; /* for prof-start */
	char **program;           /* and its arguments; ends with NULL */
};

/* Adds WORD, quoted for GDB, which splits commands as a shell does. */
static void add_word(struct prof_text *text, const char *word)
{
	prof_text_bytes(text, " ", 1);
	for (; *word; word++) {
		prof_text_bytes(text, "\\", strchr(" \t\n\"'\\", *word) != NULL);
		prof_text_bytes(text, word, 1);
	}
}

/*
 * Takes an option of `record` itself; returns how many ARGUMENTS it uses, 0: it is an option of
 * prof-start.
 */
static int take_own(char **arguments, struct request *request)
{
	const struct {
		const char *name;
		const char **value;
	} own[] = {
		{"-o", &request->output},
		{"--output", &request->output},
		{"--debug-rank", &request->debug_rank},
	};

	for (size_t i = 0; i < PROF_COUNT(own); i++) {
		size_t length = strlen(own[i].name);
		if (strncmp(arguments[0], own[i].name, length) != 0)
			continue;
		if (arguments[0][length] == '=')
			*own[i].value = arguments[0] + length + 1;
		else if (!arguments[0][length] && arguments[1])
			*own[i].value = arguments[1];
		else
			continue;
		return *own[i].value == arguments[1] ? 2 : 1;
	}
	return 0;
}

/* Reads the command line; ARGUMENTS ends with NULL.  Returns 0, or an exit status. */
static int read_request(char **arguments, struct request *request)
{
	while (*arguments && arguments[0][0] == '-' && strcmp(*arguments, "--") != 0) {
		int own = take_own(arguments, request);
		if (!own)
			add_word(&request->options, *arguments);
		arguments += own ? own : 1;
	}
	if (*arguments && !strcmp(*arguments, "--"))
		arguments++;
	request->program = arguments;
	if (!*arguments)
		return action_usage(&action_record, "There is no program to record.");
	if (!*request->output)
		return action_usage(&action_record, "The name of the output file is empty.");
	return 0;
}

/* Writes REQUEST's output to PATH; %r becomes the rank, %p the process ID, and %% a %. */
static struct prof_error *expand_output(const struct request *request, struct prof_text *path)
{
	struct prof_launch launch = prof_launcher_find(getenv);

	for (const char *at = request->output; *at; at++) {
		if (*at != '%') {
			prof_text_bytes(path, at, 1);
			continue;
		}
		at++;
		if (*at == '%')
			prof_text_bytes(path, at, 1);
		else if (*at == 'p')
			prof_text_print(path, "%ld", (long)getpid());
		else if (*at != 'r')
			return prof_error_create(PROF_ERROR_USAGE,
				"The output file \"%s\" has a %% that begins neither %%r, the rank, nor %%p, the process ID: write %%%% for a percent sign.",
				request->output);
		else if (!launch.launcher)
			return prof_error_create(PROF_ERROR_STATE,
				"The output file \"%s\" contains %%r, but no launcher such as mpirun has given this process a rank.",
				request->output);
		else
			prof_text_print(path, "%lld", (long long)launch.rank);
	}
	return prof_text_error(path);
}

/* Sets *RET to the path of NAME, which is looked up in PATH as a shell does. */
static struct prof_error *find_program(const char *name, struct prof_text *ret)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/')) {
		prof_text_print(ret, "%s", name);
		return prof_text_error(ret);
	}
	for (const char *from = path; from && *from;) {
		int length = (int)strcspn(from, ":");
		AUTO_TEXT struct prof_text file = {0};
		prof_text_print(&file, "%.*s%s%s", length, from, length ? "/" : "./", name);
		if (!file.failed && !access(prof_text_get(&file), X_OK)) {
			prof_text_print(ret, "%s", prof_text_get(&file));
			return prof_text_error(ret);
		}
		from += length + (from[length] == ':');
	}
	return prof_error_create(PROF_ERROR_MISSING,
		"There is no program \"%s\" in PATH: give its folder too, as in ./%s.", name, name);
}

/* Is PROGRAM a file that can be executed, and that GDB can run?  Sets *STATUS if not. */
static struct prof_error *check_program(const char *program, int *status)
{
	static const char elf[] = "\x7f"
				  "ELF";
	char head[4] = "";
	struct stat stat_of;

	*status = GDBPROF_NOT_FOUND;
	if (stat(program, &stat_of))
		return prof_error_create(PROF_ERROR_MISSING,
			"The program \"%s\" cannot be found: %s.", program, strerror(errno));
	*status = GDBPROF_NOT_EXECUTABLE;
	if (S_ISDIR(stat_of.st_mode) || access(program, X_OK))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The program \"%s\" cannot be executed: %s.", program,
			S_ISDIR(stat_of.st_mode) ? "it is a directory" : strerror(errno));
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, head, sizeof head);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && (length < (ssize_t)sizeof head || memcmp(head, elf, sizeof head)))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"\"%s\" is a script or another file that is not ELF: record its interpreter, as in \"gdbprof record -- sh %s\".",
			program, program);
	return NULL;
}

/* Writes the folder of this command, which also has the scripts, to PATH. */
static struct prof_error *find_folder(struct prof_text *path)
{
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

	if (length < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot find its own folder: /proc/self/exe: %s.", strerror(errno));
	own[length] = '\0';
	*strrchr(own, '/') = '\0';
	prof_text_print(path, "%s", own);
	return prof_text_error(path);
}

/*
 * Becomes a GDB that executes FOLDER's script for PROGRAM and its ARGUMENTS.  Returns only an
 * error, unless a launcher has started this process: then it waits for GDB, and sets *STATUS.
 */
static struct prof_error *become_gdb(
	const char *folder, const char *program, char **arguments, int *status)
{
	AUTO_TEXT struct prof_text load = {0}, script = {0};
	/* If GDB is terminated before record_end(), its exit status is no success. */
	const char *const words[] = {"gdb", "-nx", "-q", "-batch", "-iex", NULL, "-iex", NULL,
		"-return-child-result", "-ex", "python record_begin()", "-ex", "gdbprof-record-run",
		"-ex", "python record_end()", "--args"};
	size_t count = 0;

	while (arguments[count])
		count++;
	AUTO_FREE const char **all = calloc(PROF_COUNT(words) + count + 1, sizeof *all);
	prof_text_print(&load, "source %s/prof.py", folder);
	prof_text_print(&script, "source %s/record.py", folder);
	struct prof_error *error = all ? prof_text_error(&load) : prof_error_nomem();
	if (!error)
		error = prof_text_error(&script);
	if (error)
		return error;
	memcpy(all, words, sizeof words);
	all[5] = prof_text_get(&load);
	all[7] = prof_text_get(&script);
	memcpy(all + PROF_COUNT(words), arguments, count * sizeof *all);
	all[PROF_COUNT(words)] = program;
	/* A process group of its own could not read from the terminal. */
	bool becomes = !prof_launcher_find(getenv).launcher || isatty(STDIN_FILENO);
	error = becomes ? NULL : rank_split(&becomes, status);
	if (error || !becomes)
		return error;
	execvp(all[0], (char **)all);
	return prof_error_create(PROF_ERROR_SYSTEM,
		"GDB, which records the program, cannot be executed: %s.  Install gdb, or put it into PATH.",
		strerror(errno));
}

/* Is this the rank that REQUEST asks to debug? */
static struct prof_error *is_debugged(const struct request *request, bool *ret)
{
	struct prof_launch launch = prof_launcher_find(getenv);
	const char *at = request->debug_rank;
	struct prof_number_range range;

	*ret = false;
	if (!at)
		return NULL;
	if (!prof_number_range_read(&at, &range) || at || range.first != range.last)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not the number of a rank: give one, as in --debug-rank=3.",
			request->debug_rank);
	if (!launch.launcher)
		return prof_error_create(PROF_ERROR_STATE,
			"No rank can be debugged, because no launcher such as mpirun has given this process a rank: leave out --debug-rank.");
	*ret = range.first == (uint64_t)launch.rank;
	return NULL;
}

/*
 * Becomes an interactive GDB with the user's own settings, instead of one that records by itself.
 */
static struct prof_error *debug(
	const char *folder, const char *options, const char *program, char **arguments, int *status)
{
	AUTO_TEXT struct prof_text load = {0}, start = {0};
	const char *const words[] = {"gdb", "-q", "-iex", NULL, "-ex", NULL, "--args"};
	size_t count = 0;

	while (arguments[count])
		count++;
	AUTO_FREE const char **all = calloc(PROF_COUNT(words) + count + 1, sizeof *all);
	prof_text_print(&load, "source %s/prof.py", folder);
	prof_text_print(&start, "prof-start%s", options);
	struct prof_error *error = all ? prof_text_error(&load) : prof_error_nomem();
	if (!error)
		error = prof_text_error(&start);
	if (error)
		return error;
	memcpy(all, words, sizeof words);
	all[3] = prof_text_get(&load);
	all[5] = prof_text_get(&start);
	memcpy(all + PROF_COUNT(words), arguments, count * sizeof *all);
	all[PROF_COUNT(words)] = program;
	return debug_run(all, status);
}

/*
 * Tells the script whether the file PATH is an experiment: perf record keeps the old file, and so
 * does this.
 */
static struct prof_error *note_old(const char *path)
{
	char head[PROBED];
	size_t length;

	if (unsetenv(REPLACES))
		return prof_error_nomem();
	if (access(path, F_OK))
		return NULL;
	struct prof_error *error = prof_import_fill(path, head, sizeof head, &length);
	/* If it is not an experiment, prof-start refuses to replace it. */
	if (error || !prof_store_probe(head, length))
		return error;
	if (prof_file_is_written(path))
		return prof_error_create(PROF_ERROR_STATE,
			"The profile \"%s\" cannot be replaced, because another process writes it: give each process a file of its own, as by %%p in its name.",
			path);
	return setenv(REPLACES, path, 1) ? prof_error_nomem() : NULL;
}

/* Does everything before GDB; sets *STATUS if it fails. */
static struct prof_error *record(struct request *request, int *status)
{
	AUTO_TEXT struct prof_text program = {0}, output = {0}, folder = {0};
	AUTO_TEXT struct prof_text option = {0}, options = {0};

	*status = GDBPROF_NOT_RECORDED;
	struct prof_error *error = expand_output(request, &output);
	if (!error) {
		prof_text_print(&option, "--output=%s", prof_text_get(&output));
		add_word(&options, prof_text_get(&option));
		prof_text_print(&options, "%s", prof_text_get(&request->options));
		error = prof_text_error(&options);
	}
	if (!error)
		error = find_folder(&folder);
	*status = error ? *status : GDBPROF_NOT_FOUND;
	if (!error)
		error = find_program(*request->program, &program);
	if (!error)
		error = check_program(prof_text_get(&program), status);
	if (error)
		return error;
	*status = GDBPROF_NOT_RECORDED;
	bool debugged = false;
	error = prof_text_error(&request->options);
	if (!error)
		error = is_debugged(request, &debugged);
	if (!error && debugged)
		return debug(prof_text_get(&folder), prof_text_get(&options),
			prof_text_get(&program), request->program, status);
	if (!error)
		error = note_old(prof_text_get(&output));
	if (!error)
		error = environment_set(prof_text_get(&options));
	return error ? error
		     : become_gdb(prof_text_get(&folder), prof_text_get(&program), request->program,
			       status);
}

static int run(int count, char **arguments)
{
	struct request request = {.output = DEFAULT_OUTPUT};
	int status = read_request(arguments + 1, &request);

	(void)count;
	struct prof_error *error = status ? NULL : record(&request, &status);
	if (error)
		action_fail(error);
	prof_text_deinit(&request.options);
	return status;
}

static void help(char **arguments, FILE *to)
{
	AUTO_TEXT struct prof_text folder = {0};

	(void)arguments;
	struct prof_error *error = find_folder(&folder);
	if (error) {
		action_fail(error);
		return;
	}
	action_describe(
		"All other options are those of prof-start, with = before a value, as in --rate=500 --heap.",
		rows, to);
	fprintf(to,
		"\nTo list the options of prof-start:\n  gdb -batch -x %s/prof.py -ex 'help prof-start'\n",
		prof_text_get(&folder));
}

static struct prof_option *all_rows(char **arguments)
{
	(void)arguments;
	return choice_rows(rows, PROF_COUNT(rows) - 1, NULL);
}

const struct action action_record = {
	.name = "record",
	.usage = "[-o FILE] [OPTION]... [--] PROGRAM [ARGUMENT]...",
	.describe = "Run PROGRAM under GDB and record its profile.",
	.run = run,
	.help = help,
	.rows = all_rows,
	.runs = true,
};
