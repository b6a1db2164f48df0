/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/thread_word.h"

#if defined(__x86_64__) && defined(__LP64__)

#include "target/maps.h"
#include "target/process.h"

#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>

/* What glibc has at the thread pointer. */
struct head {
	uint64_t own;     /* the thread pointer itself */
	uint64_t vector;  /* of thread-local storage */
	uint64_t pointer; /* the thread pointer again */
};

/* The thread pointer of THREAD; 0: there is none yet, or the thread was killed. */
static uint64_t find_pointer(pid_t thread)
{
	struct user_regs_struct registers;

	return ptrace(PTRACE_GETREGS, thread, NULL, &registers) ? 0 : registers.fs_base;
}

/* Has PROCESS the C library that has such a word? */
static bool has_library(pid_t process)
{
	static const char name[] = "/libc.so.6";
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct prof_error *error = prof_maps_read(&maps, process);
	bool found = false;

	if (error) {
		prof_error_destroy(error);
		return false;
	}
	for (size_t i = 0; i < maps.mappings.count && !found; i++) {
		const char *path = maps.mappings.items[i].path;
		size_t length = strlen(path);
		/* Up to glibc 2.33 that is a link, to libc-2.33.so. */
		found = (length >= sizeof name - 1 &&
				!strcmp(path + length - (sizeof name - 1), name)) ||
			strstr(path, "/libc-2.");
	}
	return found;
}

const char *prof_thread_word_check(pid_t process, pid_t thread)
{
	uint64_t word, pointer = find_pointer(thread);
	struct head head;

	if (!pointer)
		return "a thread has no thread-local storage yet";
	if (!has_library(process))
		return "the program does not use the GNU C library, or is linked statically";
	if (!prof_process_read(process, pointer, &head, sizeof head) || head.own != pointer ||
		head.pointer != pointer)
		return "a thread has thread-local storage of its own kind";
	if (!prof_process_read(process, pointer + PROF_THREAD_WORD, &word, sizeof word) || word)
		return "something else uses the thread-local storage that gdbprof needs";
	return NULL;
}

bool prof_thread_word_clear(pid_t process, pid_t thread)
{
	const uint64_t word = 0;
	uint64_t pointer = find_pointer(thread);
	AUTO_ERROR struct prof_error *error = pointer
		? prof_process_write(process, pointer + PROF_THREAD_WORD, &word, sizeof word)
		: NULL;

	return pointer && !error;
}

#else

const char *prof_thread_word_check(pid_t process, pid_t thread)
{
	(void)process;
	(void)thread;
	return "this machine has no such stubs";
}

bool prof_thread_word_clear(pid_t process, pid_t thread)
{
	(void)process;
	(void)thread;
	return false;
}

#endif
