/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/page_pack.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum {
	GZIP_WINDOW = 15 + 16, /* the largest, with gzip's header */
	MEMORY = 8,            /* zlib's default */
	PACKED = 57 * 512,     /* bytes at a time: whole lines */
	LINE = 57,             /* bytes that make a line of 76 columns */
};

/* What was packed, and not written yet. */
struct packer {
	z_stream stream;
	unsigned char bytes[PACKED];
	struct prof_text *text;
};

static void packer_deinit(struct packer *packer)
{
	deflateEnd(&packer->stream);
}

/* Adds the COUNT bytes, 1 to 3, as four digits. */
static void add_group(const unsigned char *bytes, size_t count, struct prof_text *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)bytes[0] << 16;
	char group[4];

	if (count > 1)
		bits |= (uint32_t)bytes[1] << 8;
	if (count > 2)
		bits |= bytes[2];
	for (size_t i = 0; i < sizeof group; i++)
		group[i] = i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
	prof_text_bytes(text, group, sizeof group);
}

/* Writes what was packed; all but the last time it is whole lines. */
static void flush(struct packer *packer)
{
	size_t length = PACKED - packer->stream.avail_out;

	for (size_t i = 0; i < length; i += 3) {
		add_group(&packer->bytes[i], length - i < 3 ? length - i : 3, packer->text);
		if (i % LINE == LINE - 3 || i + 3 >= length)
			prof_text_bytes(packer->text, "\n", 1);
	}
	packer->stream.next_out = packer->bytes;
	packer->stream.avail_out = PACKED;
}

struct prof_error *prof_page_pack(const char *bytes, size_t length, struct prof_text *text)
{
	PROF_AUTO(packer_deinit)
	struct packer packer = {
		.text = text,
	};

	packer.stream.next_out = packer.bytes;
	packer.stream.avail_out = PACKED;
	if (deflateInit2(&packer.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
		    Z_DEFAULT_STRATEGY) != Z_OK)
		return prof_error_nomem();
	/* Texts are shorter than what zlib takes at once. */
	packer.stream.next_in = (Bytef *)(uintptr_t)bytes;
	packer.stream.avail_in = (uInt)length;
	while (deflate(&packer.stream, Z_FINISH) == Z_OK && !text->failed)
		flush(&packer);
	flush(&packer);
	return prof_text_error(text);
}
