/*
 * What a whole process has used, and uses, at one time, as the kernel accounts for it: the figures
 * of marks.  They are of all threads together, so they have no stack, and are no metrics.
 */
#ifndef PROF_SAMPLE_USAGE_H
#define PROF_SAMPLE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum prof_usage_figure {
	PROF_USAGE_RUNNING,     /* ns that it went on and was recorded: the marker knows */
	PROF_USAGE_USER,        /* ns on a CPU in the program's code */
	PROF_USAGE_SYSTEM,      /* ns on a CPU in system calls */
	PROF_USAGE_MINOR,       /* page faults without input */
	PROF_USAGE_MAJOR,       /* page faults that had to be read */
	PROF_USAGE_VOLUNTARY,   /* context switches of threads that went to sleep */
	PROF_USAGE_INVOLUNTARY, /* context switches of threads that wanted to go on */
	PROF_USAGE_BLOCKS_IN,   /* bytes from block devices */
	PROF_USAGE_BLOCKS_OUT,  /* bytes to block devices */
	PROF_USAGE_READ,        /* bytes that system calls have read, from wherever */
	PROF_USAGE_WRITTEN,     /* bytes that system calls have written */
	PROF_USAGE_RESIDENT,    /* bytes of memory */
	PROF_USAGE_PEAK,        /* the most of these so far */
	PROF_USAGE_THREADS,
	PROF_USAGES,
};

/* A figure that is not known. */
#define PROF_USAGE_UNKNOWN INT64_C(-1)

/* No figure is larger: any two can be subtracted. */
#define PROF_USAGE_LARGEST (INT64_MAX / 2)

struct prof_usage {
	int64_t figures[PROF_USAGES]; /* 0 to PROF_USAGE_LARGEST, or PROF_USAGE_UNKNOWN */
};

/* What becomes of a figure over an interval. */
enum prof_usage_kind {
	PROF_USAGE_GROWS, /* it counts up: the difference */
	PROF_USAGE_LEVEL, /* a state: that at the end */
	PROF_USAGE_MOST,  /* the largest so far: that at the end, and the largest of several */
};

/* The figures: one table. */
extern const struct prof_usage_row {
	const char *name;  /* in csv, json and the file: "user" */
	const char *title; /* "User CPU" */
	const char *unit;  /* of what is shown: "sec.", "bytes", or "" */
	int64_t units;     /* by which a figure is divided to show it */
	int places;        /* decimals that text shows */
	enum prof_usage_kind kind;
} prof_usage_table[PROF_USAGES];

/* USAGE with nothing known. */
void prof_usage_clear(struct prof_usage *usage);

/* A thread's context switches. */
struct prof_switches {
	int64_t voluntary, involuntary; /* or PROF_USAGE_UNKNOWN */
};

/* Those of THREAD, which may have ended and not be waited for.  False: it is gone. */
bool prof_usage_switches(pid_t process, pid_t thread, struct prof_switches *ret);

/*
 * The figures of PROCESS that are those of all its threads, ended ones included: all but the
 * context switches, and what the marker knows, which are left unknown.  False: it is gone.  One
 * that has ended and was not waited for has no memory and no threads any more; its peak is unknown
 * then.
 */
bool prof_usage_read(pid_t process, struct prof_usage *ret);

/* Reads a file of /proc, be it of another machine, as prof_procfs_read() does. */
typedef bool prof_usage_reader(
	void *context, pid_t process, pid_t thread, const char *file, char *buffer, size_t size);

/* The same two where READ reads. */
bool prof_usage_switches_by(prof_usage_reader *read, void *context, pid_t process, pid_t thread,
	struct prof_switches *ret);
bool prof_usage_read_by(
	prof_usage_reader *read, void *context, pid_t process, struct prof_usage *ret);

/* Fills in what STATUS, the text of a /proc/PID/status, tells: memory and threads. */
void prof_usage_parse_status(const char *status, struct prof_usage *usage);

#endif
