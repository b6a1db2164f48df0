/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-start. */
#include "plugin/command/command.h"

#include "plugin/collect/collector.h"
#include "plugin/collect/request.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/host.h"
#include "plugin/option/amount.h"
#include "plugin/option/option.h"
#include "plugin/option/settings.h"
#include "plugin/option/word.h"
#include "plugin/session/session.h"

#include <stdlib.h>
#include <string.h>

static const char *const unwinders[] = {"auto", "cfi", "gdb"};

/* How samples are taken, and how much of a stack. */
static const struct prof_option first_rows[] = {
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
	{.name = "max-depth",
		.value = "N",
		.describe = "Keep the innermost N frames of a stack, 1 to 100000.  "
			    "The default is \"set prof max-depth\"."},
	{.name = "verify",
		.value = "N",
		.describe =
			"Have GDB walk every Nth stack too, and compare; prof-status reports the result.  "
			"The default is \"set prof verify\"."},
	{.name = NULL},
};

/* How long to record, and into what. */
static const struct prof_option last_rows[] = {
	{.name = "for",
		.value = "TIME",
		.describe =
			"End the recording when the program has run for TIME: a number with s, ms or us.  "
			"The program goes on.  The default is no limit."},
	{.name = "paused",
		.describe = "Start paused: record nothing until prof-resume or the pause signal."},
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write the experiment to the new file FILE while recording.  "
			"The default is \"set prof output\", or else a numbered file in the folder \"set prof store\"."},
	{.name = NULL},
};

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
		return amount_read_interval(interval, ret);
	struct prof_error *error = rate ? NULL : settings_get("rate", &setting);
	return error ? error : amount_read_rate(rate ? rate : setting, ret);
}

/* Reads where to record, and how much. */
static struct prof_error *read_output(const struct option_values *values,
	struct session_request *request, char **output, char **store)
{
	AUTO_FREE char *file = NULL;
	AUTO_FREE char *folder = NULL;
	AUTO_FREE char *size = NULL;
	const char *length = option_get(values, "for");
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
		error = amount_read_size(size, &request->size);
	if (!error && length)
		error = amount_read_period(length, "the length of a recording", &request->time);
	if (error)
		return error;
	request->output = *output;
	request->store = *store;
	return NULL;
}

/* Reads the engine: none, if CHOICES have other sources of samples and ask nothing of a clock. */
static struct prof_error *read_engine(
	const struct option_values *values, const struct collector_choices *choices, char **ret)
{
	static const char *const clocks[] = {"engine", "rate", "interval", "clock"};
	AUTO_TEXT struct prof_text sources = {0};

	collector_choices_sources(choices, &sources);
	bool clock = !sources.length;
	for (size_t i = 0; i < PROF_COUNT(clocks); i++)
		clock |= option_get(values, clocks[i]) != NULL;
	if (clock)
		return option_or_setting(values, "engine", ret);
	*ret = strdup(engine_none.name);
	return *ret ? NULL : prof_error_nomem();
}

/* Reads the numbers: how often, how deep, and at what cost. */
static struct prof_error *read_numbers(
	const struct option_values *values, struct session_request *request)
{
	AUTO_FREE char *depth = NULL;
	AUTO_FREE char *verify = NULL;
	AUTO_FREE char *stopped = NULL;
	struct prof_error *error = read_rate(values, &request->rate);

	if (!error)
		error = option_or_setting(values, "max-depth", &depth);
	if (!error)
		error = amount_read_depth(depth, &request->max_depth);
	if (!error)
		error = option_or_setting(values, "verify", &verify);
	if (!error)
		error = amount_read_verify(verify, &request->verify);
	if (!error)
		error = settings_get("max-stopped", &stopped);
	if (!error)
		error = amount_read_share(stopped, &request->max_stopped);
	return error;
}

/* Texts from settings that a request borrows. */
struct texts {
	char *engine, *clock, *kernel, *output, *store;
};

static void texts_deinit(struct texts *texts)
{
	free(texts->engine);
	free(texts->clock);
	free(texts->kernel);
	free(texts->output);
	free(texts->store);
}

/* Reads VALUES, and the settings, into REQUEST, which borrows TEXTS. */
static struct prof_error *read_request(
	const struct option_values *values, struct texts *texts, struct session_request *request)
{
	const char *unwinder = option_get(values, "unwinder");
	struct prof_error *error = read_numbers(values, request);

	if (!error)
		error = collector_choices_read(&request->choices, values);
	if (!error)
		error = read_engine(values, &request->choices, &texts->engine);
	if (!error)
		error = option_or_setting(values, "clock", &texts->clock);
	if (!error)
		error = option_or_setting(values, "kernel", &texts->kernel);
	if (!error)
		error = read_output(values, request, &texts->output, &texts->store);
	if (error)
		return error;
	request->unwinder = unwinder ? unwinder : "auto";
	request->paused = option_get(values, "paused");
	request->engine = texts->engine;
	request->clock = texts->clock;
	request->kernel = !strcmp(texts->kernel, "on");
	return NULL;
}

static struct prof_error *run_start(
	const struct command *command, const struct option_values *values)
{
	struct session_request request = {0};
	PROF_AUTO(texts_deinit) struct texts texts = {0};
	AUTO_TEXT struct prof_text text = {0};

	(void)command;
	struct prof_error *error = read_request(values, &texts, &request);
	if (!error)
		error = session_start(&request, &text);
	collector_choices_deinit(&request.choices);
	return error ? error : host_write(prof_text_get(&text));
}

static const struct command start = {
	.name = "prof-start",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "",
	.describe =
		"Start profiling the program being debugged.\n"
		"Sampling goes on whenever the program runs, whichever command lets it run, until prof-stop.  "
		"If there is no program yet, or it ends, gdbprof waits for the next one.\n\n"
		"The new recording replaces the experiment at hand.  "
		"Use prof-save first to keep that.",
	.run = run_start,
};

/* Copies ROWS to TO; returns how many there are. */
static size_t copy_rows(const struct prof_option *rows, struct prof_option *to)
{
	size_t count = 0;

	for (; rows[count].name; count++) {
		if (to)
			to[count] = rows[count];
	}
	return count;
}

/*
 * Copies all options to TO (NULL: nowhere) without the row that ends them; returns how many there
 * are.
 */
static size_t copy_all(struct prof_option *to)
{
	size_t count = copy_rows(first_rows, to);

	for (size_t i = 0; collectors[i]; i++) {
		if (collectors[i]->options)
			count += copy_rows(collectors[i]->options->rows, to ? to + count : NULL);
	}
	return count + copy_rows(last_rows, to ? to + count : NULL);
}

const struct command *command_of_start(void)
{
	struct {
		struct command command;
		struct prof_options options;
		struct prof_option rows[];
	} *made = calloc(1, sizeof *made + (copy_all(NULL) + 1) * sizeof made->rows[0]);

	if (!made)
		return NULL;
	copy_all(made->rows);
	made->options.rows = made->rows;
	made->command = start;
	made->command.options = &made->options;
	return &made->command;
}
