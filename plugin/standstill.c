#include "plugin/standstill.h"

#include "base/clock.h"
#include "base/file.h"
#include "plugin/host.h"
#include "plugin/host_stack.h"
#include "plugin/naming.h"
#include "sample/procfs.h"

#include <stdlib.h>
#include <string.h>

/* Stacks that are walked at one stop: GDB takes up to a millisecond for each, and its user waits.
 */
enum { MOST = 100 };

/* Bytes that prologues take, but for those that save many arguments. */
enum { PROLOGUE = 16 };

struct stance {
	pid_t process, thread;
	int64_t run; /* schedstat's at the last stop or mark */
	int64_t now; /* and at this one */
	bool met;    /* by a tick since the last one */
	bool wanted; /* its stack is to be taken, or was */
};

/* GDB is one, and so are the threads that it has stand still. */
static PROF_ARRAY(struct stance) stances;

/* That of THREAD of PROCESS, added if there is none; NULL: no memory. */
static struct stance *find(pid_t process, pid_t thread)
{
	for (size_t i = 0; i < stances.count; i++) {
		if (stances.items[i].process == process && stances.items[i].thread == thread)
			return &stances.items[i];
	}
	struct stance *added = prof_array_push(&stances);
	if (added)
		*added = (struct stance){.process = process, .thread = thread};
	return added;
}

void standstill_met(pid_t process, pid_t thread)
{
	struct stance *stance = find(process, thread);

	if (stance)
		stance->met = true;
}

void standstill_end(void)
{
	free(stances.items);
	stances.items = NULL;
	stances.count = stances.capacity = 0;
}

/* A look that only tells of the stack of THREAD, or that none is known any more. */
static struct prof_record record_of(int64_t process, int64_t thread)
{
	return (struct prof_record){.kind = PROF_RECORD_LOOK,
		.look = {.time = prof_clock(), .thread = thread, .process = process}};
}

/* Is ADDRESS where a function is entered, or where breakpoints stand behind its prologue? */
static bool is_entry(uint64_t address)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	naming_address(address, &text);
	const char *offset = strstr(prof_text_get(&text), " + ");
	return text.length && (!offset || strtoul(offset + 3, NULL, 10) < PROLOGUE);
}

/* Tells what the selected THREAD, of PROCESS, was called from. */
static void put_stack(
	const struct engine_request *request, int64_t process, int64_t thread, uint64_t *frames)
{
	struct prof_record record = record_of(process, thread);
	size_t depth = request->max_depth;
	enum prof_stack_end end;

	host_forget(host_walk(frames, &depth, &end, NULL));
	bool entered = depth > 1 && is_entry(frames[0]);
	frames += entered;
	depth -= entered;
	record.look.depth = (uint32_t)depth;
	record.look.end = (uint8_t)end;
	record.size = (uint32_t)(depth * sizeof *frames);
	if (depth)
		prof_queue_put(request->queue, &record, frames);
}

/* What is wanted, and room for it. */
struct taking {
	const struct engine_request *request;
	pid_t process;
	bool all; /* threads stand still; at a mark it is the selected one, whatever GDB says */
	unsigned wanted; /* so many stacks, up to MOST */
	uint64_t *frames;
};

static void want(void *context, pid_t thread)
{
	struct taking *taking = context;
	struct prof_schedstat schedstat;
	AUTO_CLOSE int file = prof_procfs_open(taking->process, thread, "schedstat");
	struct stance *stance = find(taking->process, thread);

	if (!stance || file < 0 || !prof_procfs_schedstat(file, &schedstat))
		return;
	stance->now = schedstat.run;
	stance->wanted = !stance->met && schedstat.run > stance->run && taking->wanted < MOST;
	taking->wanted += stance->wanted;
}

static void take(void *context, const struct host_thread *thread)
{
	const struct taking *taking = context;
	const struct stance *stance = find(taking->process, (pid_t)thread->id);

	if (stance && stance->wanted && (!taking->all || !thread->is_running))
		put_stack(taking->request, thread->process, thread->id, taking->frames);
}

void standstill_take(
	const struct engine_request *request, pid_t process, bool all, uint64_t *frames)
{
	struct taking taking = {request, process, all, 0, frames};

	prof_procfs_threads(process, want, &taking);
	if (taking.wanted && host_stands_still(process))
		host_forget(all ? host_each_thread(take, &taking)
				: host_selected_thread(take, &taking));
}

void standstill_forget(const struct engine_request *request, pid_t process)
{
	size_t kept = 0;

	for (size_t i = 0; i < stances.count; i++) {
		struct stance *stance = &stances.items[i];
		struct prof_record record = record_of(process, stance->thread);
		if (stance->process == process) {
			if (stance->wanted)
				prof_queue_put(request->queue, &record, NULL);
			stance->run = stance->now;
			stance->met = stance->wanted = false;
		}
		if (prof_procfs_process(stance->thread))
			stances.items[kept++] = *stance;
	}
	stances.count = kept;
}

void standstill_tell(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t *frames)
{
	struct prof_record record = record_of(0, thread->id);

	frames[0] = 0;
	put_stack(request, 0, thread->id, frames);
	bool waits = frames[0] && host_in_system_call(frames[0]);
	record.look.state = waits ? PROF_STATE_OTHER : PROF_STATE_USER;
	record.look.spent[record.look.state] = ran;
	prof_queue_put(request->queue, &record, NULL);
	record.look = record_of(0, thread->id).look;
	prof_queue_put(request->queue, &record, NULL);
}
