/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bytes as browsers unpack them: gzip, then base64. */
#ifndef PROF_PICTURE_PAGE_PACK_H
#define PROF_PICTURE_PAGE_PACK_H

#include "base/text.h"

/* Adds the LENGTH BYTES to TEXT, packed, in lines of 76 columns. */
struct prof_error *prof_page_pack(
	const char *bytes, size_t length, struct prof_text *text) PROF_MUST_CHECK;

#endif
