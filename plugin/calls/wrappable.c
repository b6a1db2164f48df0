/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/wrappable.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

/* The table: how a function depends on its caller. */
static const struct {
	const char *name, *why;
} rows[] = {
#define RETURNS_TWICE(name)                                                        \
	{                                                                          \
		name, "it can return a second time, after its caller has returned" \
	}
#define LOOKS_AT_CALLER(name)                                            \
	{                                                                \
		name, "its result depends on which load object calls it" \
	}
#define OWN_CONVENTION(name)                                   \
	{                                                      \
		name, "it has a calling convention of its own" \
	}
	RETURNS_TWICE("setjmp"),
	RETURNS_TWICE("_setjmp"),
	RETURNS_TWICE("__setjmp"),
	RETURNS_TWICE("sigsetjmp"),
	RETURNS_TWICE("__sigsetjmp"),
	RETURNS_TWICE("getcontext"),
	RETURNS_TWICE("vfork"),
	RETURNS_TWICE("__vfork"),
	LOOKS_AT_CALLER("dlopen"),
	LOOKS_AT_CALLER("dlmopen"),
	LOOKS_AT_CALLER("dlsym"),
	LOOKS_AT_CALLER("dlvsym"),
	OWN_CONVENTION("mcount"),
	OWN_CONVENTION("_mcount"),
	OWN_CONVENTION("__fentry__"),
	OWN_CONVENTION("__morestack"),
};

struct prof_error *wrappable_check(const char *name)
{
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		if (!strcmp(rows[i].name, name))
			return prof_error_create(PROF_ERROR_UNSUPPORTED, "%s cannot be traced: %s.",
				name, rows[i].why);
	}
	return NULL;
}
