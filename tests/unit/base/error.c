/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include "suite.h"

#include <string.h>

START_TEST(has_its_code_and_message)
{
	struct prof_error *error = prof_error_create(PROF_ERROR_DAMAGED, "%s: line %d.", "a%sb", 7);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_DAMAGED);
	ck_assert_str_eq(prof_error_message(error), "a%sb: line 7.");
	prof_error_destroy(error);
}
END_TEST

START_TEST(message_may_be_of_any_length)
{
	char text[10000];

	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	struct prof_error *error = prof_error_create(PROF_ERROR_USAGE, "%s", text);
	ck_assert_str_eq(prof_error_message(error), text);
	prof_error_destroy(error);
	error = prof_error_create(PROF_ERROR_USAGE, "%s", "");
	ck_assert_str_eq(prof_error_message(error), "");
	prof_error_destroy(error);
}
END_TEST

/* Sentences, as all messages are; and they can be destroyed any number of times. */
START_TEST(constant_errors_take_no_memory)
{
	for (int i = 0; i < 2; i++) {
		struct prof_error *nomem = prof_error_nomem();
		struct prof_error *interrupted = prof_error_interrupted();
		ck_assert_ptr_eq(nomem, prof_error_nomem());
		ck_assert_int_eq(prof_error_code(nomem), PROF_ERROR_NOMEM);
		ck_assert_str_eq(prof_error_message(nomem), "Out of memory.");
		ck_assert_int_eq(prof_error_code(interrupted), PROF_ERROR_INTERRUPTED);
		ck_assert_str_eq(prof_error_message(interrupted), "Interrupted.");
		prof_error_destroy(nomem);
		prof_error_destroy(interrupted);
	}
}
END_TEST

START_TEST(guard_destroys)
{
	AUTO_ERROR struct prof_error *none = NULL;
	AUTO_ERROR struct prof_error *some = prof_error_create(PROF_ERROR_SYSTEM, "Some.");
	AUTO_ERROR struct prof_error *constant = prof_error_nomem();

	ck_assert_ptr_null(none);
	ck_assert_ptr_nonnull(some);
	ck_assert_ptr_nonnull(constant);
	prof_error_destroy(NULL);
}
END_TEST

RUN_TESTS("base_error", has_its_code_and_message, message_may_be_of_any_length,
	constant_errors_take_no_memory, guard_destroys)
