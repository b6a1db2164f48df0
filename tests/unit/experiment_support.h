/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of core/model, core/store and core/formats share: files and errors. */
#ifndef PROF_TESTS_EXPERIMENT_SUPPORT_H
#define PROF_TESTS_EXPERIMENT_SUPPORT_H

#include "base/map.h"
#include "base/strings.h"
#include "base/text.h"
#include "model/access.h"
#include "model/arc_kind.h"
#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/experiment.h"
#include "model/mark.h"
#include "model/recording_fields.h"
#include "model/single_calls.h"
#include "model/unit.h"
#include "model/usage.h"
#include "sample_at.h"
#include "scratch.h"

static inline void write_text(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

/* All of the file PATH, which is the caller's. */
static inline char *read_bytes(const char *path, size_t *length)
{
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	fseek(file, 0, SEEK_END);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*length + 1);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, *length, file), *length);
	fclose(file);
	return bytes;
}

/* ERROR must be one of CODE, whose message is a sentence and holds PART; it is destroyed. */
static inline void assert_error(
	struct prof_error *error, enum prof_error_code code, const char *part)
{
	ck_assert_ptr_nonnull(error);
	const char *message = prof_error_message(error);
	ck_assert_msg(
		prof_error_code(error) == code, "code %d: %s", prof_error_code(error), message);
	ck_assert_msg(strstr(message, part), "no \"%s\" in: %s", part, message);
	ck_assert_int_eq(message[strlen(message) - 1], '.');
	prof_error_destroy(error);
}

/* ck_assert_ok() at a price that allows millions. */
static inline void expect_ok(struct prof_error *error)
{
	if (error)
		ck_abort_msg("%s", prof_error_message(error));
}

#endif
