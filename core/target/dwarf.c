/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/dwarf.h"

#include "base/memory.h"

#include <setjmp.h>

/* What libdw may take for one unit of a program, bytes. */
enum { SPARE = 32 << 20 };

/* libdw tells its handler nothing at all, so that the innermost call of a thread is found here. */
static _Thread_local jmp_buf *innermost __attribute__((tls_model("initial-exec")));

static void __attribute__((noreturn)) on_lack_of_memory(void)
{
	longjmp(*innermost, 1);
}

bool prof_dwarf_call(Dwarf *dwarf, void (*function)(void *context), void *context)
{
	jmp_buf *const outer = innermost;
	jmp_buf here;

	if (!prof_memory_is_there(SPARE))
		return false;
	if (setjmp(here)) {
		innermost = outer;
		return false;
	}
	innermost = &here;
	dwarf_new_oom_handler(dwarf, on_lack_of_memory);
	function(context);
	innermost = outer;
	return true;
}
