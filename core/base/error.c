/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct prof_error {
	enum prof_error_code code;
	char *message; /* NULL: a constant error, of the table below */
};

/* Nothing writes to it; the casts below drop a const that callers need not see. */
static const struct prof_error nomem = {PROF_ERROR_NOMEM, NULL};
static const struct prof_error interrupted = {PROF_ERROR_INTERRUPTED, NULL};

struct prof_error *prof_error_nomem(void)
{
	return (struct prof_error *)&nomem;
}

struct prof_error *prof_error_interrupted(void)
{
	return (struct prof_error *)&interrupted;
}

struct prof_error *prof_error_create(enum prof_error_code code, const char *format, ...)
{
	struct prof_error *error = malloc(sizeof *error);
	va_list arguments;

	if (!error)
		return prof_error_nomem();
	va_start(arguments, format);
	int length = vasprintf(&error->message, format, arguments);
	va_end(arguments);
	if (length < 0) {
		free(error);
		return prof_error_nomem();
	}
	error->code = code;
	return error;
}

void prof_error_destroy(struct prof_error *error)
{
	if (!error || !error->message)
		return;
	free(error->message);
	free(error);
}

enum prof_error_code prof_error_code(const struct prof_error *error)
{
	return error->code;
}

const char *prof_error_message(const struct prof_error *error)
{
	if (error->message)
		return error->message;
	return error->code == PROF_ERROR_NOMEM ? "Out of memory." : "Interrupted.";
}

void prof_error_auto(struct prof_error **error)
{
	prof_error_destroy(*error);
}
