/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tests make a gmon.out: records, in any word size and byte order. */
#ifndef PROF_TESTS_GMON_BYTES_H
#define PROF_TESTS_GMON_BYTES_H

#include "suite.h"

#include <stdbool.h>
#include <stdint.h>

struct gmon_bytes {
	unsigned word;
	bool big_endian;
	size_t length;
	char bytes[4096];
};

static inline void put(struct gmon_bytes *file, size_t size, uint64_t number)
{
	ck_assert_uint_le(file->length + size, sizeof file->bytes);
	for (size_t i = 0; i < size; i++) {
		size_t shift = 8 * (file->big_endian ? size - 1 - i : i);
		file->bytes[file->length++] = (char)(number >> shift);
	}
}

static inline void put_text(struct gmon_bytes *file, size_t size, const char *text)
{
	for (size_t i = 0; i < size; i++)
		put(file, 1, i < strlen(text) ? (unsigned char)text[i] : 0);
}

static inline void put_header(struct gmon_bytes *file, unsigned word, bool big_endian)
{
	*file = (struct gmon_bytes){.word = word, .big_endian = big_endian};
	put_text(file, 4, "gmon");
	put(file, 4, 1);
	put_text(file, 12, "");
}

static inline void put_histogram(
	struct gmon_bytes *file, uint64_t low, uint64_t high, size_t count, const unsigned *bins)
{
	put(file, 1, 0);
	put(file, file->word, low);
	put(file, file->word, high);
	put(file, 4, count);
	put(file, 4, 100);
	put_text(file, 15, "seconds");
	put_text(file, 1, "s");
	for (size_t i = 0; i < count; i++)
		put(file, 2, bins[i]);
}

static inline void put_arc(struct gmon_bytes *file, uint64_t from, uint64_t to, unsigned calls)
{
	put(file, 1, 1);
	put(file, file->word, from);
	put(file, file->word, to);
	put(file, 4, calls);
}

#endif
