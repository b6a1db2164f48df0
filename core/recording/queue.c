/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/queue.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Messages begin at multiples of this, so that any of their fields is aligned. */
enum { ALIGNMENT = 8 };

/* Takes the place of a message if the next one does not fit before the end of the ring. */
enum { KIND_SKIP = 0xffff };

/*
 * PUT and TAKEN count all bytes that ever went in and out; modulo the capacity they are places in
 * the ring.  A message never wraps around, so that its data can be lent out where it lies.
 *
 *	0          taken              put             capacity
 *	|  free    | message | message |  free          |
 */
struct prof_queue {
	pthread_mutex_t mutex; /* of all fields below; the bytes of a message that is lent out
				  belong to the taker */
	char *ring;
	size_t capacity;
	uint64_t put, taken;
	size_t lent;  /* bytes of the message that was taken last, which are still in the ring */
	size_t count; /* waiting messages */
	uint64_t lost;
};

_Static_assert(sizeof(struct prof_message) % ALIGNMENT == 0, "data follows its message aligned");

static size_t round_up(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

struct prof_error *prof_queue_create(size_t capacity, struct prof_queue **ret)
{
	assert(capacity > 0 && capacity <= SIZE_MAX / 2);

	AUTO_FREE struct prof_queue *queue = calloc(1, sizeof *queue);
	if (!queue)
		return prof_error_nomem();
	queue->capacity = round_up(capacity);
	queue->ring = malloc(queue->capacity);
	if (!queue->ring)
		return prof_error_nomem();
	pthread_mutex_init(&queue->mutex, NULL);
	*ret = steal(&queue);
	return NULL;
}

void prof_queue_destroy(struct prof_queue *queue)
{
	if (!queue)
		return;
	pthread_mutex_destroy(&queue->mutex);
	free(queue->ring);
	free(queue);
}

/* Finds room for NEED bytes in one piece, or NULL. */
static char *make_room(struct prof_queue *queue, size_t need)
{
	if (queue->put == queue->taken)
		queue->put = queue->taken = 0;

	size_t at = queue->put % queue->capacity;
	size_t skip = need > queue->capacity - at ? queue->capacity - at : 0;
	size_t used = (size_t)(queue->put - queue->taken);
	if (need > queue->capacity - used || skip > queue->capacity - used - need)
		return NULL;
	if (skip) {
		const uint32_t kind = KIND_SKIP;
		memcpy(queue->ring + at, &kind, sizeof kind);
		queue->put += skip;
	}
	char *room = queue->ring + queue->put % queue->capacity;
	queue->put += need;
	return room;
}

/* The bytes that MESSAGE and its data take. */
static size_t size_of(const struct prof_message *message)
{
	return sizeof *message + round_up(message->size);
}

static void copy(char *room, const struct prof_message *message, const void *data)
{
	memcpy(room, message, sizeof *message);
	if (message->size)
		memcpy(room + sizeof *message, data, message->size);
}

/* Appends MESSAGE; *COUNTED, unless NULL, counts messages that are refused. */
static bool put(struct prof_queue *queue, const struct prof_message *message, const void *data,
	uint64_t *counted)
{
	char *room = make_room(queue, size_of(message));

	if (room) {
		copy(room, message, data);
		queue->count++;
	} else if (counted) {
		++*counted;
	}
	return room;
}

static bool put_one(struct prof_queue *queue, const struct prof_message *message, const void *data,
	uint64_t *counted)
{
	pthread_mutex_lock(&queue->mutex);
	bool done = put(queue, message, data, counted);
	pthread_mutex_unlock(&queue->mutex);
	return done;
}

bool prof_queue_put(struct prof_queue *queue, const struct prof_message *message, const void *data)
{
	return put_one(queue, message, data, &queue->lost);
}

bool prof_queue_try(struct prof_queue *queue, const struct prof_message *message, const void *data)
{
	return put_one(queue, message, data, NULL);
}

void prof_batch_add(struct prof_batch *batch, const struct prof_message *message, const void *data)
{
	size_t size = size_of(message);

	if (!prof_array_reserve(&batch->bytes, size)) {
		batch->lost++;
		return;
	}
	copy(batch->bytes.items + batch->bytes.count, message, data);
	batch->bytes.count += size;
}

void prof_queue_put_batch(struct prof_queue *queue, const struct prof_batch *batch)
{
	const char *at = batch->bytes.items;
	const char *end = at + batch->bytes.count;

	pthread_mutex_lock(&queue->mutex);
	while (at < end) {
		struct prof_message message;
		memcpy(&message, at, sizeof message);
		put(queue, &message, at + sizeof message, &queue->lost);
		at += size_of(&message);
	}
	queue->lost += batch->lost;
	pthread_mutex_unlock(&queue->mutex);
}

void prof_batch_deinit(struct prof_batch *batch)
{
	free(batch->bytes.items);
	*batch = (struct prof_batch){0};
}

bool prof_queue_take(struct prof_queue *queue, struct prof_message *message, const void **data)
{
	const char *from = NULL;

	pthread_mutex_lock(&queue->mutex);
	queue->taken += queue->lent;
	queue->lent = 0;
	if (queue->taken != queue->put) {
		size_t at = queue->taken % queue->capacity;
		uint32_t kind;
		memcpy(&kind, queue->ring + at, sizeof kind);
		if (kind == KIND_SKIP) {
			queue->taken += queue->capacity - at;
			at = 0;
		}
		from = queue->ring + at;
		memcpy(message, from, sizeof *message);
		queue->lent = sizeof *message + round_up(message->size);
		queue->count--;
	}
	pthread_mutex_unlock(&queue->mutex);
	if (from)
		*data = from + sizeof *message;
	return from;
}

size_t prof_queue_count(struct prof_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	size_t count = queue->count;
	pthread_mutex_unlock(&queue->mutex);
	return count;
}

uint64_t prof_queue_lost(struct prof_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	uint64_t lost = queue->lost;
	pthread_mutex_unlock(&queue->mutex);
	return lost;
}
