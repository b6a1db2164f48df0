/* Where the ticks of the engines stop and catch come from. */
#ifndef PROF_PLUGIN_TICK_SOURCE_H
#define PROF_PLUGIN_TICK_SOURCE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* All zeroes: not chosen yet. */
struct tick_source {
	bool alarms;              /* from alarms, see core/sample/alarm.h; else from looks */
	struct prof_error *lacks; /* why it is not alarms, where these were preferred; or NULL */
};

/* The values of `set prof ticks`; NULL after the last. */
const char *tick_source_word(size_t index);

/* Chooses by `prof ticks`, and forgets what was chosen before.  An error: the kernel permits no
 * alarms, and nothing else was wanted. */
struct prof_error *tick_source_choose(struct tick_source *source) PROF_MUST_CHECK;

void tick_source_forget(struct tick_source *source);

/* Adds what the user must know of ticks from looks, and the reason for them, unless that is shown
 * anyway: HAS_REASON. */
void tick_source_say(const struct tick_source *source, bool has_reason, struct prof_text *text);

#endif
