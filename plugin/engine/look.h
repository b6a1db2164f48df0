/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Looks at a thread of any target, by what GDB knows of it, as messages for the recorder. */
#ifndef PROF_PLUGIN_ENGINE_LOOK_H
#define PROF_PLUGIN_ENGINE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

struct engine_request;
struct host_thread;

/* Reports to REQUEST's queue where the load objects of the selected inferior are. */
void look_at_objects(const struct engine_request *request);

/*
 * Takes a sample of THREAD, which is selected and stands still, for the last RAN ns.  FRAMES is
 * room for the deepest stack.
 */
void look_at_thread(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t *frames);

/* A sample of THREAD, which goes on, for the last RAN ns: it was at ADDRESS, and no more is known.
 */
void look_at_address(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t address);

/*
 * THREAD, which GDB has selected, has stopped for the user, RAN ns after the last sample.  Puts
 * that time into the queue; unless the thread was SAMPLED since its last stop, with the stack that
 * it has now.  Later time is not attributed to this stack.
 */
void look_at_standing(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, bool sampled, uint64_t *frames);

#endif
