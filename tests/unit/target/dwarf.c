/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/dwarf.h"
#include "suite.h"

#include <fcntl.h>
#include <unistd.h>

struct asked {
	Dwarf *dwarf;
	bool lacks;  /* libdw runs out of memory */
	bool nested; /* it does so in a call within this one */
	int done;
};

/* What libdw does then. */
static void lack(Dwarf *dwarf)
{
	Dwarf_OOM handler = dwarf_new_oom_handler(dwarf, abort);

	dwarf_new_oom_handler(dwarf, handler);
	handler();
}

static void ask(void *context)
{
	struct asked *asked = context;

	if (asked->nested) {
		struct asked inner = {.dwarf = asked->dwarf, .lacks = true};
		ck_assert(!prof_dwarf_call(asked->dwarf, ask, &inner));
		ck_assert_int_eq(inner.done, 0);
	}
	if (asked->lacks)
		lack(asked->dwarf);
	asked->done++;
}

/* Has DWARF asked what ASKED says; is that done? */
static bool call(struct asked asked)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	asked.dwarf = dwarf_begin(fd, DWARF_C_READ);
	ck_assert_ptr_nonnull(asked.dwarf);
	bool whole = prof_dwarf_call(asked.dwarf, ask, &asked);
	ck_assert_int_eq(asked.done, whole);
	dwarf_end(asked.dwarf);
	close(fd);
	return whole;
}

START_TEST(says_that_memory_was_short)
{
	ck_assert(call((struct asked){0}));
	ck_assert(!call((struct asked){.lacks = true}));
	ck_assert(call((struct asked){0}));
}
END_TEST

START_TEST(a_call_within_another_leaves_itself_only)
{
	ck_assert(call((struct asked){.nested = true}));
	ck_assert(!call((struct asked){.nested = true, .lacks = true}));
}
END_TEST

RUN_TESTS("dwarf", says_that_memory_was_short, a_call_within_another_leaves_itself_only)
