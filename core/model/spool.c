/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/spool.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "model/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct spool {
	int file;
	struct prof_samples_source before; /* the source of the blocks before FIRST */
	size_t first;
	uint64_t size;                /* bytes of the file */
	PROF_ARRAY(uint64_t) offsets; /* where the blocks from FIRST on are in it */
};

static void close_spool(void *context)
{
	struct spool *spool = context;

	if (spool->before.close)
		spool->before.close(spool->before.context);
	close(spool->file);
	free(spool->offsets.items);
	free(spool);
}

static struct prof_error *read_spool(
	void *context, size_t number, unsigned char *bytes, size_t size)
{
	const struct spool *spool = context;

	if (number < spool->first)
		return spool->before.read(spool->before.context, number, bytes, size);
	uint64_t at = spool->offsets.items[number - spool->first];
	for (size_t got = 0; got < size;) {
		ssize_t part = pread(spool->file, bytes + got, size - got, (off_t)(at + got));
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return prof_error_create(PROF_ERROR_SYSTEM,
				"The temporary file of the samples cannot be read: %s.  Load the profiles again.",
				part ? strerror(errno) : "it is too short");
		got += (size_t)part;
	}
	return NULL;
}

/* The folder of temporary files. */
static const char *folder(void)
{
	const char *named = getenv("TMPDIR");

	return named && *named ? named : "/tmp";
}

/*
 * The spool from which SAMPLES are read, a new one if they have none; NULL: it cannot be created.
 */
static struct spool *find_spool(struct prof_samples *samples)
{
	if (samples->source.read == read_spool)
		return samples->source.context;
	struct spool *spool = calloc(1, sizeof *spool);
	if (!spool)
		return NULL;
	*spool = (struct spool){
		prof_file_nameless(folder()), samples->source, samples->released, 0, {0}};
	if (spool->file < 0) {
		free(spool);
		return NULL;
	}
	samples->source = (struct prof_samples_source){read_spool, close_spool, spool};
	return spool;
}

static bool write_block(struct spool *spool, const struct prof_samples_block *block)
{
	uint64_t *offset = prof_array_push(&spool->offsets);

	if (!offset)
		return false;
	*offset = spool->size;
	for (size_t put = 0; put < block->size;) {
		ssize_t part = pwrite(spool->file, block->bytes + put, block->size - put,
			(off_t)(spool->size + put));
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0) {
			spool->offsets.count--;
			return false;
		}
		put += (size_t)part;
	}
	spool->size += block->size;
	return true;
}

void prof_spool_blocks(struct prof_samples *samples, uint64_t most)
{
	struct spool *spool = samples->held > most ? find_spool(samples) : NULL;
	size_t end = spool ? spool->first + spool->offsets.count : 0;

	while (spool && end < samples->blocks.count &&
		write_block(spool, &samples->blocks.items[end]))
		end++;
	if (spool)
		prof_samples_release(samples, end);
}

void prof_spool_added(struct prof_samples *samples)
{
	/* The rows before this one have just become a block. */
	if (samples->tail.count == 1)
		prof_spool_blocks(samples, PROF_SPOOL_HELD);
}
