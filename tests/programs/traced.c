/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What programs do that makes it hard to trace them:
 *
 *	traced close		closes all files, then allocates
 *	traced redirect		leads its own calls of free() elsewhere, through its own slot
 *	traced load		loads a library that allocates, and unloads it, over and over
 *	traced fork		makes children in several ways, which allocate
 *	traced crash		dies of a bad pointer
 *	traced sort		allocates where the C library has called it
 *	traced read		waits for a line
 *	traced spare		allocates until it is killed
 */
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int redirected;

__attribute__((noinline)) void *take(size_t size)
{
	char *volatile block = malloc(size);

	memset(block, 1, size);
	return block;
}

__attribute__((noinline)) static void give(void *block)
{
	free(block);
}

static void take_and_give(int times)
{
	for (int i = 0; i < times; i++)
		give(take(100 + (size_t)i % 1000));
}

static int close_all(void)
{
	take_and_give(10);
	for (int file = 0; file < 1024; file++)
		close(file);
	take_and_give(1000);
	return 7;
}

static void own_free(void *block)
{
	(void)block;
	redirected++;
}

/* The value of TAG in the program's own dynamic section. */
static uintptr_t find_dynamic(ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == tag)
			return entry->d_un.d_ptr;
	}
	return 0;
}

static int redirect(void)
{
	const ElfW(Rela) *jumps = (const void *)find_dynamic(DT_JMPREL);
	const ElfW(Sym) *symbols = (const void *)find_dynamic(DT_SYMTAB);
	const char *strings = (const char *)find_dynamic(DT_STRTAB);
	size_t count = find_dynamic(DT_PLTRELSZ) / sizeof *jumps;

	give(take(1));
	for (size_t i = 0; i < count; i++) {
		const char *name = strings + symbols[ELF64_R_SYM(jumps[i].r_info)].st_name;
		if (strcmp(name, "free") != 0)
			continue;
		uintptr_t slot = _r_debug.r_map->l_addr + jumps[i].r_offset;
		mprotect((void *)(slot & -(uintptr_t)4096), 4096, PROT_READ | PROT_WRITE);
		*(void **)slot = (void *)own_free;
	}
	take_and_give(1000);
	printf("%d redirected\n", redirected);
	return 0;
}

static void unloaded(void)
{
}

static int load(void)
{
	for (int i = 0; i < 5; i++) {
		void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
		int (*compress)(unsigned char *, unsigned long *, const unsigned char *,
			unsigned long) = NULL;
		unsigned char bytes[256] = {0}, room[512];
		unsigned long size = sizeof room;
		*(void **)&compress = library ? dlsym(library, "compress") : NULL;
		printf("%d ", compress ? compress(room, &size, bytes, sizeof bytes) : -1);
		if (library)
			dlclose(library);
		unloaded();
		take_and_give(10);
	}
	printf("loaded\n");
	return 0;
}

static int status_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int make_children(void)
{
	char *const arguments[] = {"true", NULL};

	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (!child) {
			take_and_give(1000);
			_exit(5);
		}
		take_and_give(100);
		printf("%d ", status_of(child));
	}
	pid_t child = vfork();
	if (!child) {
		execv("/bin/true", arguments);
		_exit(9);
	}
	printf("%d ", status_of(child));
	if (!posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ))
		printf("%d children\n", status_of(child));
	return 0;
}

__attribute__((noinline)) static int crash(int *bad)
{
	take_and_give(100);
	return *bad;
}

__attribute__((noinline)) int compare(const void *left, const void *right)
{
	give(take(10));
	return *(const int *)left - *(const int *)right;
}

static int sort(void)
{
	int numbers[64];

	for (int i = 0; i < 64; i++)
		numbers[i] = i * 37 % 64;
	qsort(numbers, 64, sizeof *numbers, compare);
	take_and_give(10);
	printf("%d %d sorted\n", numbers[0], numbers[63]);
	return 0;
}

static int read_line(void)
{
	char line[100];

	if (fgets(line, sizeof line, stdin))
		printf("read %s", line);
	return 0;
}

static int spare(void)
{
	for (;;)
		take_and_give(100);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "close"))
		return close_all();
	if (!strcmp(what, "redirect"))
		return redirect();
	if (!strcmp(what, "load"))
		return load();
	if (!strcmp(what, "fork"))
		return make_children();
	if (!strcmp(what, "crash"))
		return crash(NULL);
	if (!strcmp(what, "sort"))
		return sort();
	if (!strcmp(what, "read"))
		return read_line();
	if (!strcmp(what, "spare"))
		return spare();
	return 2;
}
