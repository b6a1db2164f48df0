/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/prelude.h"

#include "base/clock.h"
#include "base/file.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "recording/recorder.h"
#include "target/launcher.h"
#include "target/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * How many files GDB and gdbprof open for a program, besides those that stay open for its threads.
 */
enum { DESCRIPTORS = 20 };

enum { ENVIRONMENT = 1 << 20 }; /* bytes of a process's environment that are read */

/* Are this many descriptors left?  Without any, GDB ends, or prints warnings for ever. */
static struct prof_error *check_descriptors(void)
{
	int opened[DESCRIPTORS];
	int count = 0;

	while (count < DESCRIPTORS &&
		(opened[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
		count++;
	bool lacks = count < DESCRIPTORS && errno == EMFILE;
	int left = count;
	while (count)
		close(opened[--count]);
	if (!lacks)
		return NULL;
	return prof_error_create(PROF_ERROR_SYSTEM,
		"GDB can open only %d more files, and a recording needs %d: raise the limit with \"ulimit -n\" before GDB starts.",
		left, DESCRIPTORS);
}

struct prof_error *prelude_check(char **program)
{
	AUTO_FREE char *connection = NULL;
	struct prof_error *error = host_spare();

	if (!error)
		error = check_descriptors();
	if (!error)
		error = host_connection(&connection);
	if (!error)
		error = host_program(program);
	if (error)
		return error;
	if (!strcmp(connection, "core"))
		return prof_error_create(PROF_ERROR_STATE,
			"gdbprof cannot record a core file, because it does not run: use run or attach first.");
	return NULL;
}

struct prof_error *prelude_choose(
	const struct session_request *request, struct prof_text *why, const struct engine **engine)
{
	AUTO_FREE char *connection = NULL;
	struct prof_error *error = host_connection(&connection);

	if (error)
		return error;
	const struct engine_wish wish = {
		.name = request->engine,
		.unwinder = request->unwinder,
		.connection = connection,
		.verify = request->verify,
	};
	return engine_choose(&wish, why, engine);
}

static bool copy_text(char **to, const char *from)
{
	free(*to);
	return (*to = strdup(from));
}

/* The boot ID of the kernel, without a newline, or "". */
static void read_kernel(char *id, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || !fgets(id, (int)size, file))
		*id = '\0';
	if (file)
		fclose(file);
	id[strcspn(id, "\n")] = '\0';
}

/* Makes EXPERIMENT that of the rank that LAUNCH describes, if it describes one. */
static struct prof_error *describe_rank(
	struct prof_experiment *experiment, const struct prof_launch *launch)
{
	char host[HOST_NAME_MAX + 1] = "", kernel[64];
	struct timespec now;

	if (!launch->launcher)
		return NULL;
	gethostname(host, sizeof host - 1);
	read_kernel(kernel, sizeof kernel);
	clock_gettime(CLOCK_REALTIME, &now);
	/* The two clocks are read some ns apart. */
	int64_t since = prof_clock() - experiment->recording.start;
	const struct prof_rank_request request = {
		.rank = launch->rank,
		.size = launch->size,
		.launcher = launch->launcher,
		.job = launch->job,
		.host = host,
		.kernel = kernel,
		.monotonic = experiment->recording.start,
		.realtime = prof_clock_ns(now) - since,
	};
	return prof_rank_add(experiment, &request);
}

struct prof_error *prelude_rank(struct prof_experiment *experiment, pid_t process)
{
	if (experiment->ranks.count)
		return NULL;
	AUTO_FREE char *environment = calloc(1, ENVIRONMENT);
	if (!environment)
		return prof_error_nomem();
	bool own =
		!process || !prof_procfs_read(process, 0, "environ", environment, ENVIRONMENT - 1);
	struct prof_launch launch =
		own ? prof_launcher_find(getenv) : prof_launcher_find_in(environment);
	struct prof_error *error = describe_rank(experiment, &launch);
	/* The rank also has the threads and marks that were recorded before it was known. */
	for (size_t i = 0; i < experiment->ranks.count; i++) {
		experiment->ranks.items[i].first_thread = 0;
		experiment->ranks.items[i].first_mark = 0;
	}
	return error;
}

struct prof_error *prelude_describe(struct prof_experiment *experiment,
	const struct session_request *request, const struct engine *engine, char *program)
{
	struct prof_recording *recording = &experiment->recording;

	free(recording->program);
	recording->program = program;
	recording->date = time(NULL);
	recording->start = prof_clock();
	recording->rate_asked = engine == &engine_none ? 0 : request->rate;
	recording->rate_lowest = recording->rate_asked;
	/* The program that GDB runs has GDB's rank; a process that GDB attaches to has its own. */
	struct prof_launch launch = {0};
	if (*program && !host_process())
		launch = prof_launcher_find(getenv);
	bool copied = copy_text(&recording->engine, engine->name) &&
		copy_text(&recording->unwinder, engine->unwinder) &&
		copy_text(&recording->clock, request->clock);
	return copied ? describe_rank(experiment, &launch) : prof_error_nomem();
}

struct prof_error *prelude_name(struct prof_experiment *experiment)
{
	struct prof_recording *recording = &experiment->recording;
	AUTO_FREE char *program = NULL;

	if (*recording->program)
		return NULL;
	struct prof_error *error = host_program(&program);
	if (error)
		return error;
	free(recording->program);
	recording->program = steal(&program);
	return NULL;
}

/* The name of a file that records PROGRAM, "" if there is none yet. */
static const char *stem_of(const char *program)
{
	return *program ? prof_file_base_name(program) : "prof";
}

struct prof_error *prelude_open(const struct session_request *request,
	struct prof_experiment *experiment, struct prof_queue *queue, char **output,
	struct prof_recorder **ret)
{
	bool numbered = !*request->output && *request->store;
	struct prof_error *error = NULL;

	do {
		prof_error_destroy(error);
		free(*output);
		*output = NULL;
		error = numbered ? prof_file_next(request->store,
					   stem_of(experiment->recording.program), output)
				 : NULL;
		if (!numbered && !(*output = strdup(request->output)))
			error = prof_error_nomem();
		if (!*output)
			return error;
		error = prof_recorder_create(experiment, queue, **output ? *output : NULL, ret);
		/* Another process may have taken the name meanwhile. */
	} while (error && numbered && !access(*output, F_OK));
	return error;
}

void prelude_say(
	struct prof_text *text, const struct session_request *request, const struct engine *engine)
{
	AUTO_TEXT struct prof_text sources = {0};

	collector_choices_sources(&request->choices, &sources);
	bool counted = sources.length;
	if (engine == &engine_none)
		prof_text_print(text, counted ? "Recording" : "Recording without samples");
	else
		prof_text_print(text, "Recording at %g Hz with the engine %s%s", request->rate,
			engine->name,
			strcmp(request->engine, "auto") != 0 ? "" : ", the best that works here");
	if (!counted)
		return;
	prof_text_print(text, "%s%s", engine == &engine_none ? " by " : ", and by ",
		prof_text_get(&sources));
}
