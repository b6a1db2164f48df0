#include "tracing/drain.h"

#include "base/clock.h"
#include "base/gate.h"
#include "base/thread.h"
#include "tracing/stream.h"
#include "tracing/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MS INT64_C(1000000)

static const int64_t LATE = MS;               /* records reach the ring within this time */
static const int64_t TELL_EVERY = 200 * MS;   /* cells are told */
static const int64_t WHOLE_EVERY = 2000 * MS; /* and all of them looked through */
static const int64_t REAP_EVERY = 100 * MS;   /* threads are looked at whether they live */
static const int64_t SLEEP_LEAST = MS, SLEEP_MOST = 16 * MS; /* without events */
static const int64_t PATIENCE = 2000 * MS;                   /* with a queue that stays full */

enum {
	PIECE = 1 << 16, /* records, after which others may have the lock */
	HASTE = -10,     /* the thread's nice value, where that is permitted */
	DEPTH = 1 << 16, /* frames of a stack at most: a record must fit into the queue */
};

/* A mark that is to come. */
struct mark {
	uint64_t tick;
	int64_t time;
};

struct prof_drain {
	struct prof_drain_options options;
	struct prof_traced_hook *hooks;
	pthread_t thread;
	struct prof_gate gate;
	pthread_cond_t wake; /* quit has changed */

	/* All below under the gate's lock. */
	bool quit;
	struct prof_ticks ticks;
	struct prof_streams streams;
	struct prof_stacks *stacks;
	struct prof_cells cells;
	struct prof_tell tell;
	PROF_ARRAY(struct mark) marks;
	bool foreign;                /* the process calls its threads by other numbers than we do */
	uint64_t generation;         /* of the mappings when a stack was last walked */
	int64_t told, whole, reaped; /* ns of CLOCK_MONOTONIC: when last */
	int64_t working;
};

/* The ring's head is written by the agent: nothing there is taken for more than a number. */
static struct prof_traced sum_up(const struct prof_drain *drain)
{
	const struct prof_ring *ring = drain->options.ring;

	return (struct prof_traced){
		.events = drain->streams.records,
		.bytes = drain->streams.bytes,
		.lost = drain->streams.lost + drain->cells.refused,
		.families = atomic_load_explicit(&ring->families, memory_order_relaxed) &
			(PROF_FAMILY_HEAP | PROF_FAMILY_SYNC | PROF_FAMILY_TRACE),
		.threshold = prof_ticks_span(&drain->ticks, ring->threshold),
		.uncontended = prof_ticks_span(&drain->ticks, ring->uncontended),
	};
}

/* Cuts at all marks that are not later than TICK. */
static void cut(struct prof_drain *drain, uint64_t tick)
{
	size_t count = 0;

	while (count < drain->marks.count && drain->marks.items[count].tick <= tick) {
		int64_t *time = prof_array_push(&drain->tell.marks);
		if (!time)
			break;
		*time = drain->marks.items[count++].time;
		prof_cells_mark(&drain->cells);
	}
	drain->marks.count -= count;
	if (count)
		memmove(drain->marks.items, drain->marks.items + count,
			drain->marks.count * sizeof *drain->marks.items);
}

/* The number of the stack of STREAM's record. */
static uint32_t find_stack(struct prof_drain *drain, const struct prof_stream *stream)
{
	if (!stream->raw.length)
		return stream->next.node;
	uint32_t number = prof_stacks_raw(drain->stacks, &stream->raw);
	uint64_t generation = prof_stacks_generation(drain->stacks);
	/* The frames of cells until now are of what was mapped until now. */
	if (generation != drain->generation)
		prof_tell_before(&drain->tell);
	drain->generation = generation;
	return number;
}

static void take(struct prof_drain *drain, struct prof_stream *stream)
{
	if (drain->marks.count && stream->next.time >= drain->marks.items[0].tick)
		cut(drain, stream->next.time);
	/* The first thread that was met need not be the first that has an event. */
	if (!stream->named) {
		stream->named = true;
		prof_tell_thread(&drain->tell, stream->id);
	}
	prof_cells_add(&drain->cells, stream, find_stack(drain, stream));
}

/* Takes what is not later than LIMIT, at most COUNT records.  Returns how many. */
static size_t take_until(struct prof_drain *drain, uint64_t limit, size_t count)
{
	struct prof_stream *stream;
	size_t taken = 0;

	while (taken < count && (stream = prof_streams_first(&drain->streams, limit))) {
		take(drain, stream);
		prof_streams_advance(&drain->streams);
		taken++;
	}
	return taken;
}

/* Is it time to do again what was last done at *LAST? */
static bool is_due(int64_t now, int64_t every, int64_t *last)
{
	if (now - *last < every)
		return false;
	*last = now;
	return true;
}

/* Gives back the room of what has been told, and is over. */
static void retire(struct prof_drain *drain)
{
	struct prof_streams *streams = &drain->streams;

	for (size_t i = 0; i < streams->gone.count; i++)
		prof_cells_end(&drain->cells, streams->gone.items[i]);
	prof_cells_retire(&drain->cells);
	for (size_t i = streams->gone.count; i-- > 0;) {
		if (!prof_cells_has(&drain->cells, streams->gone.items[i]))
			prof_streams_release(streams, i);
	}
}

static void tell(struct prof_drain *drain, int64_t now)
{
	struct prof_traced traced = sum_up(drain);

	if (!is_due(now, TELL_EVERY, &drain->told))
		return;
	prof_tell_traced(&drain->tell, &traced);
	bool whole = is_due(now, WHOLE_EVERY, &drain->whole);
	if (prof_tell_cells(&drain->tell, whole) && whole)
		retire(drain);
}

/* Takes what is there by now.  Returns how many records. */
static size_t pass(struct prof_drain *drain)
{
	int64_t now = prof_clock();
	size_t total = 0;
	size_t taken;

	prof_ticks_adjust(&drain->ticks);
	uint64_t limit =
		prof_streams_look(&drain->streams, prof_ticks_of(&drain->ticks, now - LATE));
	do {
		taken = limit ? take_until(drain, limit - 1, PIECE) : 0;
		total += taken;
		prof_gate_give_way(&drain->gate);
	} while (taken == PIECE && !drain->quit);
	if (limit && !drain->quit)
		cut(drain, limit - 1);
	if (is_due(now, REAP_EVERY, &drain->reaped) && !drain->foreign)
		prof_streams_reap(&drain->streams, drain->options.pid, REAP_EVERY);
	tell(drain, now);
	return total;
}

static int64_t cpu_time(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

/*
 * The thread must keep up with all of the program's together, however many there are.  Who may not
 * do that has to do with the CPU time that it gets.
 */
static void hurry(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), HASTE);
}

static void *run(void *context)
{
	struct prof_drain *drain = context;
	int64_t sleep = SLEEP_LEAST;

	hurry();
	pthread_mutex_lock(&drain->gate.lock);
	while (!drain->quit) {
		sleep = pass(drain) ? SLEEP_LEAST : sleep * 2;
		if (sleep > SLEEP_MOST)
			sleep = SLEEP_MOST;
		drain->working = cpu_time();
		prof_gate_give_way(&drain->gate);
		if (!drain->quit)
			prof_thread_wait(&drain->wake, &drain->gate.lock, prof_clock() + sleep);
	}
	pthread_mutex_unlock(&drain->gate.lock);
	return NULL;
}

static void deinit(struct prof_drain *drain)
{
	prof_streams_deinit(&drain->streams);
	prof_stacks_destroy(drain->stacks);
	prof_cells_deinit(&drain->cells);
	prof_tell_deinit(&drain->tell);
	prof_gate_deinit(&drain->gate);
	pthread_cond_destroy(&drain->wake);
	free(drain->marks.items);
	free(drain->hooks);
	free(drain);
}

/* Is PID in another namespace?  Without an answer it is not. */
static bool is_foreign(pid_t pid)
{
	char path[64];
	char own[64] = "", other[64] = "";

	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	if (readlink("/proc/self/ns/pid", own, sizeof own - 1) < 0 ||
		readlink(path, other, sizeof other - 1) < 0)
		return false;
	return strcmp(own, other) != 0;
}

/* Takes a copy of COUNT HOOKS. */
static struct prof_error *set_hooks(
	struct prof_drain *drain, const struct prof_traced_hook *hooks, size_t count)
{
	struct prof_traced_hook *copy = malloc(count * sizeof *copy + 1);

	if (!copy)
		return prof_error_nomem();
	if (count)
		memcpy(copy, hooks, count * sizeof *copy);
	free(drain->hooks);
	drain->hooks = copy;
	drain->cells.hooks = copy;
	drain->cells.hook_count = count;
	return NULL;
}

/* Fills in what is made of the options. */
static struct prof_error *init(struct prof_drain *drain)
{
	const struct prof_drain_options *options = &drain->options;
	struct prof_error *error = prof_streams_init(&drain->streams, options->ring, options->size);

	if (error)
		return error;
	error = prof_stacks_create(options->ring, options->pid, options->depth, &drain->stacks);
	if (error)
		return error;
	drain->tell = (struct prof_tell){
		.queue = options->queue,
		.number = options->number,
		.pid = options->pid,
		.cells = &drain->cells,
		.stacks = drain->stacks,
		.ticks = &drain->ticks,
		.depth = options->depth,
	};
	error = set_hooks(drain, options->hooks, options->hook_count);
	return error ? error : prof_tell_init(&drain->tell);
}

struct prof_error *prof_drain_create(
	const struct prof_drain_options *options, struct prof_drain **ret)
{
	struct prof_drain *drain = calloc(1, sizeof *drain);

	if (!drain)
		return prof_error_nomem();
	drain->options = *options;
	if (drain->options.depth > DEPTH)
		drain->options.depth = DEPTH;
	drain->foreign = is_foreign(options->pid);
	prof_gate_init(&drain->gate);
	prof_thread_condition(&drain->wake);
	prof_ticks_init(&drain->ticks, options->counter);
	int64_t now = prof_clock();
	drain->told = drain->whole = drain->reaped = now;
	drain->cells.slice = prof_ticks_of(&drain->ticks, now + options->slice) -
		prof_ticks_of(&drain->ticks, now);
	struct prof_error *error = init(drain);
	if (!error)
		error = prof_thread_start(
			run, drain, "gdbprof-drain", "The draining thread", &drain->thread);
	if (error) {
		deinit(drain);
		return error;
	}
	*ret = drain;
	return NULL;
}

void prof_drain_destroy(struct prof_drain *drain)
{
	if (!drain)
		return;
	prof_gate_enter(&drain->gate);
	drain->quit = true;
	pthread_cond_signal(&drain->wake);
	prof_gate_leave(&drain->gate);
	pthread_join(drain->thread, NULL);
	/* Where the queue is full, what the recorder knows of the cells just takes memory. */
	(void)prof_queue_try(drain->options.queue,
		&(struct prof_record){
			.kind = PROF_RECORD_DRAINED, .drained = {.drain = drain->options.number}},
		NULL);
	deinit(drain);
}

/* Tells all, as the recorder makes room for it; gives up where that does nothing. */
static void tell_all(struct prof_drain *drain)
{
	struct prof_queue *queue = drain->options.queue;
	struct prof_traced traced = sum_up(drain);
	int64_t moved = prof_clock();
	size_t waiting = 0;

	while (!prof_tell_cells(&drain->tell, true) || !prof_tell_traced(&drain->tell, &traced)) {
		size_t count = prof_queue_count(queue);
		if (count < waiting)
			moved = prof_clock();
		waiting = count;
		if (prof_clock() - moved > PATIENCE)
			return;
		usleep(1000);
	}
}

/*
 * Takes and tells all until now; the caller has the lock.  Who is writing just now is not waited
 * for: a thread may stand still there.  Of a program that goes on, what comes later is left, for
 * that may be told of before what came before it.
 */
static void flush(struct prof_drain *drain)
{
	/* What is damaged may have no end: no more than the ring has room for. */
	size_t most = (size_t)drain->streams.chunks * PROF_RING_CHUNK / sizeof(uint64_t);
	uint64_t limit = prof_ticks_now(&drain->ticks);

	prof_ticks_adjust(&drain->ticks);
	prof_streams_look(&drain->streams, 0);
	take_until(drain, limit, most);
	cut(drain, limit);
	tell_all(drain);
}

void prof_drain_flush(struct prof_drain *drain)
{
	prof_gate_enter(&drain->gate);
	flush(drain);
	prof_gate_leave(&drain->gate);
}

struct prof_error *prof_drain_hooks(
	struct prof_drain *drain, const struct prof_traced_hook *hooks, size_t count)
{
	prof_gate_enter(&drain->gate);
	struct prof_error *error = set_hooks(drain, hooks, count);
	prof_gate_leave(&drain->gate);
	return error;
}

void prof_drain_mark(struct prof_drain *drain, int64_t time)
{
	prof_gate_enter(&drain->gate);
	prof_ticks_adjust(&drain->ticks);
	struct mark *mark = prof_array_push(&drain->marks);
	if (mark)
		*mark = (struct mark){prof_ticks_of(&drain->ticks, time), time};
	prof_gate_leave(&drain->gate);
}

void prof_drain_objects(struct prof_drain *drain)
{
	prof_gate_enter(&drain->gate);
	flush(drain);
	prof_stacks_flush(drain->stacks);
	prof_gate_leave(&drain->gate);
}

void prof_drain_look(struct prof_drain *drain, struct prof_drain_status *ret)
{
	prof_gate_enter(&drain->gate);
	*ret = (struct prof_drain_status){
		.events = drain->streams.records,
		.bytes = drain->streams.bytes,
		.lost = drain->streams.lost + drain->cells.refused,
		.cells = drain->cells.made,
		.working = drain->working,
		.damage = drain->streams.damage,
	};
	prof_gate_leave(&drain->gate);
}
