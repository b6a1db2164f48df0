/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/tracees.h"

#include "plugin/collect/notes.h"
#include "plugin/gdb/host.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>

/* GDB is one, and so is what it traces. */
static PROF_ARRAY(struct tracee) tracees;

struct tracee *tracees_at(size_t index)
{
	return index < tracees.count ? &tracees.items[index] : NULL;
}

struct tracee *tracees_find(pid_t process)
{
	for (size_t i = 0; i < tracees.count; i++) {
		if (tracees.items[i].process == process)
			return &tracees.items[i];
	}
	return NULL;
}

struct tracee *tracees_find_or_add(pid_t process)
{
	struct tracee *tracee = tracees_find(process);

	if (tracee)
		return tracee;
	tracee = prof_array_push(&tracees);
	if (tracee)
		*tracee = (struct tracee){.process = process};
	return tracee;
}

void tracees_remove(struct tracee *tracee)
{
	agent_destroy(tracee->agent);
	free(tracee->refusal);
	*tracee = tracees.items[--tracees.count];
}

void tracees_end(void)
{
	while (tracees.count)
		tracees_remove(&tracees.items[tracees.count - 1]);
	free(tracees.items);
	tracees = (__typeof__(tracees)){0};
}

void tracee_refuse(struct tracee *tracee, struct prof_error *error)
{
	char *refusal = error && tracee ? strdup(prof_error_message(error)) : NULL;

	if (!refusal) {
		notes_error(error);
		return;
	}
	free(tracee->refusal);
	tracee->refusal = refusal;
	host_forget(error);
}

void tracees_inherit(pid_t process)
{
	const struct tracee *parent = tracees_find(prof_procfs_parent(process));
	struct agent *agent =
		parent && parent->agent ? agent_inherit(parent->agent, process) : NULL;
	struct tracee *child = agent ? tracees_find_or_add(process) : NULL;

	if (child)
		child->agent = agent;
	else
		agent_destroy(agent);
}

/* Its process has executed another program, which has no agent. */
static void drop_replaced(struct tracee *tracee)
{
	agent_destroy(tracee->agent);
	tracee->agent = NULL;
	tracee_refuse(tracee,
		prof_error_create(PROF_ERROR_UNSUPPORTED,
			"Process %d has executed another program, which is not traced.",
			(int)tracee->process));
}

void tracees_update(void)
{
	for (size_t i = 0; i < tracees.count; i++) {
		struct tracee *tracee = &tracees.items[i];
		if (!tracee->agent || tracee->gone)
			continue;
		if (agent_is_there(tracee->agent))
			notes_error(agent_update(tracee->agent));
		else if (prof_procfs_process(tracee->process))
			drop_replaced(tracee);
	}
}

void tracees_tell(void)
{
	for (size_t i = 0; i < tracees.count; i++) {
		if (tracees.items[i].agent)
			agent_tell(tracees.items[i].agent);
	}
}

void tracees_record(bool recording)
{
	for (size_t i = 0; i < tracees.count; i++) {
		if (tracees.items[i].agent)
			agent_record(tracees.items[i].agent, recording);
	}
}

bool tracees_say_refusals(struct prof_text *text)
{
	bool any = false;

	for (size_t i = 0; i < tracees.count; i++) {
		const char *refusal = tracees.items[i].refusal;
		any |= refusal != NULL;
		prof_text_name(text, refusal ? refusal : "");
		prof_text_print(text, "%s", refusal ? "\n" : "");
	}
	return any;
}
