/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This very process plays the program, with the agent in it, and the other files of the room. */
#include "plugin/tracing/agent.h"

#include "recording/queue.h"
#include "sampling/marker.h"
#include "plugin/calls/traced_functions.h"
#include "plugin/tracing/hooks.h"
#include "plugin/tracing/redirections.h"
#include "tracing/hook.h"

#include "sample_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNKS = 4 };

/* What the program has of the agent, and what gdbprof asks for. */
static struct prof_agent data;
static struct prof_traced_function traced[PROF_TRACED_FUNCTIONS];
static struct agent_request request = {.families = PROF_FAMILY_HEAP,
	.chunks = CHUNKS,
	.calibrate = true,
	.threshold = 1000,
	.mpi_limit = 1 << 20,
	.mpi_stacks = true,
	.number = 1,
	.max_depth = 100,
	.clock_rate = 2};
static struct ring ring;

/* The rest of the room: what it was asked for, and which request fails. */
static struct {
	uint32_t functions; /* that are to be traced */
	uint32_t families;  /* of the hooks that were read last */
	int hooks_read, updated, extended, repeated, settled, removed, alive;
	bool hooks_fail, update_fails;
	bool finds; /* a library that has come */
} room;

static struct redirections_hook list[] = {{.name = "malloc", .real = 1, .wrapper = 2},
	{.name = "traced", .real = 3, .wrapper = 4}, {.name = "never", .real = 5, .wrapper = 6}};
static struct prof_traced_hook all[4];

struct redirections {
	size_t hooks;
};

void hooks_deinit(struct hooks *hooks)
{
	*hooks = (struct hooks){0};
}

/* Three functions are traced; the last one cannot be. */
struct prof_error *hooks_read(
	struct hooks *hooks, pid_t process, const struct prof_agent *agent, uint32_t families)
{
	ck_assert_int_eq(process, getpid());
	ck_assert_uint_eq(agent->stage, PROF_AGENT_READY);
	room.hooks_read++;
	room.families = families;
	*hooks = (struct hooks){.list = list,
		.count = PROF_COUNT(list),
		.all = all,
		.all_count = PROF_COUNT(all),
		.traced = {1, 2, SIZE_MAX},
		.traced_count = 3};
	return room.hooks_fail ? prof_error_create(PROF_ERROR_DAMAGED, "Bad hooks.") : NULL;
}

struct prof_error *hooks_find_late(struct hooks *hooks, pid_t process, bool *found)
{
	ck_assert_ptr_eq(hooks->list, list);
	ck_assert_int_eq(process, getpid());
	*found = room.finds;
	return NULL;
}

struct prof_error *redirections_repeat(struct redirections *redirections)
{
	(void)redirections;
	/* Calls of new objects are redirected as ever. */
	ck_assert_int_eq(room.updated, 2);
	room.repeated++;
	return NULL;
}

void redirections_settle(struct redirections *redirections)
{
	(void)redirections;
	room.settled++;
}

uint64_t redirections_awaited(const struct redirections *redirections)
{
	(void)redirections;
	return 4711;
}

bool hooks_copy(struct hooks *copy, const struct hooks *hooks)
{
	*copy = *hooks;
	return true;
}

struct prof_error *redirections_create(pid_t process, uint64_t agent,
	const struct redirections_hook *hooks, size_t count, struct redirections **ret)
{
	ck_assert_int_eq(process, getpid());
	ck_assert_uint_eq(agent, (uintptr_t)&data);
	ck_assert_ptr_eq(hooks, list);
	*ret = calloc(1, sizeof **ret);
	(*ret)->hooks = count;
	room.alive++;
	return NULL;
}

struct redirections *redirections_inherit(const struct redirections *redirections, pid_t process,
	const struct redirections_hook *hooks)
{
	struct redirections *copy = calloc(1, sizeof *copy);

	(void)process;
	ck_assert_ptr_eq(hooks, list);
	*copy = *redirections;
	room.alive++;
	return copy;
}

void redirections_destroy(struct redirections *redirections)
{
	room.alive -= redirections != NULL;
	free(redirections);
}

struct prof_error *redirections_update(struct redirections *redirections)
{
	(void)redirections;
	room.updated++;
	return room.update_fails ? prof_error_create(PROF_ERROR_SYSTEM, "Bad slot.") : NULL;
}

struct prof_error *redirections_extend(struct redirections *redirections, size_t count)
{
	redirections->hooks = count;
	room.extended++;
	return NULL;
}

void redirections_remove(struct redirections *redirections)
{
	(void)redirections;
	room.removed++;
}

/* The last function is called through no table. */
size_t redirections_of(const struct redirections *redirections, size_t hook)
{
	return hook < 2 ? redirections->hooks : 0;
}

size_t redirections_count(const struct redirections *redirections, size_t *objects)
{
	*objects = 7;
	return redirections->hooks;
}

uint32_t traced_functions_fill(struct prof_traced_function functions[PROF_TRACED_FUNCTIONS],
	uint32_t first, double clock_rate)
{
	for (uint32_t i = first; i < room.functions; i++) {
		snprintf(functions[i].name, sizeof functions[i].name, "function%u", (unsigned)i);
		functions[i].limit = (uint64_t)(100 * clock_rate);
	}
	return room.functions;
}

/* The agent has a new request or, at READY, a ring, which cannot change its size if SEALED. */
static void make(enum prof_agent_stage stage, bool sealed)
{
	data = (struct prof_agent){.version = PROF_RING_VERSION,
		.stage = stage,
		.traced = traced,
		.fd = -1,
		.hook_count = PROF_COUNT(all),
		.more = (void (*)(void))(uintptr_t)0x1234};
	if (stage != PROF_AGENT_READY)
		return;
	ring.size = prof_ring_size(CHUNKS);
	data.fd = memfd_create("ring", MFD_ALLOW_SEALING);
	ck_assert_int_eq(ftruncate(data.fd, (off_t)ring.size), 0);
	ring.head = mmap(NULL, ring.size, PROT_READ | PROT_WRITE, MAP_SHARED, data.fd, 0);
	ck_assert_ptr_ne(ring.head, MAP_FAILED);
	ring.head->magic = PROF_RING_MAGIC;
	ring.head->version = PROF_RING_VERSION;
	ring.head->chunks = CHUNKS;
	ring.head->threshold = 77;
	if (sealed)
		ck_assert_int_eq(
			fcntl(data.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
}

static struct prof_error *meet(struct agent **ret)
{
	return agent_meet(getpid(), (uintptr_t)&data, &request, ret);
}

/* Meets an agent that is ready. */
static struct agent *take(void)
{
	struct agent *agent = NULL;

	ck_assert_ok(prof_queue_create(1 << 20, &request.queue));
	ck_assert_ok(prof_marker_create(request.queue, &request.marker));
	make(PROF_AGENT_READY, true);
	ck_assert_ok(meet(&agent));
	ck_assert_ptr_nonnull(agent);
	return agent;
}

static void end(struct agent *agent)
{
	agent_destroy(agent);
	ck_assert_int_eq(room.alive, 0);
	prof_marker_destroy(request.marker);
	prof_queue_destroy(request.queue);
	munmap(ring.head, ring.size);
	close(data.fd);
}

START_TEST(loaded_agent_gets_the_request)
{
	struct agent *agent;

	make(PROF_AGENT_LOADED, false);
	ck_assert_ok(meet(&agent));
	ck_assert_ptr_null(agent);
	ck_assert_uint_eq(data.families, PROF_FAMILY_HEAP);
	ck_assert_uint_eq(data.chunks, CHUNKS);
	ck_assert_uint_eq(data.counter, 0);
	ck_assert_uint_eq(data.calibrate, 1);
	ck_assert_uint_eq(data.threshold, 1000);
	ck_assert_uint_eq(data.mpi_limit, 1 << 20);
	ck_assert_uint_eq(data.mpi_stacks, 1);
	ck_assert_uint_eq(data.traced_count, 0);
}
END_TEST

START_TEST(loaded_agent_gets_the_functions_to_trace)
{
	struct agent *agent;

	room.functions = 2;
	make(PROF_AGENT_LOADED, false);
	/* Only with their family. */
	ck_assert_ok(meet(&agent));
	ck_assert_uint_eq(data.traced_count, 0);
	request.families |= PROF_FAMILY_CALLS;
	ck_assert_ok(meet(&agent));
	ck_assert_uint_eq(data.traced_count, 2);
	ck_assert_str_eq(traced[0].name, "function0");
	ck_assert_str_eq(traced[1].name, "function1");
	ck_assert_uint_eq(traced[1].limit, 200);
	ck_assert_str_eq(traced[2].name, "");
}
END_TEST

START_TEST(ready_agent_has_a_ring_and_redirections)
{
	struct agent *agent = take();
	uint64_t bytes, dropped;
	size_t objects;

	ck_assert_int_eq(agent_process(agent), getpid());
	ck_assert(agent_has_ring(agent));
	ck_assert(agent_is_there(agent));
	ck_assert_uint_eq(agent_threshold(agent), 77);
	ck_assert_uint_eq(room.families, PROF_FAMILY_HEAP);
	ck_assert_int_eq(room.updated, 1);
	ck_assert_uint_eq(agent_redirections(agent, &objects), PROF_COUNT(list));
	ck_assert_uint_eq(objects, 7);
	ring.head->mpi_bytes = 100;
	ring.head->dropped = 3;
	agent_mpi(agent, &bytes, &dropped);
	ck_assert_uint_eq(bytes, 100);
	ck_assert_uint_eq(dropped, 3);
	ck_assert_ok(agent_update(agent));
	ck_assert_int_eq(room.updated, 2);
	ck_assert_int_eq(room.repeated, 0);
	/* Objects that were there before the agent are whole. */
	ck_assert_int_eq(room.settled, 1);
	ck_assert_uint_eq(agent_awaited(agent), 4711);
	agent_settle(agent);
	ck_assert_int_eq(room.settled, 2);
	end(agent);
}
END_TEST

START_TEST(a_library_that_comes_later_is_traced_everywhere)
{
	struct agent *agent = take();

	room.finds = true;
	ck_assert_ok(agent_update(agent));
	ck_assert_int_eq(room.updated, 2);
	ck_assert_int_eq(room.repeated, 1);
	end(agent);
}
END_TEST

START_TEST(recording_is_switched_in_the_ring)
{
	struct agent *agent = take();

	ck_assert_uint_eq(ring.head->families, 0);
	agent_record(agent, true);
	ck_assert_uint_eq(ring.head->families, PROF_FAMILY_HEAP);
	agent_record(agent, false);
	ck_assert_uint_eq(ring.head->families, 0);
	agent_record(agent, true);
	agent_retire(agent);
	ck_assert_uint_eq(ring.head->families, 0);
	ck_assert_int_eq(room.removed, 1);
	end(agent);
}
END_TEST

START_TEST(events_of_the_ring_are_reported)
{
	struct agent *agent = take();
	AUTO_TEXT struct prof_text text = {0};
	struct prof_message message;
	const void *bytes;
	int totals = 0;

	agent_say(agent, &text);
	ck_assert_str_eq(prof_text_get(&text), "");
	struct writer writer = ring_thread(&ring, 0, (uint32_t)getpid());
	ring_alloc(&writer, PROF_NODE_EMPTY, 1, 0x5000, 64);
	agent_report(agent);
	while (prof_queue_take(request.queue, &message, &bytes))
		totals += message.kind == PROF_MESSAGE_TOTAL;
	ck_assert_int_eq(totals, 1);
	agent_say(agent, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "An event has 32.0 bytes"));
	end(agent);
}
END_TEST

START_TEST(damaged_ring_is_reported)
{
	struct agent *agent = take();
	AUTO_TEXT struct prof_text text = {0};

	prof_ring_threads(ring.head)[0] = (struct prof_ring_thread){
		.state = PROF_RING_THREAD_USED, .id = 1, .first = CHUNKS + 1};
	ring.head->claimed++;
	agent_report(agent);
	agent_say(agent, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "is damaged: "));
	end(agent);
}
END_TEST

START_TEST(file_that_is_no_ring_is_refused)
{
	struct agent *agent;

	make(PROF_AGENT_READY, true);
	int file = data.fd;
	data.fd = -1;
	ck_assert_error(meet(&agent), "cannot open the agent's ring");
	ck_assert_ptr_null(agent);
	data.fd = file;
	/* Another number of chunks than was asked for: the file has another size. */
	request.chunks++;
	ck_assert_error(meet(&agent), "its size is not sealed");
	request.chunks--;
	ring.head->chunks++;
	ck_assert_error(meet(&agent), "its header is wrong");
	ring.head->chunks--;
	ring.head->magic++;
	ck_assert_error(meet(&agent), "its header is wrong");
	/* A file that the program can cut off would kill gdbprof by a signal. */
	make(PROF_AGENT_READY, false);
	ck_assert_error(meet(&agent), "its size is not sealed");
	ck_assert_int_eq(room.hooks_read, 0);
	ck_assert_int_eq(room.alive, 0);
}
END_TEST

START_TEST(answers_that_are_wrong_are_errors)
{
	struct agent *agent;

	make(PROF_AGENT_FAILED, false);
	data.error = ENOMEM;
	ck_assert_error(meet(&agent), "cannot create its ring: Cannot allocate memory.");
	ck_assert_ptr_null(agent);
	data.stage = 1000;
	ck_assert_error(meet(&agent), "is at an unknown stage");
	data.version++;
	ck_assert_error(meet(&agent), "another version of gdbprof");
	ck_assert_error(agent_meet(getpid(), 0, &request, &agent), "cannot read the agent's data");
	ck_assert_ptr_null(agent);
}
END_TEST

START_TEST(failure_leaves_no_redirections)
{
	struct agent *agent = take();

	end(agent);
	agent = take();
	agent_destroy(agent);
	room.hooks_fail = true;
	ck_assert_error(meet(&agent), "Bad hooks.");
	ck_assert_ptr_null(agent);
	room.hooks_fail = false;
	room.update_fails = true;
	ck_assert_error(meet(&agent), "Bad slot.");
	ck_assert_ptr_null(agent);
	ck_assert_int_eq(room.removed, 1);
	end(NULL);
}
END_TEST

START_TEST(child_has_redirections_without_a_ring)
{
	struct agent *agent = take();
	struct agent *child = agent_inherit(agent, 12345);
	AUTO_TEXT struct prof_text text = {0};
	uint64_t bytes, dropped;
	size_t objects;

	ck_assert_ptr_nonnull(child);
	ck_assert_int_eq(room.alive, 2);
	ck_assert_int_eq(agent_process(child), 12345);
	ck_assert(!agent_has_ring(child));
	ck_assert_uint_eq(agent_threshold(child), 0);
	agent_mpi(child, &bytes, &dropped);
	ck_assert_uint_eq(bytes + dropped, 0);
	ck_assert_uint_eq(agent_redirections(child, &objects), PROF_COUNT(list));
	/* Its parent's ring stays as it is. */
	agent_record(agent, true);
	agent_record(child, false);
	agent_report(child);
	agent_say(child, &text);
	ck_assert_str_eq(prof_text_get(&text), "");
	agent_retire(child);
	ck_assert_uint_eq(ring.head->families, PROF_FAMILY_HEAP);
	ck_assert_int_eq(room.removed, 1);
	agent_destroy(child);
	ck_assert_int_eq(room.alive, 1);
	end(agent);
}
END_TEST

START_TEST(program_that_executes_another_one_has_no_agent)
{
	struct agent *agent = take();

	data.stage = PROF_AGENT_LOADED;
	ck_assert(!agent_is_there(agent));
	data.stage = PROF_AGENT_READY;
	ck_assert(agent_is_there(agent));
	data.hook_count = 0;
	ck_assert(!agent_is_there(agent));
	data.version = 0;
	ck_assert(!agent_is_there(agent));
	end(agent);
}
END_TEST

START_TEST(agent_can_be_asked_for_more_functions)
{
	struct agent *agent = take();
	uint64_t function = 1;

	room.functions = 2;
	/* They are of a family that is not traced, and then all are built already. */
	ck_assert_ok(agent_ask_more(agent, &request, &function));
	ck_assert_uint_eq(function, 0);
	request.families |= PROF_FAMILY_CALLS;
	data.traced_built = 2;
	ck_assert_ok(agent_ask_more(agent, &request, &function));
	ck_assert_uint_eq(function, 0);
	room.functions = 3;
	ck_assert_ok(agent_ask_more(agent, &request, &function));
	ck_assert_uint_eq(function, 0x1234);
	ck_assert_uint_eq(data.traced_count, 3);
	ck_assert_str_eq(traced[2].name, "function2");
	/* What it has built is left alone. */
	ck_assert_str_eq(traced[0].name, "");
	data.traced_built = 3;
	ck_assert_ok(agent_extend(agent));
	ck_assert_int_eq(room.hooks_read, 2);
	ck_assert_uint_eq(room.families, PROF_FAMILY_HEAP | PROF_FAMILY_CALLS);
	ck_assert_int_eq(room.extended, 1);
	/* A damaged count is not followed. */
	data.traced_built = PROF_TRACED_FUNCTIONS + 1;
	ck_assert_ok(agent_ask_more(agent, &request, &function));
	ck_assert_uint_eq(function, 0);
	data.version++;
	ck_assert_error(agent_ask_more(agent, &request, &function), "another version");
	ck_assert_error(agent_extend(agent), "another version");
	end(agent);
}
END_TEST

START_TEST(traced_functions_have_a_state)
{
	struct agent *agent = take();

	ck_assert_uint_eq(agent_traced_count(agent), 3);
	ck_assert_int_eq(agent_traced(agent, 0), AGENT_TRACED);
	ck_assert_int_eq(agent_traced(agent, 1), AGENT_TRACED_NONE);
	ck_assert_int_eq(agent_traced(agent, 2), AGENT_TRACED_NOT);
	ck_assert_int_eq(agent_traced(agent, 3), AGENT_TRACED_NOT);
	end(agent);
}
END_TEST

RUN_TESTS("agent", loaded_agent_gets_the_request, loaded_agent_gets_the_functions_to_trace,
	ready_agent_has_a_ring_and_redirections, a_library_that_comes_later_is_traced_everywhere,
	recording_is_switched_in_the_ring, events_of_the_ring_are_reported,
	damaged_ring_is_reported, file_that_is_no_ring_is_refused,
	answers_that_are_wrong_are_errors, failure_leaves_no_redirections,
	child_has_redirections_without_a_ring, program_that_executes_another_one_has_no_agent,
	agent_can_be_asked_for_more_functions, traced_functions_have_a_state)
