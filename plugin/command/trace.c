/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command that traces functions. */
#include "plugin/command/command.h"

#include "base/option_values.h"
#include "plugin/calls/traced_functions.h"
#include "plugin/gdb/host.h"
#include "plugin/option/amount.h"
#include "plugin/option/option.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"
#include "plugin/tracing/tracing.h"

static const struct prof_option trace_rows[] = {
	{.name = "if-longer",
		.value = "TIME",
		.describe =
			"Record only calls that take longer than TIME: a number with s, ms or us.  "
			"The default is all calls."},
	{.name = "arg",
		.value = "N:NAME,...",
		.describe =
			"Record the value of argument number N, from 1 on, under the name NAME.  "
			"Use \"returned\" in place of N for what the function returns."},
	{.name = "prototype",
		.value = "PROTOTYPE",
		.describe =
			"Declare what the functions take and return, as in --prototype='int (void *, size_t)'.  "
			"The default is the type in the debug information."},
	{.name = NULL},
};

static const struct prof_options trace_options = {.rows = trace_rows};

static struct prof_error *read_request(
	const struct option_values *values, struct traced_functions_request *ret)
{
	const char *limit = option_get(values, "if-longer");

	*ret = (struct traced_functions_request){
		.functions = values->given.arguments,
		.count = values->given.count,
		.prototype = option_get(values, "prototype"),
		.values = option_get(values, "arg"),
	};
	return limit ? amount_read_period(limit, "the shortest call to record", &ret->limit) : NULL;
}

static struct prof_error *print_traces(void)
{
	AUTO_TEXT struct prof_text text = {0};

	traced_functions_list(&text);
	if (!text.length)
		prof_text_print(&text, "No functions are traced.\n");
	struct prof_error *error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}

static struct prof_error *run_trace(
	const struct command *command, const struct option_values *values)
{
	struct tracing_request tracing = {.families = PROF_FAMILY_CALLS};
	struct traced_functions_request request;

	(void)command;
	if (!values->given.count)
		return print_traces();
	struct prof_error *error = read_request(values, &request);
	if (!error)
		error = settings_get_tracing(&tracing.memory, &tracing.children);
	if (!error)
		error = session_check();
	if (!error)
		error = tracing_check(&tracing);
	if (!error)
		error = traced_functions_add(&request);
	return error ? error : tracing_more(&tracing);
}

const struct command command_trace = {
	.name = "prof-trace",
	.group = COMMAND_RECORD,
	.category = "COMMAND_RUNNING",
	.usage = "[FUNCTION]...",
	.describe =
		"Trace functions: record every call, its time, stack and arguments.\n"
		"gdbprof traces the functions until prof-stop; prof-traces lists the calls.  "
		"Calls through the tables of load objects cost little.  "
		"gdbprof meets all other calls at breakpoints, which is slower: see \"set prof count-limit\".\n\n"
		"Without FUNCTION, it lists the functions that are traced.",
	.options = &trace_options,
	.arguments = COMMAND_TEXT,
	.most = PROF_TRACED_FUNCTIONS,
	.run = run_trace,
};
