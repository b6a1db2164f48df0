/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/traced_processes.h"

#include "plugin/collect/notes.h"
#include "plugin/gdb/host.h"
#include "target/procfs.h"

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

/* Its process has executed another program, without the agent. */
static void drop_replaced(struct traced_process *traced)
{
	agent_destroy(traced->agent);
	traced->agent = NULL;
	traced_process_refuse(traced,
		prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Process %d has executed another program, which is not traced.",
			(int)traced->process));
}

void traced_processes_update(void)
{
	for (size_t i = 0; i < processes.count; i++) {
		struct traced_process *traced = &processes.items[i];
		if (!traced->agent || traced->gone)
			continue;
		if (agent_is_there(traced->agent))
			notes_error(agent_update(traced->agent));
		else if (prof_procfs_process(traced->process))
			drop_replaced(traced);
	}
}

void traced_processes_tell(void)
{
	for (size_t i = 0; i < processes.count; i++) {
		if (processes.items[i].agent)
			agent_tell(processes.items[i].agent);
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
