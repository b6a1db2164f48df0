/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/word.h"

#include "metric/collapse.h"
#include "plugin/engine/engine.h"
#include "sampling/counter_kind.h"

const char *word_of_engine(size_t index)
{
	if (!index)
		return "auto";
	return engines[index - 1] ? engines[index - 1]->name : NULL;
}

const char *word_of_clock(size_t index)
{
	static const char *const clocks[] = {"cpu", "wall", NULL};

	return clocks[index];
}

const char *word_of_switch(size_t index)
{
	static const char *const words[] = {"on", "off", NULL};

	return words[index];
}

const char *word_of_degree(size_t index)
{
	return index < PROF_DEGREES ? prof_degree_names[index] : NULL;
}

/*
 * Reads the counters whose names are completed into LIST; leaves it empty if they cannot be read.
 */
static void read_counters(struct prof_counter_list *list)
{
	prof_counter_list_deinit(list);
	*list = (struct prof_counter_list){0};
	prof_error_destroy(prof_counter_list_read(list));
}

const char *word_of_counter(size_t index)
{
	static struct prof_counter_list list;

	if (!index)
		read_counters(&list);
	/* Tracepoints come last. */
	if (index >= list.entries.count ||
		list.entries.items[index].kind == PROF_COUNTER_TRACEPOINT)
		return NULL;
	return list.entries.items[index].counter.name;
}
