/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/agent.h"

#include "plugin/tracing/hooks.h"
#include "plugin/tracing/redirections.h"
#include "plugin/calls/traced_functions.h"
#include "sampling/marker.h"
#include "target/process.h"
#include "tracing/ring_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct agent {
	pid_t process;
	uint64_t data; /* address of its data */
	uint32_t families;
	struct prof_ring
		*ring; /* NULL: it belongs to a child that was created while it was traced */
	size_t size;
	struct hooks hooks;
	struct redirections *redirections;
	struct prof_marker *marker;      /* where READER learns of marks */
	struct prof_ring_reader *reader; /* NULL: see RING */
};

static struct prof_error *read_data(pid_t process, uint64_t address, struct prof_agent *data)
{
	if (!prof_process_read(process, address, data, sizeof *data))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot read the agent's data in process %d.", (int)process);
	if (data->version != PROF_RING_VERSION)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The agent in process %d belongs to another version of gdbprof: restart the program.",
			(int)process);
	return NULL;
}

/* Writes the new functions that are to be traced into the room that DATA, of PROCESS, names. */
static struct prof_error *ask_traces(
	pid_t process, struct prof_agent *data, const struct agent_request *request)
{
	AUTO_FREE struct prof_traced_function *traced =
		calloc(PROF_TRACED_FUNCTIONS, sizeof *traced);
	uint32_t first = data->traced_built;

	if (!traced)
		return prof_error_nomem();
	if (!(request->families & PROF_FAMILY_CALLS) || first > PROF_TRACED_FUNCTIONS)
		return NULL;
	data->traced_count = traced_functions_fill(traced, first, request->clock_rate);
	return data->traced_count <= first
		? NULL
		: prof_process_write(process, (uintptr_t)(data->traced + first), traced + first,
			  (data->traced_count - first) * sizeof *traced);
}

static struct prof_error *ask(pid_t process, uint64_t address, struct prof_agent *data,
	const struct agent_request *request)
{
	data->families = request->families;
	data->chunks = request->chunks;
	data->counter = request->counter;
	data->calibrate = request->calibrate;
	data->threshold = request->threshold;
	data->mpi_limit = request->mpi_limit;
	data->mpi_stacks = request->mpi_stacks;
	data->mpi_handshake = request->mpi_handshake;
	struct prof_error *error = ask_traces(process, data, request);
	return error ? error : prof_process_write(process, address, data, sizeof *data);
}

/* Is FILE, of SIZE bytes, one that cannot be truncated while it is mapped here? */
static bool is_sealed(int file, size_t size)
{
	const int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	struct stat status;
	int seals = fcntl(file, F_GET_SEALS);

	return seals >= 0 && (seals & wanted) == wanted && !fstat(file, &status) &&
		status.st_size == (off_t)size;
}

static struct prof_error *open_ring(
	struct agent *agent, const struct prof_agent *data, const struct agent_request *request)
{
	char path[48];
	size_t size = prof_ring_size(request->chunks);

	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)agent->process, (int)data->fd);
	AUTO_CLOSE int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot open the agent's ring %s: %s.", path, strerror(errno));
	if (!is_sealed(file, size))
		return prof_error_create(PROF_ERROR_DAMAGED,
			"%s is not an agent's ring: its size is not sealed.", path);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot map the agent's ring: %s.", strerror(errno));
	agent->ring = memory;
	agent->size = size;
	if (agent->ring->magic != PROF_RING_MAGIC || agent->ring->version != PROF_RING_VERSION ||
		agent->ring->chunks != request->chunks)
		return prof_error_create(PROF_ERROR_DAMAGED,
			"%s is not an agent's ring: its header is wrong.", path);
	return NULL;
}

static void mark(void *reader, int64_t time)
{
	prof_ring_reader_mark(reader, time);
}

/* ns: events can be found by time this exactly, unless there are very many. */
enum { SLICE = 10000000 };

static struct prof_error *open_reader(struct agent *agent, const struct agent_request *request)
{
	const struct prof_ring_reader_options options = {
		.ring = agent->ring,
		.size = agent->size,
		.pid = agent->process,
		.queue = request->queue,
		.number = request->number,
		.depth = request->max_depth,
		.counter = request->counter,
		.slice = SLICE,
		.hooks = agent->hooks.all,
		.hook_count = agent->hooks.all_count,
	};
	struct prof_error *error = prof_ring_reader_create(&options, &agent->reader);

	if (error)
		return error;
	agent->marker = request->marker;
	return prof_marker_follow(agent->marker, mark, agent->reader) ? NULL : prof_error_nomem();
}

static struct prof_error *open_agent(
	struct agent *agent, const struct prof_agent *data, const struct agent_request *request)
{
	struct prof_error *error = open_ring(agent, data, request);

	if (!error)
		error = hooks_read(&agent->hooks, agent->process, data, agent->families);
	bool found;
	if (!error)
		error = hooks_find_late(&agent->hooks, agent->process, &found);
	if (!error)
		error = open_reader(agent, request);
	if (!error)
		error = redirections_create(agent->process, agent->data, agent->hooks.list,
			agent->hooks.count, &agent->redirections);
	if (error)
		return error;
	error = redirections_update(agent->redirections);
	/* No object is being loaded when the agent comes: slots that are empty stay so. */
	redirections_settle(agent->redirections);
	return error;
}

static struct prof_error *take(pid_t process, uint64_t address, const struct prof_agent *data,
	const struct agent_request *request, struct agent **ret)
{
	struct agent *agent = calloc(1, sizeof *agent);

	if (!agent)
		return prof_error_nomem();
	agent->process = process;
	agent->data = address;
	agent->families = request->families;
	struct prof_error *error = open_agent(agent, data, request);
	if (error) {
		agent_retire(agent);
		agent_destroy(agent);
		return error;
	}
	*ret = agent;
	return NULL;
}

struct prof_error *agent_meet(
	pid_t process, uint64_t address, const struct agent_request *request, struct agent **ret)
{
	struct prof_agent data;
	struct prof_error *error = read_data(process, address, &data);

	*ret = NULL;
	if (error)
		return error;
	switch (data.stage) {
	case PROF_AGENT_LOADED:
		return ask(process, address, &data, request);
	case PROF_AGENT_READY:
		return take(process, address, &data, request, ret);
	case PROF_AGENT_FAILED:
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The agent in process %d cannot create its ring: %s.", (int)process,
			strerror(data.error));
	default:
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The agent in process %d is at an unknown stage.", (int)process);
	}
}

struct agent *agent_inherit(const struct agent *agent, pid_t process)
{
	struct agent *copy = calloc(1, sizeof *copy);

	if (!copy)
		return NULL;
	copy->process = process;
	copy->data = agent->data;
	copy->redirections = hooks_copy(&copy->hooks, &agent->hooks)
		? redirections_inherit(agent->redirections, process, copy->hooks.list)
		: NULL;
	if (copy->redirections)
		return copy;
	agent_destroy(copy);
	return NULL;
}

void agent_destroy(struct agent *agent)
{
	if (!agent)
		return;
	redirections_destroy(agent->redirections);
	if (agent->reader)
		prof_marker_ignore(agent->marker, agent->reader);
	prof_ring_reader_destroy(agent->reader);
	hooks_deinit(&agent->hooks);
	if (agent->ring)
		munmap(agent->ring, agent->size);
	free(agent);
}

void agent_retire(struct agent *agent)
{
	agent_record(agent, false);
	if (agent->redirections)
		redirections_remove(agent->redirections);
}

pid_t agent_process(const struct agent *agent)
{
	return agent->process;
}

bool agent_is_there(const struct agent *agent)
{
	struct prof_agent data;
	struct prof_error *error = read_data(agent->process, agent->data, &data);
	bool there = !error && data.hook_count && data.stage == PROF_AGENT_READY;

	prof_error_destroy(error);
	return there;
}

/* The reader knows the hooks that there are now. */
static struct prof_error *report_hooks(struct agent *agent)
{
	return agent->reader
		? prof_ring_reader_hooks(agent->reader, agent->hooks.all, agent->hooks.all_count)
		: NULL;
}

struct prof_error *agent_update(struct agent *agent)
{
	bool found;

	if (agent->reader)
		prof_ring_reader_objects(agent->reader);
	struct prof_error *error = hooks_find_late(&agent->hooks, agent->process, &found);
	if (!error && found)
		error = report_hooks(agent);
	if (!error)
		error = redirections_update(agent->redirections);
	return error || !found ? error : redirections_repeat(agent->redirections);
}

uint64_t agent_awaited(const struct agent *agent)
{
	return redirections_awaited(agent->redirections);
}

void agent_settle(struct agent *agent)
{
	redirections_settle(agent->redirections);
}

struct prof_error *agent_ask_more(
	struct agent *agent, const struct agent_request *request, uint64_t *function)
{
	struct prof_agent data;
	struct prof_error *error = read_data(agent->process, agent->data, &data);

	*function = 0;
	if (error)
		return error;
	agent->families = request->families;
	error = ask_traces(agent->process, &data, request);
	if (error || data.traced_count <= data.traced_built)
		return error;
	*function = (uintptr_t)data.more;
	return prof_process_write(agent->process, agent->data, &data, sizeof data);
}

struct prof_error *agent_extend(struct agent *agent)
{
	struct prof_agent data;
	struct prof_error *error = read_data(agent->process, agent->data, &data);

	if (!error)
		error = hooks_read(&agent->hooks, agent->process, &data, agent->families);
	if (!error)
		error = report_hooks(agent);
	return error ? error : redirections_extend(agent->redirections, agent->hooks.count);
}

size_t agent_traced_count(const struct agent *agent)
{
	return agent->hooks.traced_count;
}

enum agent_traced agent_traced(const struct agent *agent, size_t traced)
{
	const struct hooks *hooks = &agent->hooks;

	if (traced >= hooks->traced_count || hooks->traced[traced] == SIZE_MAX)
		return AGENT_TRACED_NOT;
	return redirections_of(agent->redirections, hooks->traced[traced]) ? AGENT_TRACED
									   : AGENT_TRACED_NONE;
}

void agent_report(struct agent *agent)
{
	if (agent->reader)
		prof_ring_reader_flush(agent->reader);
}

void agent_record(struct agent *agent, bool recording)
{
	if (!agent->ring)
		return;
	uint32_t before = atomic_exchange(&agent->ring->families, recording ? agent->families : 0);
	if (before && !recording)
		atomic_fetch_add(&agent->ring->pauses, 1);
}

void agent_say(struct agent *agent, struct prof_text *text)
{
	struct prof_ring_reader_status status;

	if (!agent->reader)
		return;
	prof_ring_reader_look(agent->reader, &status);
	if (status.damage)
		prof_text_print(text, "The ring of process %d is damaged: %s.\n",
			(int)agent->process, status.damage);
	if (status.events)
		prof_text_print(text,
			"An event has %.1f bytes, and gdbprof took %.0f ns to add it up.\n",
			(double)status.bytes / (double)status.events,
			(double)status.working / (double)status.events);
}

bool agent_has_ring(const struct agent *agent)
{
	return agent->ring;
}

uint64_t agent_threshold(const struct agent *agent)
{
	return agent->ring ? agent->ring->threshold : 0;
}

void agent_mpi(const struct agent *agent, uint64_t *bytes, uint64_t *dropped)
{
	*bytes = agent->ring ? atomic_load(&agent->ring->mpi_bytes) : 0;
	*dropped = agent->ring ? atomic_load(&agent->ring->dropped) : 0;
}

bool agent_has_mpi(const struct agent *agent)
{
	for (size_t i = 0; i < agent->hooks.count; i++) {
		if (!strcmp(agent->hooks.list[i].name, "MPI_Init"))
			return agent->hooks.list[i].real;
	}
	return false;
}

enum prof_ring_tool agent_tool(const struct agent *agent)
{
	uint64_t tool = agent->ring ? atomic_load(&agent->ring->tool) : 0;

	return tool <= PROF_RING_TOOL_OTHER ? (enum prof_ring_tool)tool : PROF_RING_TOOL_NONE;
}

size_t agent_redirections(const struct agent *agent, size_t *objects)
{
	return redirections_count(agent->redirections, objects);
}
