#include "plugin/tick_source.h"

#include "plugin/settings.h"
#include "sample/perf_event.h"
#include "target/arch.h"

#include <stdlib.h>
#include <string.h>

enum { AUTO, KERNEL, LOOK };

static const char *const words[] = {
	[AUTO] = "auto", [KERNEL] = "kernel", [LOOK] = "look", [LOOK + 1] = NULL};

const char *tick_source_word(size_t index)
{
	return words[index];
}

void tick_source_forget(struct tick_source *source)
{
	prof_error_destroy(source->lacks);
	*source = (struct tick_source){0};
}

struct prof_error *tick_source_choose(struct tick_source *source)
{
	AUTO_FREE char *wanted = NULL;
	struct prof_error *error = settings_get("ticks", &wanted);

	tick_source_forget(source);
	if (error || !strcmp(wanted, words[LOOK]))
		return error;
	struct prof_error **lacks = &source->lacks;
	source->alarms = prof_perf_scope(prof_arch_native(), lacks) == PROF_PERF_ALL;
	if (source->alarms || !strcmp(wanted, words[AUTO]))
		return NULL;
	error = prof_error_create(PROF_ERROR_UNSUPPORTED,
		"\"prof ticks\" is set to kernel.  %s  \"set prof ticks auto\" records without "
		"that.",
		prof_error_message(*lacks));
	tick_source_forget(source);
	return error;
}

void tick_source_say(const struct tick_source *source, bool has_reason, struct prof_text *text)
{
	if (!source->lacks)
		return;
	prof_text_print(text,
		"The CPU time of short work between two waits is partly counted for the waits.\n");
	if (!has_reason)
		prof_text_print(text, "%s\n", prof_error_message(source->lacks));
}
