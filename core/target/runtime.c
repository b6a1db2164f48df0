/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/runtime.h"

#include "base/memory.h"
#include "target/section.h"

#include <fcntl.h>
#include <libelf.h>
#include <stdio.h>

bool prof_runtime_is_go(pid_t process)
{
	char path[32];
	GElf_Shdr header;

	elf_version(EV_CURRENT);
	snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	/* The linker of Go writes both; others may leave one out. */
	bool found = elf &&
		(prof_section_find(elf, ".go.buildinfo", &header) ||
			prof_section_find(elf, ".note.go.buildid", &header));
	elf_end(elf);
	return found;
}
