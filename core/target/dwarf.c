/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/dwarf.h"

#include "base/memory.h"

#include <setjmp.h>

/* Bytes of memory that libdw may use for one unit of a program. */
enum { SPARE = 32 << 20 };

/* libdw passes no context to its handler, so a thread's innermost call is kept here. */
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
