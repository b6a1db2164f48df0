#include "sample/attention.h"

#include "sample/tick.h"

void prof_attention_begin(struct prof_attention *attention)
{
	attention->now = !attention->listens || attention->listens();
}

bool prof_attention_lacks(const struct prof_attention *attention, struct prof_watch *watch,
	struct prof_figures *figures)
{
	if (attention->now)
		return false;
	prof_tick_lose(watch, figures);
	/* The period goes on: no later sample makes up for this one. */
	watch->due--;
	watch->unheard = true;
	return true;
}
