/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/library.h"

#include "base/file.h"
#include "recording/traced_message.h"
#include "sampling/watchdog.h"
#include "target/symbols.h"
#include "tracing/ring.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_HEADERS = 256, MOST_PATH = 4096 };

/* The path of the file NAME in the plugin's own folder, whether it exists or not. */
static struct prof_error *find_beside(const char *name, char **ret)
{
	Dl_info own;

	if (!dladdr((void *)(uintptr_t)find_beside, &own))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof cannot find the folder of its own module.");
	size_t folder = (size_t)(prof_file_base_name(own.dli_fname) - own.dli_fname);
	if (asprintf(ret, "%.*s%s", (int)folder, own.dli_fname, name) < 0) {
		*ret = NULL;
		return prof_error_nomem();
	}
	return NULL;
}

struct prof_error *library_watchdog(struct prof_watchdog **ret)
{
	AUTO_FREE char *program = NULL;
	struct prof_error *error = find_beside(PROF_WATCHDOG_FILE, &program);

	return error ? error : prof_watchdog_create(program, ret);
}

struct prof_error *library_find(char **ret)
{
	AUTO_FREE char *beside = NULL;
	struct prof_error *error = find_beside(PROF_AGENT_FILE, &beside);

	if (error)
		return error;
	char *path = realpath(beside, NULL);
	if (!path)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof cannot trace: it does not find its agent %s.  Build or install gdbprof again.",
			beside);
	*ret = path;
	return NULL;
}

struct prof_error *library_check_interpreter(const char *interpreter)
{
	if (!strncmp(prof_file_base_name(interpreter), "ld-linux-x86-64", 15))
		return NULL;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"gdbprof traces only programs of the GNU C library; the dynamic linker of this one is %s.",
		interpreter);
}

static struct prof_error *refuse_static(const char *program)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"gdbprof cannot trace %s: it is linked statically, so gdbprof cannot intercept its calls.",
		program);
}

struct prof_error *library_check_program(const char *program)
{
	AUTO_CLOSE int file = open(program, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr header;
	Elf64_Phdr headers[MOST_HEADERS];

	if (file < 0 || read(file, &header, sizeof header) != sizeof header ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	size_t count = header.e_phnum < MOST_HEADERS ? header.e_phnum : MOST_HEADERS;
	ssize_t got = pread(file, headers, count * sizeof *headers, (off_t)header.e_phoff);
	for (size_t i = 0; got > 0 && i < (size_t)got / sizeof *headers; i++) {
		char path[MOST_PATH] = "";
		if (headers[i].p_type != PT_INTERP)
			continue;
		if (pread(file, path, sizeof path - 1, (off_t)headers[i].p_offset) < 1)
			return NULL;
		return library_check_interpreter(path);
	}
	return got > 0 ? refuse_static(program) : NULL;
}

/* Does the dynamic section DATA, of a section with HEADER, need one of the libraries? */
static bool asks_for(Elf *elf, const GElf_Shdr *header, Elf_Data *data, const char *begin)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *name = entry.d_tag == DT_NEEDED
			? elf_strptr(elf, header->sh_link, entry.d_un.d_val)
			: NULL;
		if (name && !strncmp(name, begin, strlen(begin)))
			return true;
	}
	return false;
}

bool library_is_preceded(const char *program)
{
	AUTO_CLOSE int file = open(program, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool found = false;

	elf_version(EV_CURRENT);
	Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
	while (!found && elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC
			? elf_getdata(section, NULL)
			: NULL;
		found = data && asks_for(elf, &header, data, "libasan.so");
	}
	elf_end(elf);
	return found;
}

bool library_has_mpi(const char *program)
{
	AUTO_CLOSE int file = open(program, O_RDONLY | O_CLOEXEC);
	PROF_AUTO(prof_symbols_deinit) struct prof_symbols symbols = {0};
	bool found = false;

	elf_version(EV_CURRENT);
	Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
	/* A tool in the program may define MPI_Init(), but only a library defines PMPI_Init(). */
	bool known = elf && prof_symbols_read(&symbols, elf);
	for (size_t i = 0; known && i < symbols.items.count; i++)
		found |= !strncmp(symbols.items.items[i].name, "PMPI_Init", 9);
	elf_end(elf);
	return found;
}

/* Reads the beginning of the file PATH into BUFFER of SIZE bytes, with a NUL behind it. */
static void read_text(const char *path, char *buffer, size_t size)
{
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? 0 : read(file, buffer, size - 1);

	buffer[got > 0 ? got : 0] = '\0';
}

/* Linux watches the counter, and uses another clock if it is not reliable. */
bool library_has_counter(void)
{
	char source[32], info[8192];

	read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
		sizeof source);
	read_text("/proc/cpuinfo", info, sizeof info);
	bool taken = !strcmp(source, "tsc\n") || !strcmp(source, "kvm-clock\n");
	return taken && strstr(info, " constant_tsc") && strstr(info, " nonstop_tsc");
}
