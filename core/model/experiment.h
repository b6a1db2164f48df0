/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * An experiment: all that one recording holds.
 *
 * Everything stands in tables, and is known by its number there.  Numbers are given in the order of
 * first encounter and never change; entries are never removed.  Views read the tables directly and
 * change nothing.
 *
 *	sample --> path --> frame --> location --> function --> module
 *	       \-> thread
 */
#ifndef PROF_MODEL_EXPERIMENT_H
#define PROF_MODEL_EXPERIMENT_H

#include "base/error.h"
#include "base/children.h"
#include "base/map.h"
#include "base/strings.h"
#include "base/value.h"
#include "model/access.h"
#include "model/arcs.h"
#include "model/gmon.h"
#include "model/mark.h"
#include "model/mpi_operation.h"
#include "model/packed_rows.h"
#include "model/rank.h"
#include "model/row_changes.h"
#include "model/samples.h"
#include "model/traced_rows.h"
#include "model/unit.h"
#include "model/usage.h"

#include <stdint.h>

/* A range of addresses to which part of a module was mapped. */
struct prof_range {
	uint64_t low, high; /* first byte, and the byte after the last */
	uint64_t offset;    /* of LOW in the file */
};

/* What everything is called whose name is not known. */
#define PROF_UNKNOWN "<Unknown>"

/* A load object; module 0 is PROF_UNKNOWN. */
struct prof_module {
	uint32_t path;     /* string */
	uint32_t build_id; /* string, hex; "" if it has none */
	PROF_ARRAY(struct prof_range) ranges;
};

/* A thread of the program; several may have had the same id, one after another. */
struct prof_thread {
	int64_t id;      /* the kernel's */
	uint32_t name;   /* string: the last that it has borne */
	int64_t process; /* the kernel's id; 0: not known, as where there is but one */
};

/* Whose a thread is, where that is known. */
struct prof_owner {
	uint32_t thread; /* thread */
	int64_t process; /* the kernel's id, not 0 */
};

/* A function, known by its name and its module. */
struct prof_function {
	uint32_t name;   /* string */
	uint32_t module; /* module */
};

#define PROF_OFFSET_UNKNOWN INT64_MIN

/* One function at an address; an address in inlined code has several. */
struct prof_location {
	uint32_t function; /* function */
	uint32_t file;     /* string; "" if not known */
	uint32_t line;     /* 0 if not known */
	/* Bytes from where the function, or its inlined code here, begins; negative where part of
	   it lies before that; or PROF_OFFSET_UNKNOWN. */
	int64_t offset;
};

/*
 * A place in the code.  LOCATIONS of them from FIRST_LOCATION on in the table of locations, the
 * innermost first; none while the frame is not resolved.
 */
struct prof_frame {
	uint64_t address; /* lookup address, see target/unwind.h; 0 for imported and artificial
			     frames */
	uint32_t module;  /* module */
	uint32_t first_location, locations;
};

/* What the call instruction at FRAME calls, see model/call_target.h. */
struct prof_call_target {
	uint32_t frame; /* frame */
	uint32_t name;  /* string */
};

/* A parallel region of OpenMP. */
struct prof_region {
	uint32_t function; /* function: as stacks name the region */
	uint32_t caller;   /* frame: the first that was met where it is opened; PROF_NONE: none */
	uint32_t file;     /* string: where it begins; "" if not known */
	uint32_t line;     /* 0 if not known */
};

/* A stack: FRAME called from the stack PARENT, a smaller number.  Path 0 is the empty stack. */
struct prof_path {
	uint32_t parent; /* path */
	uint32_t frame;  /* frame */
};

/* The unit of an event that is no counter. */
enum { PROF_EVENT_SAMPLES = PROF_COUNTER_UNITS };

/* The words for the units: "events", "cycles", "nanoseconds", "samples". */
extern const char *const prof_event_units[PROF_EVENT_SAMPLES + 1];

/* Hz: no CPU is slower, and the times that cycles become can still be added up. */
enum { PROF_CLOCK_LEAST = 1000000 };

/*
 * What samples of a kind of their own stand for: a counter whose overflows made them, or an event
 * of an imported file that has several, as perf can sample them.  Names are unique.
 */
struct prof_event {
	uint32_t name; /* string */
	uint8_t unit;  /* what values are: enum prof_counter_unit, or PROF_EVENT_SAMPLES */
	/* The rest is of counters. */
	int64_t clock;     /* Hz, PROF_CLOCK_LEAST or more: of cycles; 0: not known, or none */
	int64_t interval;  /* events that a sample stands for; 0: not always the same */
	int64_t overflows; /* how often it did */
	int64_t lost;      /* of them, those without room for their sample: without a stack */
	uint64_t changed;
};

/* What is known of the access to memory that made a counter overflow, where that was looked for. */
struct prof_data {
	uint32_t sample; /* larger than that of the row before */
	uint8_t trigger; /* enum prof_trigger: what is known of the instruction */
	uint8_t access;  /* enum prof_access: what it did */
	/* Instructions from there to where the thread was interrupted; 0: it was not searched. */
	uint8_t skid;
	bool addressed; /* the address of the data is ADDRESS */
	uint64_t address;
};

/* A point in time that divides the run. */
struct prof_mark {
	int64_t time;            /* ns since the experiment's start */
	uint32_t label;          /* string */
	uint8_t kind;            /* enum prof_mark_kind */
	struct prof_usage usage; /* of all processes, since the experiment's start */
};

/* What threads waited for: a lock of the program. */
struct prof_object {
	uint64_t address;
	uint32_t name; /* string; "" if not known */
	uint64_t changed;
};

/* What the values of an argument of traced calls add up to, or of what they return. */
struct prof_argument {
	uint32_t traced; /* traced row; no smaller than that of the row before */
	uint32_t name;   /* string: as the user calls it */
	struct prof_argument_sum sum;
};

/* What a traced row had not freed at a time; it holds until the next row of it. */
struct prof_held {
	int64_t time;    /* ns since the experiment's start; no less than that of the row before */
	uint32_t traced; /* traced row */
	int64_t blocks, bytes; /* not freed then */
};

/* What is known of a process's heap as a whole. */
struct prof_heap_of {
	int64_t process;       /* the kernel's id; 0: not known */
	struct prof_heap heap; /* its time is in ns since the experiment's start */
	uint64_t changed;
};

/* What of a source file makes its lines doubtful: bits. */
enum {
	PROF_NEWER_RECORDING = 1, /* it was changed since the recording began */
	PROF_NEWER_PROGRAM = 2,   /* and since the program was built */
};

/* A source file, see model/archive.h. */
struct prof_archived_source {
	uint32_t file; /* string, as locations have it */
	uint32_t path; /* string: where it was read */
	uint8_t newer; /* bits, see above */
	char *text;    /* the experiment's own */
};

/* Where a function stands in the source. */
struct prof_archived_extent {
	uint32_t function;    /* function */
	uint32_t file;        /* string */
	uint32_t first, last; /* lines, from 1 */
};

/* The instructions of the outermost function at FRAME. */
struct prof_archived_block {
	uint32_t frame; /* frame */
	char *text;     /* the experiment's own */
};

/* How the experiment came about; what is not known is 0 or "".  Texts are its own. */
struct prof_recording {
	char *program; /* path */
	char *source;  /* the file that was imported, "" if it was recorded */
	char *engine, *unwinder;
	char *clock;          /* what samples count: "cpu", a thread on a CPU; "wall", any thread */
	int64_t date;         /* seconds since 1970 of the start */
	int64_t start;        /* ns of CLOCK_MONOTONIC at the start: what times are relative to */
	int64_t duration;     /* ns the program ran while recording was on */
	double rate_asked;    /* Hz; 0: nothing was sampled, the experiment was imported */
	double rate_lowest;   /* Hz, to which it was lowered to keep the stopped share */
	uint64_t ticks;       /* sent or due */
	uint64_t ticks_lost;  /* of them, not turned into a sample */
	uint64_t rounds;      /* how often all threads were looked at */
	int64_t kept;         /* ns that threads were kept stopped, added up */
	int64_t stopped;      /* of that, what they would have run */
	int64_t running;      /* ns that threads were on a CPU, added up */
	int64_t delayed;      /* ns that threads waited for a CPU, added up */
	int64_t blocked;      /* ns on a CPU of threads that blocked the signal: no stacks */
	int64_t bursts;       /* ns in short runs without a timer, see sampling/bursts.h */
	int64_t looking;      /* ns of CPU time that looking at threads took */
	uint64_t stride;      /* sleeping threads were looked at in one of so many rounds */
	uint64_t unread;      /* threads that were not watched, for want of descriptors */
	uint64_t experiments; /* how many experiments were added up; 0 or 1: it is the only one */
	uint64_t extra_ends;  /* imported events: ends of no call, which were left out */
	uint64_t open_calls;  /* calls without an end, which end with the last event */
	int64_t counting;     /* ns that threads were kept stopped to count calls, added up */
	uint64_t families;    /* what was traced: bits of enum prof_family */
	uint64_t events;      /* of it */
	uint64_t events_lost; /* since there was no room for them: not in EVENTS */
	uint64_t events_dropped; /* of MPI, behind the limit of flushes: likewise */
	/* Operations of MPI, or ends of them, that it has no rows for: too many, or lost. */
	uint64_t operations_lost;
	int64_t clock_correction; /* ns by which the clock of a host was moved, at most */
	uint64_t event_bytes;     /* that the events took */
	int64_t threshold;        /* ns: waits that were longer were recorded */
	int64_t uncontended;      /* ns: mean of a call that does not wait; 0: not measured */
};

struct prof_experiment {
	struct prof_recording recording;
	struct prof_gmon gmon; /* a gmon.out; where there is one, there are no stacks */
	struct prof_strings strings;
	PROF_ARRAY(struct prof_module) modules;
	struct prof_packed_rows threads; /* are read by prof_experiment_thread_row() */
	struct prof_row_changes thread_changes;
	/* A thread once at the most; are read by prof_experiment_owner_row(). */
	struct prof_packed_rows owners;
	PROF_ARRAY(struct prof_rank) ranks; /* none: it is of no parallel job */
	PROF_ARRAY(struct prof_function) functions;
	PROF_ARRAY(struct prof_location) locations;
	PROF_ARRAY(struct prof_frame) frames;
	PROF_ARRAY(struct prof_call_target) call_targets; /* a frame once at the most */
	PROF_ARRAY(struct prof_path) paths;
	struct prof_samples samples;   /* are read by a cursor: see model/cursor.h */
	struct prof_packed_rows calls; /* samples that are calls: see model/single_calls.h */
	PROF_ARRAY(struct prof_mark) marks;
	PROF_ARRAY(struct prof_event) events; /* those of PROF_QUANTITY_EVENT */
	PROF_ARRAY(struct prof_data) data;
	PROF_ARRAY(struct prof_arc) arcs;
	PROF_ARRAY(struct prof_arc_value) arc_values; /* none where there are stacks */
	PROF_ARRAY(struct prof_object) objects;
	struct prof_row_changes object_changes;
	struct prof_traced_rows traced;
	bool calls_traced; /* a traced row has calls of a function that was traced */
	PROF_ARRAY(struct prof_argument) arguments;
	struct prof_row_changes argument_changes;
	PROF_ARRAY(struct prof_held) held;
	PROF_ARRAY(struct prof_mpi_operation) operations;
	PROF_ARRAY(struct prof_heap_of) heaps;
	PROF_ARRAY(struct prof_archived_source) archived_sources;
	PROF_ARRAY(struct prof_archived_extent) archived_extents;
	PROF_ARRAY(struct prof_archived_block) archived_blocks;
	/* Counts changes of rows that were there; `changed` of a row is the last one of its. */
	uint64_t changes;

	/* What stacks do for parallel runtimes, by path: bits, see parallel/class.h.  A path behind
	   the last one has none.  It is made of the rest, and not in the file. */
	PROF_ARRAY(uint8_t) classes;
	unsigned classes_used; /* the bits that any of them has */
	/* The same: the innermost parallel region that each is in, or PROF_NONE. */
	PROF_ARRAY(uint32_t) regions;
	PROF_ARRAY(struct prof_region) region_rows; /* those that they refer to */

	int64_t first_thread; /* the lowest id of a thread; 0: there is none */

	/* Private part: the frames in the order in which they were resolved, for the store. */
	PROF_ARRAY(uint32_t) resolved;
	/* The indices that intern. */
	struct prof_map module_index, function_index, frame_index, object_index;
	struct prof_children path_index;                         /* by frame */
	struct prof_map target_index;                            /* by frame */
	struct prof_map source_index, extent_index, block_index; /* by file, by function */
};

/* An empty experiment: module 0 and path 0 are there, nothing else. */
struct prof_error *prof_experiment_create(struct prof_experiment **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_experiment_destroy(struct prof_experiment *experiment);

/* Destroys *EXPERIMENT, for the guard. */
void prof_experiment_auto(struct prof_experiment **experiment);
#define AUTO_EXPERIMENT PROF_AUTO(prof_experiment_auto)

/* The number of the string TEXT. */
struct prof_error *prof_experiment_string(
	struct prof_experiment *experiment, const char *text, uint32_t *ret) PROF_MUST_CHECK;

/* The text of the string NUMBER, borrowed, not to be trusted. */
static inline const char *prof_experiment_text(
	const struct prof_experiment *experiment, uint32_t number)
{
	return prof_strings_get(&experiment->strings, number);
}

/* The number of the string "", which is always there: module 0 has no build ID. */
static inline uint32_t prof_experiment_no_string(const struct prof_experiment *experiment)
{
	return experiment->modules.items[0].build_id;
}

/* The module with PATH and BUILD_ID (hex, or ""), added if new. */
struct prof_error *prof_experiment_module(struct prof_experiment *experiment, const char *path,
	const char *build_id, uint32_t *ret) PROF_MUST_CHECK;

/* Adds RANGE to MODULE unless it is there. */
struct prof_error *prof_experiment_range(struct prof_experiment *experiment, uint32_t module,
	const struct prof_range *range) PROF_MUST_CHECK;

/* A new thread. */
struct prof_error *prof_experiment_thread(struct prof_experiment *experiment, int64_t id,
	const char *name, uint32_t *ret) PROF_MUST_CHECK;

/* The row of THREAD. */
struct prof_thread prof_experiment_thread_row(
	const struct prof_experiment *experiment, uint32_t thread);

/* The row NUMBER of the owners. */
struct prof_owner prof_experiment_owner_row(
	const struct prof_experiment *experiment, uint32_t number);

/* THREAD, whose process was not known, belongs to PROCESS, which is not 0. */
struct prof_error *prof_experiment_own(
	struct prof_experiment *experiment, uint32_t thread, int64_t process) PROF_MUST_CHECK;

/* The classes of PATH, bits. */
static inline unsigned prof_experiment_classes(
	const struct prof_experiment *experiment, uint32_t path)
{
	return path < experiment->classes.count ? experiment->classes.items[path] : 0;
}

/*
 * Is THREAD the main thread of its process?  Where this is not known, there is one process, whose
 * main thread is that with the lowest id.
 */
bool prof_experiment_is_main(const struct prof_experiment *experiment, uint32_t thread);

/* THREAD bears NAME now. */
struct prof_error *prof_experiment_rename(
	struct prof_experiment *experiment, uint32_t thread, const char *name) PROF_MUST_CHECK;

/* The function NAME (LENGTH bytes) of MODULE, added if new. */
struct prof_error *prof_experiment_function(struct prof_experiment *experiment, const char *name,
	size_t length, uint32_t module, uint32_t *ret) PROF_MUST_CHECK;

/*
 * The frame at ADDRESS in MODULE, added, not resolved, if new.  At address 0 there is no code: it
 * gives the frame of the function "<Unknown>".
 */
struct prof_error *prof_experiment_frame(struct prof_experiment *experiment, uint32_t module,
	uint64_t address, uint32_t *ret) PROF_MUST_CHECK;

/* The frame without an address that stands for FUNCTION, added if new. */
struct prof_error *prof_experiment_frame_of(
	struct prof_experiment *experiment, uint32_t function, uint32_t *ret) PROF_MUST_CHECK;

/* The same for its code at LINE of FILE, a string: 0 and "" if not known. */
struct prof_error *prof_experiment_frame_at(struct prof_experiment *experiment, uint32_t function,
	uint32_t file, uint32_t line, uint32_t *ret) PROF_MUST_CHECK;

/* Resolves FRAME, which was not resolved: COUNT > 0 locations, the innermost first. */
struct prof_error *prof_experiment_resolve(struct prof_experiment *experiment, uint32_t frame,
	const struct prof_location *locations, uint32_t count) PROF_MUST_CHECK;

/* The path of FRAME called from the path PARENT, added if new. */
struct prof_error *prof_experiment_path(struct prof_experiment *experiment, uint32_t parent,
	uint32_t frame, uint32_t *ret) PROF_MUST_CHECK;

/* Adds SAMPLE with its values, one per quantity, none negative or above PROF_VALUE_MOST. */
struct prof_error *prof_experiment_sample(struct prof_experiment *experiment,
	const struct prof_sample *sample, const prof_value values[PROF_QUANTITIES]) PROF_MUST_CHECK;

/* Adds the sample ROW, likewise: for readers that know which few quantities it has. */
struct prof_error *prof_experiment_sample_row(
	struct prof_experiment *experiment, const struct prof_sample_row *row) PROF_MUST_CHECK;

/*
 * The sample NUMBER, one of the last PROF_SAMPLES_BLOCK, stands for VALUES more, and for the time
 * until TIME, ns since the experiment's start.  False: it is packed, and cannot change any more.
 */
bool prof_experiment_extend(struct prof_experiment *experiment, size_t number, int64_t time,
	const prof_value values[PROF_QUANTITIES]);

/* Adds MARK with the label LABEL. */
struct prof_error *prof_experiment_mark(struct prof_experiment *experiment,
	const struct prof_mark *mark, const char *label) PROF_MUST_CHECK;

/* The object at ADDRESS, added, without a name, if new. */
struct prof_error *prof_experiment_object(
	struct prof_experiment *experiment, uint64_t address, uint32_t *ret) PROF_MUST_CHECK;

/* Gives OBJECT a name. */
struct prof_error *prof_experiment_name_object(
	struct prof_experiment *experiment, uint32_t object, const char *name) PROF_MUST_CHECK;

/* Adds TRACED, of a sample that is later than those that have one. */
struct prof_error *prof_experiment_traced(
	struct prof_experiment *experiment, const struct prof_traced_row *traced) PROF_MUST_CHECK;

/* The traced row NUMBER has the VALUES now, whole numbers, of its sample, and LONGEST, in ns. */
void prof_experiment_traced_values(struct prof_experiment *experiment, uint32_t number,
	const int64_t values[PROF_TRACED_VALUES], int64_t longest);

/*
 * The traced row NUMBER is of calls of MPI by the process with RANK in MPI_COMM_WORLD, which
 * exchanged messages with that of the rank PEER; -1: not known, or no messages.
 */
void prof_experiment_ranks(
	struct prof_experiment *experiment, uint32_t number, int64_t rank, int64_t peer);

/* The traced row NUMBER will never change again. */
void prof_experiment_close(struct prof_experiment *experiment, uint32_t number);

/* The last event of the traced row NUMBER was at LAST, ns since the experiment's start. */
void prof_experiment_last(struct prof_experiment *experiment, uint32_t number, int64_t last);

/*
 * The number of the event NAME of an imported file, added if new.  Events for which there is no
 * room share one number, PROF_OTHER_EVENTS.
 */
struct prof_error *prof_experiment_event(
	struct prof_experiment *experiment, const char *name, uint32_t *ret) PROF_MUST_CHECK;

/*
 * The number of EVENT, all but its name, which is NAME, added if new: its overflows are added to
 * those of the one that is there.  Where that has another unit or clock, this one is called
 * "NAME-2", or what follows.  It is an error if there are PROF_EVENTS others.
 */
struct prof_error *prof_experiment_counter(struct prof_experiment *experiment, const char *name,
	const struct prof_event *event, uint32_t *ret) PROF_MUST_CHECK;

/* Has EXPERIMENT a counter? */
bool prof_experiment_has_counters(const struct prof_experiment *experiment);

/* Did the clock or counters take its samples?  If not they were imported, or there are none. */
bool prof_experiment_is_sampled(const struct prof_experiment *experiment);

/* Adds overflows of the event NUMBER, LOST of which had no room for their sample. */
void prof_experiment_overflow(
	struct prof_experiment *experiment, uint32_t number, uint64_t overflows, uint64_t lost);

/* Adds DATA. */
struct prof_error *prof_experiment_data(
	struct prof_experiment *experiment, const struct prof_data *data) PROF_MUST_CHECK;

/* The row of SAMPLE, borrowed until one is added, or NULL. */
const struct prof_data *prof_experiment_data_of(
	const struct prof_experiment *experiment, uint32_t sample);

/* Adds ARGUMENT, of the traced row that the last one is of, or a later one. */
struct prof_error *prof_experiment_argument(
	struct prof_experiment *experiment, const struct prof_argument *argument) PROF_MUST_CHECK;

/* The argument NUMBER adds up to SUM now. */
void prof_experiment_add_up(
	struct prof_experiment *experiment, uint32_t number, const struct prof_argument_sum *sum);

/* Adds HELD, which is no earlier than the last. */
struct prof_error *prof_experiment_held(
	struct prof_experiment *experiment, const struct prof_held *held) PROF_MUST_CHECK;

/* Adds HEAP, or puts it in place of the row *NUMBER, unless that is PROF_NONE. */
struct prof_error *prof_experiment_heap(struct prof_experiment *experiment, int64_t process,
	const struct prof_heap *heap, uint32_t *number) PROF_MUST_CHECK;

/* The bytes of memory that the tables of EXPERIMENT fill, without what finds their rows again. */
uint64_t prof_experiment_size(const struct prof_experiment *experiment);

/*
 * The number of the function "<Unknown>" of module 0.  Profiles count frames without locations and
 * empty stacks as that function.  They only read the experiment, so where the table of functions
 * does not have it, its number is the one behind the last.
 */
uint32_t prof_experiment_unknown(const struct prof_experiment *experiment);

/* The number of functions, "<Unknown>" included: the size of arrays by function. */
size_t prof_experiment_functions(const struct prof_experiment *experiment);

/* The row of FUNCTION, which may be prof_experiment_unknown(). */
struct prof_function prof_experiment_function_row(
	const struct prof_experiment *experiment, uint32_t function);

/* The frame at ADDRESS in MODULE; PROF_NONE: there is none. */
uint32_t prof_experiment_find_frame(
	const struct prof_experiment *experiment, uint32_t module, uint64_t address);

/* The frame without an address that stands for FUNCTION; PROF_NONE: there is none. */
uint32_t prof_experiment_find_frame_of(const struct prof_experiment *experiment, uint32_t function);

/* The name of FUNCTION, borrowed, not to be trusted: print it with prof_text_name(). */
const char *prof_experiment_function_name(
	const struct prof_experiment *experiment, uint32_t function);

/* Asserts everything that holds of an experiment; for tests and debugging. */
void prof_experiment_check(const struct prof_experiment *experiment);

#endif
