#include "plugin/look.h"

#include "base/clock.h"
#include "plugin/host.h"
#include "plugin/host_stack.h"
#include "sample/watch.h"

#include <string.h>

static void put_section(void *context, const struct host_section *section)
{
	const struct engine_request *request = context;
	PROF_AUTO(prof_text_deinit) struct prof_text data = {0};
	struct prof_record record = {
		.kind = PROF_RECORD_MAPPING,
		.mapping = {0, section->low, section->high, section->offset},
	};

	prof_text_bytes(&data, section->file, strlen(section->file) + 1);
	prof_text_bytes(&data, section->build_id, strlen(section->build_id) + 1);
	record.size = (uint32_t)data.length;
	prof_queue_put(request->queue, &record, prof_text_get(&data));
}

void look_at_objects(const struct engine_request *request)
{
	struct prof_record record = {.kind = PROF_RECORD_UNMAP};

	prof_queue_put(request->queue, &record, NULL);
	/* What GDB does not tell stays unknown. */
	host_forget(host_each_section(put_section, (void *)request));
}

void look_at_thread(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t *frames)
{
	struct prof_record name = {
		.kind = PROF_RECORD_THREAD,
		.size = (uint32_t)strlen(thread->name) + 1,
		.thread = {.id = thread->id, .renamed = true},
	};
	struct prof_record record = {.kind = PROF_RECORD_LOOK};
	size_t depth = request->max_depth;
	enum prof_stack_end end;

	struct prof_error *error = host_walk(frames, &depth, &end, NULL);
	host_forget(error); /* a Ctrl-C is meant for the program */
	bool waits = depth && host_in_system_call(frames[0]);
	record.size = (uint32_t)(depth * sizeof *frames);
	record.look = (struct prof_look){
		.time = prof_clock(),
		.thread = thread->id,
		.samples = request->wall || !waits,
		.depth = (uint32_t)depth,
		.state = waits ? PROF_STATE_OTHER : PROF_STATE_USER,
		.end = (uint8_t)end,
	};
	record.look.spent[record.look.state] = ran;
	prof_queue_put(request->queue, &name, thread->name);
	prof_queue_put(request->queue, &record, frames);
}
