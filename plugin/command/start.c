/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-start. */
#include "plugin/command/command.h"

#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/option/word.h"
#include "plugin/session/session.h"
#include "tracing/ring.h"

#include <stdlib.h>
#include <string.h>

static const char *const unwinders[] = {"auto", "cfi", "gdb"};

static const struct prof_option start_rows[] = {
	{.name = "rate",
		.value = "HZ",
		.describe =
			"Take HZ samples a second of each thread that is on a CPU: 0.1 to 20000, or hi, on or lo for 1000, 100 and 10.  "
			"The default is \"set prof rate\"."},
	{.name = "interval",
		.value = "TIME",
		.describe =
			"Sample once in TIME instead: a number with s, ms or us, or hi, on or lo for 1, 10 and 100 ms."},
	{.name = "engine",
		.value = "ENGINE",
		.word = word_of_engine,
		.describe = "Choose the engine that takes the samples; none takes no samples.  "
			    "The default is \"set prof engine\"."},
	{.name = "unwinder",
		.value = "UNWINDER",
		.words = unwinders,
		.words_count = PROF_COUNT(unwinders),
		.describe =
			"Choose who walks the stacks: cfi is gdbprof, by call frame information; gdb is GDB, which is slower; auto uses cfi where it works, else gdb."},
	{.name = "clock",
		.value = "CLOCK",
		.word = word_of_clock,
		.describe =
			"Choose what counts as a sample: cpu counts threads that are on a CPU at a tick, wall also counts threads that wait.  "
			"The default is \"set prof clock\"."},
	{.name = "kernel",
		.value = "on|off",
		.word = word_of_switch,
		.describe =
			"Include the kernel's functions in stacks.  This needs the engine perf.  "
			"The default is \"set prof kernel\"."},
	{.name = "children",
		.describe =
			"Also record the processes that the program starts, and those that they start, until they end.  "
			"GDB does not stop them.  The kernel must permit perf events."},
	{.name = "processes",
		.value = "PID,...",
		.describe = "Also record these running processes, and those that they start.  "
			    "GDB does not attach to them.  The kernel must permit perf events."},
	{.name = "cgroup",
		.value = "NAME",
		.describe =
			"Also record the processes of this control group, including those that join it later, and those that they start.  "
			"NAME is the folder of the group, or the name of a systemd unit.  "
			"The kernel must permit perf events."},
	{.name = "max-depth",
		.value = "N",
		.describe = "Keep the innermost N frames of a stack, 1 to 100000.  "
			    "The default is \"set prof max-depth\"."},
	{.name = "verify",
		.value = "N",
		.describe =
			"Have GDB walk every Nth stack too, and compare; prof-status reports the result.  "
			"The default is \"set prof verify\"."},
	{.name = "counter",
		.value = "[+]NAME[:INTERVAL],...",
		.word = word_of_counter,
		.open = true,
		.plus = true,
		.describe =
			"Take a sample of a thread whenever one of these counters has counted INTERVAL events; prof-counters lists their names.  "
			"With + before NAME gdbprof also looks for the instruction and the data address of each event, for prof-data.  "
			"The clock then takes no samples unless you give --engine, --rate, --interval or --clock."},
	{.name = "count",
		.value = "FUNCTION,...",
		.describe =
			"Count the calls of these functions, by caller, for prof-gprof.  "
			"FILE.c:* stands for all functions of a file.  "
			"gdbprof stops counting functions that are called too often; see \"set prof count-limit\"."},
	{.name = "heap",
		.describe = "Trace every allocation, and when it is freed, inside the program.  "
			    "See prof-leaks and prof-heap."},
	{.name = "sync",
		.value = "all|calibrate|US",
		.optional = true,
		.describe =
			"Trace waits for locks, condition variables, semaphores, threads and the like: all of them; those longer than US microseconds; or, with calibrate, those longer than six times what such a call takes without a wait.  "
			"The default is calibrate.  See prof-locks."},
	{.name = "for",
		.value = "TIME",
		.describe =
			"End the recording when the program has run for TIME: a number with s, ms or us.  "
			"The program goes on.  The default is no limit."},
	{.name = "mark-period",
		.value = "TIME",
		.describe =
			"Make a mark each time the program has run for TIME: a number with s, ms or us.  "
			"The default is no such marks."},
	{.name = "mark-signal",
		.value = "SIGNAL",
		.describe =
			"Make a mark whenever SIGNAL, such as SIGUSR2, is sent to the program, which does not receive it.  "
			"The default is no signal."},
	{.name = "pause-signal",
		.value = "SIGNAL",
		.describe =
			"Pause when SIGNAL is sent to the program, which does not receive it, and resume when it is sent again.  "
			"The default is no signal."},
	{.name = "paused",
		.describe = "Start paused: record nothing until prof-resume or the pause signal."},
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write the experiment to the new file FILE while recording.  "
			"The default is \"set prof output\", or else a numbered file in the folder \"set prof store\"."},
	{.name = NULL},
};

static const struct prof_options start_options = {.rows = start_rows};

/* The option NAME, or the setting of that name, in a new string. */
static struct prof_error *option_or_setting(
	const struct option_values *values, const char *name, char **ret)
{
	const char *given = option_get(values, name);

	if (!given)
		return settings_get(name, ret);
	*ret = strdup(given);
	return *ret ? NULL : prof_error_nomem();
}

static struct prof_error *read_rate(const struct option_values *values, double *ret)
{
	const char *rate = option_get(values, "rate");
	const char *interval = option_get(values, "interval");
	AUTO_FREE char *setting = NULL;

	if (rate && interval)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-start takes either --rate or --interval, not both.");
	if (interval)
		return settings_read_interval(interval, ret);
	struct prof_error *error = rate ? NULL : settings_get("rate", &setting);
	return error ? error : settings_read_rate(rate ? rate : setting, ret);
}

/* What is to be traced. */
static struct prof_error *read_tracing(
	const struct option_values *values, struct tracing_request *ret)
{
	const char *waits = option_get(values, "sync");

	*ret = (struct tracing_request){0};
	if (option_get(values, "heap"))
		ret->families |= PROF_FAMILY_HEAP;
	if (waits)
		ret->families |= PROF_FAMILY_SYNC;
	struct prof_error *error = settings_get_tracing(&ret->memory, &ret->children);
	if (!error && waits)
		error = settings_read_waits(waits, &ret->calibrate, &ret->threshold);
	return error;
}

/* The option NAME as a time in ns, 0 if it is not given; an error says that it cannot be WHAT. */
static struct prof_error *read_period(
	const struct option_values *values, const char *name, const char *what, int64_t *ret)
{
	const char *given = option_get(values, name);

	*ret = 0;
	return given ? settings_read_period(given, what, ret) : NULL;
}

/* Into what is recorded, and how much of it. */
static struct prof_error *read_output(const struct option_values *values,
	struct session_request *request, char **output, char **store)
{
	AUTO_FREE char *file = NULL;
	AUTO_FREE char *folder = NULL;
	AUTO_FREE char *size = NULL;
	struct prof_error *error = option_or_setting(values, "output", &file);

	if (!error)
		error = command_expand(file, output);
	if (!error)
		error = settings_get("store", &folder);
	if (!error)
		error = command_expand(folder, store);
	if (!error)
		error = settings_get("limit", &size);
	if (!error)
		error = settings_read_size(size, &request->size);
	if (!error)
		error = read_period(values, "for", "the length of a recording", &request->time);
	if (error)
		return error;
	request->output = *output;
	request->store = *store;
	return NULL;
}

/* The engine: where counters are asked for, and nothing of a clock, none. */
static struct prof_error *read_engine(const struct option_values *values, char **ret)
{
	static const char *const clocks[] = {"engine", "rate", "interval", "clock"};
	bool clock = !option_get(values, "counter");

	for (size_t i = 0; i < PROF_COUNT(clocks); i++)
		clock |= option_get(values, clocks[i]) != NULL;
	if (clock)
		return option_or_setting(values, "engine", ret);
	*ret = strdup(engine_none.name);
	return *ret ? NULL : prof_error_nomem();
}

/* The numbers: how often, how deep, at what cost, and what is traced. */
static struct prof_error *read_numbers(
	const struct option_values *values, struct session_request *request)
{
	AUTO_FREE char *depth = NULL;
	AUTO_FREE char *verify = NULL;
	AUTO_FREE char *stopped = NULL;
	AUTO_FREE char *limit = NULL;
	struct prof_error *error = read_rate(values, &request->rate);

	if (!error)
		error = option_or_setting(values, "max-depth", &depth);
	if (!error)
		error = settings_read_depth(depth, &request->max_depth);
	if (!error)
		error = option_or_setting(values, "verify", &verify);
	if (!error)
		error = settings_read_verify(verify, &request->verify);
	if (!error)
		error = settings_get("max-stopped", &stopped);
	if (!error)
		error = settings_read_share(stopped, &request->max_stopped);
	if (!error)
		error = settings_get("count-limit", &limit);
	if (!error)
		error = settings_read_share(limit, &request->count_limit);
	if (!error)
		error = read_tracing(values, &request->tracing);
	if (!error)
		error = read_period(
			values, "mark-period", "the time between two marks", &request->mark_period);
	return error;
}

/* What VALUES have as it was typed: REQUEST borrows it. */
static void read_texts(const struct option_values *values, struct session_request *request)
{
	const char *unwinder = option_get(values, "unwinder");

	request->unwinder = unwinder ? unwinder : "auto";
	request->counters = option_get(values, "counter");
	request->count = option_get(values, "count");
	request->paused = option_get(values, "paused");
	request->children = option_get(values, "children");
	request->processes = option_get(values, "processes");
	request->cgroup = option_get(values, "cgroup");
	request->signals[CONTROL_SIGNAL_MARK] = option_get(values, "mark-signal");
	request->signals[CONTROL_SIGNAL_PAUSE] = option_get(values, "pause-signal");
}

static struct prof_error *run_start(
	const struct command *command, const struct option_values *values)
{
	struct session_request request;
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	AUTO_FREE char *engine = NULL;
	AUTO_FREE char *clock = NULL;
	AUTO_FREE char *kernel = NULL;
	AUTO_FREE char *output = NULL;
	AUTO_FREE char *store = NULL;

	(void)command;
	read_texts(values, &request);
	struct prof_error *error = read_numbers(values, &request);
	if (!error)
		error = read_engine(values, &engine);
	if (!error)
		error = option_or_setting(values, "clock", &clock);
	if (!error)
		error = option_or_setting(values, "kernel", &kernel);
	if (!error)
		error = read_output(values, &request, &output, &store);
	if (error)
		return error;
	request.engine = engine;
	request.clock = clock;
	request.kernel = !strcmp(kernel, "on");
	error = session_start(&request, &text);
	return error ? error : host_write(prof_text_get(&text));
}

const struct command command_start = {
	.name = "prof-start",
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe =
		"Start profiling the program being debugged.\n"
		"Sampling goes on whenever the program runs, whichever command lets it run, until prof-stop.  "
		"If there is no program yet, or it ends, gdbprof waits for the next one.\n\n"
		"The new recording replaces the experiment at hand.  "
		"Use prof-save first to keep that.",
	.options = &start_options,
	.run = run_start,
};
