/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What tests of the report share: a reader of the data that it holds. */
#ifndef TEST_PAGE_SUPPORT_H
#define TEST_PAGE_SUPPORT_H

#include "base/text.h"
#include "suite.h"

#include <string.h>
#include <zlib.h>

/* Adds the bytes that PACKED, base64, stands for to BYTES; it ends before a `<`. */
static inline void decode(const char *packed, struct prof_text *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, count = 0;

	for (; *packed && *packed != '<'; packed++) {
		const char *digit = strchr(digits, *packed);
		if (!digit)
			continue;
		bits = bits << 6 | (unsigned)(digit - digits);
		count += 6;
		if (count < 8)
			continue;
		count -= 8;
		char byte = (char)(bits >> count);
		prof_text_bytes(bytes, &byte, 1);
	}
}

/* Adds what PACKED, base64 of gzip, stands for to PLAIN. */
static inline void unpack(const char *packed, struct prof_text *plain)
{
	AUTO_TEXT struct prof_text bytes = {0};
	unsigned char part[4096];
	z_stream stream = {0};
	int status = Z_OK;

	decode(packed, &bytes);
	stream.next_in = (Bytef *)bytes.bytes;
	stream.avail_in = (uInt)bytes.length;
	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	while (status == Z_OK) {
		stream.next_out = part;
		stream.avail_out = sizeof part;
		status = inflate(&stream, Z_NO_FLUSH);
		prof_text_bytes(plain, (const char *)part, sizeof part - stream.avail_out);
	}
	ck_assert_int_eq(status, Z_STREAM_END);
	inflateEnd(&stream);
}

#endif
