/*
 * The trigger of an event: the instruction that caused it.
 *
 * A thread is interrupted some instructions after the one whose access to memory made a counter
 * overflow.  From where it was interrupted the search goes back, by the machine code alone, to the
 * nearest instruction that makes such an access.  It ends without a result where anything else may
 * have been executed in between.
 */
#ifndef PROF_TARGET_TRIGGER_H
#define PROF_TARGET_TRIGGER_H

#include "target/instruction.h"

/* What is known of the instruction that caused an event. */
enum prof_trigger {
	PROF_TRIGGER_NONE,  /* it was not looked for */
	PROF_TRIGGER_EXACT, /* the CPU or the kernel has named it */
	PROF_TRIGGER_FOUND, /* the search has found it */
	PROF_TRIGGER_CALL,  /* the kernel's, in a system call of the program */
	/* A jump, a call or a branch target comes before it, or it is too far away. */
	PROF_TRIGGER_UNRESOLVABLE,
	/* The code is not known, or where its jumps lead. */
	PROF_TRIGGER_UNVERIFIABLE,
	/* The CPU has named an instruction that makes no such access. */
	PROF_TRIGGER_UNSPECIFIED,
	PROF_TRIGGERS,
};

/* The words for them, as the Collector's where it has one: "exact", "Unresolvable". */
extern const char *const prof_trigger_names[PROF_TRIGGERS];

/* Is the instruction not known, and why not? */
static inline bool prof_trigger_is_unknown(enum prof_trigger trigger)
{
	return trigger == PROF_TRIGGER_UNRESOLVABLE || trigger == PROF_TRIGGER_UNVERIFIABLE;
}

/* The code of a program. */
struct prof_trigger_code {
	/* The bounds of the function, or of the part of one, that ADDRESS is in; false: unknown. */
	bool (*bounds)(void *context, uint64_t address, uint64_t *low, uint64_t *high);
	/* Reads LENGTH bytes at ADDRESS into BUFFER, as the linker left them; false: it can't. */
	bool (*read)(void *context, uint64_t address, void *buffer, size_t length);
	void *context;
};

/* So many instructions back at the most. */
enum { PROF_TRIGGER_REACH = 16 };

struct prof_trigger_result {
	enum prof_trigger trigger; /* what the rest is of is PROF_TRIGGER_FOUND only */
	uint64_t pc;
	uint8_t skid;     /* instructions from there to where it was interrupted */
	uint64_t changed; /* 1 << DWARF number: what these, and the trigger itself, may change */
	struct prof_instruction instruction;
};

/*
 * The instruction that has made an ACCESS before the thread was interrupted at PC, no more than
 * REACH instructions before.  NULL, or what has failed.
 */
struct prof_error *prof_trigger_search(const struct prof_trigger_code *code, uint64_t pc,
	enum prof_access access, unsigned reach, struct prof_trigger_result *ret) PROF_MUST_CHECK;

#endif
