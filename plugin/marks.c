#include "plugin/marks.h"

/* GDB is one, and so is its recording. */
static struct {
	struct prof_marker *marker; /* NULL: nothing is recorded */
	struct prof_recorder *recorder;
} marks;

struct prof_error *marks_begin(struct prof_queue *queue, struct prof_recorder *recorder)
{
	marks.recorder = recorder;
	return prof_marker_create(queue, 0, &marks.marker);
}

void marks_end(void)
{
	prof_marker_destroy(marks.marker);
	marks = (__typeof__(marks)){0};
}

struct prof_marker *marks_marker(void)
{
	return marks.marker;
}

struct prof_error *marks_make(enum prof_mark_kind kind, const char *label)
{
	bool made = prof_marker_mark(marks.marker, kind, label);

	if (!made) { /* the queue is full: emptied, it takes another */
		prof_recorder_lock(marks.recorder);
		prof_recorder_unlock(marks.recorder);
		made = prof_marker_mark(marks.marker, kind, label);
	}
	return made ? NULL : prof_error_nomem();
}
