/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/types.h"

#include "base/time_unit.h"
#include "target/wait.h"

#include <string.h>

bool prof_type_state(const char *name, enum prof_state *ret)
{
	for (int i = 0; i < PROF_STATES; i++) {
		if (!strcmp(name, prof_state_names[i])) {
			*ret = (enum prof_state)i;
			return true;
		}
	}
	return false;
}

struct prof_type prof_type_of(const char *name, const char *unit)
{
	struct prof_type type = {.role = PROF_TYPE_NONE, .ns = prof_time_unit_word(unit)};

	if (!type.ns)
		type.ns = prof_time_unit_find(unit, strlen(unit), PROF_TIME_NS, PROF_TIME_S);

	if (!type.ns)
		return type;
	if (prof_type_state(name, &type.state)) {
		/* A page fault is a part of the type `fault`, which is listed too. */
		if (type.state == PROF_STATE_TEXT)
			return type;
		type.role = PROF_TYPE_STATE;
	} else if (!strcmp(name, "delay")) {
		type.role = PROF_TYPE_STATE;
		type.state = PROF_STATE_LOCK;
	} else if (!strcmp(name, "cpu")) {
		type.role = PROF_TYPE_CPU;
	} else if (!strcmp(name, "wall")) {
		type.role = PROF_TYPE_WALL;
	}
	return type;
}

static bool on_cpu(enum prof_state state)
{
	return state == PROF_STATE_USER || state == PROF_STATE_SYSTEM;
}

void prof_type_settle(struct prof_type *types, size_t count)
{
	bool parts = false;

	for (size_t i = 0; i < count; i++)
		parts |= types[i].role == PROF_TYPE_STATE && on_cpu(types[i].state);
	for (size_t i = 0; i < count; i++) {
		if (types[i].role == PROF_TYPE_CPU && parts)
			types[i].role = PROF_TYPE_NONE;
	}
}

void prof_type_add(const struct prof_type *type, prof_value value, struct prof_type_sum *sum)
{
	enum prof_state state = type->state;

	if (type->role == PROF_TYPE_WALL)
		sum->wall += value * type->ns;
	if (type->role == PROF_TYPE_NONE || type->role == PROF_TYPE_WALL)
		return;
	if (type->role == PROF_TYPE_CPU)
		state = sum->known && sum->state == PROF_STATE_SYSTEM ? PROF_STATE_SYSTEM
								      : PROF_STATE_USER;
	sum->values[PROF_QUANTITY_SPENT + state] += value * type->ns;
}

/* The state of the part of a thread's time that no other state has. */
static enum prof_state state_of_rest(const struct prof_type_sum *sum)
{
	const prof_value *spent = &sum->values[PROF_QUANTITY_SPENT];

	if (!sum->known)
		return PROF_STATE_OTHER;
	/* The time of a thread on a CPU that is not CPU time is a wait for the CPU. */
	if (on_cpu(sum->state) && (spent[PROF_STATE_USER] || spent[PROF_STATE_SYSTEM]))
		return PROF_STATE_RUNQUEUE;
	return sum->state;
}

bool prof_type_end(struct prof_type_sum *sum)
{
	prof_value *spent = &sum->values[PROF_QUANTITY_SPENT];
	prof_value rest = sum->wall;
	bool fits = true;

	for (int i = 0; i < PROF_STATES; i++)
		rest -= spent[i];
	if (rest > 0)
		spent[state_of_rest(sum)] += rest;
	for (int i = 0; i < PROF_STATES && !sum->known; i++) {
		if (spent[i] > spent[sum->state])
			sum->state = (enum prof_state)i;
	}
	for (int i = 0; i < PROF_QUANTITIES; i++)
		fits &= sum->values[i] <= PROF_VALUE_MOST;
	return fits;
}
