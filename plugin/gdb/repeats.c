/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/repeats.h"

#include "base/memory.h"
#include "target/arch.h"
#include "target/target.h"

#include <stdlib.h>

/* With more places, the first are forgotten. */
enum { PLACES = 256 };

/* The last hit of a breakpoint by a thread. */
struct place {
	pid_t thread;
	uint64_t address;
	struct prof_registers registers;
	bool signalled; /* it got a signal since then, before it executed anything */
};

/* There is one GDB, so one set of threads. */
static struct {
	PROF_ARRAY(struct place) items;
	size_t next; /* the entry to be replaced */
} repeats;

void repeats_clear(void)
{
	free(repeats.items.items);
	repeats.items.items = NULL;
	repeats.items.count = repeats.items.capacity = 0;
	repeats.next = 0;
}

/* The last time THREAD came to ADDRESS; NULL: it never did. */
static struct place *find(pid_t thread, uint64_t address)
{
	for (size_t i = 0; i < repeats.items.count; i++) {
		struct place *place = &repeats.items.items[i];
		if (place->thread == thread && place->address == address)
			return place;
	}
	return NULL;
}

/* Nothing that matters has changed: GDB moves the program counter when it steps. */
static bool is_same(const struct prof_registers *a, const struct prof_registers *b)
{
	const struct prof_arch *arch = prof_arch_native();

	for (unsigned i = 0; i < arch->registers; i++) {
		bool counter = arch->pushes_return && i == arch->return_address;
		if (!counter && a->value[i] != b->value[i])
			return false;
	}
	return true;
}

void repeats_signal(pid_t thread, const struct prof_registers *registers)
{
	for (size_t i = 0; i < repeats.items.count; i++) {
		struct place *place = &repeats.items.items[i];
		if (place->thread == thread && is_same(&place->registers, registers))
			place->signalled = true;
	}
}

bool repeats_is_one(pid_t thread, uint64_t address, const struct prof_registers *registers)
{
	struct place *place = find(thread, address);

	if (place && place->signalled && is_same(&place->registers, registers))
		return true;
	if (!place && repeats.items.count < PLACES)
		place = prof_array_push(&repeats.items);
	else if (!place)
		place = &repeats.items.items[repeats.next++ % PLACES];
	if (place)
		*place = (struct place){thread, address, *registers, false};
	return false;
}
