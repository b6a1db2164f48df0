/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/traced_processes.h"

#include "plugin/collect/notes.h"
#include "plugin/gdb/host.h"
#include "base/time_unit.h"
#include "plugin/option/mpi_settings.h"
#include "plugin/tracing/agent.h"
#include "plugin/tracing/loading.h"
#include "target/procfs.h"
#include "tracing/ring.h"
#include "tracing/ring_clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* There is one GDB, so one list. */
static PROF_ARRAY(struct traced_process) processes;

struct traced_process *traced_processes_at(size_t index)
{
	return index < processes.count ? &processes.items[index] : NULL;
}

struct traced_process *traced_processes_find(pid_t process)
{
	for (size_t i = 0; i < processes.count; i++) {
		if (processes.items[i].process == process)
			return &processes.items[i];
	}
	return NULL;
}

struct traced_process *traced_processes_find_or_add(pid_t process)
{
	struct traced_process *traced = traced_processes_find(process);

	if (traced)
		return traced;
	traced = prof_array_push(&processes);
	if (traced)
		*traced = (struct traced_process){.process = process};
	return traced;
}

void traced_processes_remove(struct traced_process *traced)
{
	agent_destroy(traced->agent);
	free(traced->refusal);
	*traced = processes.items[--processes.count];
}

void traced_processes_end(void)
{
	while (processes.count)
		traced_processes_remove(&processes.items[processes.count - 1]);
	free(processes.items);
	processes = (__typeof__(processes)){0};
}

void traced_process_refuse(struct traced_process *traced, struct prof_error *error)
{
	char *refusal = error && traced ? strdup(prof_error_message(error)) : NULL;

	if (!refusal) {
		notes_error(error);
		return;
	}
	free(traced->refusal);
	traced->refusal = refusal;
	host_forget(error);
}

void traced_processes_inherit(pid_t process)
{
	const struct traced_process *parent = traced_processes_find(prof_procfs_parent(process));
	struct agent *agent =
		parent && parent->agent ? agent_inherit(parent->agent, process) : NULL;
	struct traced_process *child = agent ? traced_processes_find_or_add(process) : NULL;

	if (child)
		child->agent = agent;
	else
		agent_destroy(agent);
}

/* The process of TRACED has executed another program, without the agent. */
static void drop_replaced(struct traced_process *traced)
{
	agent_destroy(traced->agent);
	traced->agent = NULL;
	traced_process_refuse(traced,
		prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Process %d has executed another program, which is not traced.",
			(int)traced->process));
}

/* Has the selected process loaded what it was loading?  LAST: else it never will. */
static bool is_loaded(bool last)
{
	const struct traced_process *traced = traced_processes_find(host_process());

	if (!traced || !traced->agent || traced->gone)
		return false;
	notes_error(agent_update(traced->agent));
	if (last)
		agent_settle(traced->agent);
	return !agent_awaited(traced->agent);
}

static void update(const struct traced_process *traced)
{
	notes_error(agent_update(traced->agent));
	uint64_t address = agent_awaited(traced->agent);
	if (address)
		notes_error(loading_await(address, is_loaded));
}

void traced_processes_update(void)
{
	for (size_t i = 0; i < processes.count; i++) {
		struct traced_process *traced = &processes.items[i];
		if (!traced->agent || traced->gone)
			continue;
		if (agent_is_there(traced->agent))
			update(traced);
		else if (prof_procfs_process(traced->process))
			drop_replaced(traced);
	}
}

void traced_processes_report(void)
{
	for (size_t i = 0; i < processes.count; i++) {
		if (processes.items[i].agent)
			agent_report(processes.items[i].agent);
	}
}

void traced_processes_record(bool recording)
{
	for (size_t i = 0; i < processes.count; i++) {
		if (processes.items[i].agent)
			agent_record(processes.items[i].agent, recording);
	}
}

bool traced_processes_say_refusals(struct prof_text *text)
{
	bool any = false;

	for (size_t i = 0; i < processes.count; i++) {
		const char *refusal = processes.items[i].refusal;
		any |= refusal != NULL;
		prof_text_name(text, refusal ? refusal : "");
		prof_text_print(text, "%s", refusal ? "\n" : "");
	}
	return any;
}

/* Which waits are recorded: the agent reports what it has found out. */
static void say_waits(const struct agent *agent, const struct agent_request *wanted,
	struct prof_ring_clock *clock, struct prof_text *text)
{
	uint64_t threshold = agent_threshold(agent);

	if (!(wanted->families & PROF_FAMILY_SYNC))
		return;
	prof_ring_clock_adjust(clock);
	if (!threshold)
		prof_text_print(text, "Synchronization tracing: all waits.\n");
	else
		prof_text_print(text, "Synchronization tracing: waits of more than %.3g us%s.\n",
			(double)prof_ring_clock_span(clock, threshold) / (double)PROF_NS_PER_US,
			wanted->calibrate ? " (calibrated)" : "");
}

/* The use of the buffer for MPI calls, if it is of interest to the user. */
static void say_mpi(
	const struct agent *agent, const struct mpi_settings *mpi, struct prof_text *text)
{
	uint64_t bytes, dropped;

	agent_mpi(agent, &bytes, &dropped);
	if (mpi->verbosity >= MPI_WARNING && dropped)
		prof_text_print(text,
			"MPI tracing has ended: the buffer was flushed %" PRIu64
			" time%s, and %" PRIu64 " event%s dropped since.\n",
			mpi->flushes, mpi->flushes == 1 ? "" : "s", dropped,
			dropped == 1 ? " was" : "s were");
	if (mpi->verbosity >= MPI_STATUS)
		prof_text_print(text,
			"MPI tracing: %" PRIu64
			" bytes of events, which is %.2f times the size of the buffer.\n",
			bytes, (double)bytes / (double)mpi->buffer);
}

bool traced_processes_say(const struct agent_request *wanted, struct prof_ring_clock *clock,
	const struct mpi_settings *mpi, struct prof_text *text)
{
	size_t calls = 0, objects = 0;
	struct agent *agent = NULL;

	for (size_t i = 0; i < processes.count; i++) {
		const struct traced_process *traced = &processes.items[i];
		size_t of;
		if (!traced->agent || traced->gone)
			continue;
		agent = traced->agent;
		calls += agent_redirections(agent, &of);
		objects += of;
	}
	if (!agent)
		return false;
	prof_text_print(text, "The agent takes the calls of %zu slot%s in %zu load object%s.\n",
		calls, calls == 1 ? "" : "s", objects, objects == 1 ? "" : "s");
	say_waits(agent, wanted, clock, text);
	if (wanted->families & PROF_FAMILY_MPI)
		say_mpi(agent, mpi, text);
	agent_say(agent, text);
	return true;
}
