/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/arch.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct prof_arch *const archs[] = {
	&prof_arch_x86_64,
	&prof_arch_aarch64,
};

const struct prof_arch *prof_arch_find(unsigned machine)
{
	for (size_t i = 0; i < PROF_COUNT(archs); i++) {
		if (archs[i]->machine == machine)
			return archs[i];
	}
	return NULL;
}

const struct prof_arch *prof_arch_of_file(const char *path)
{
	Elf64_Ehdr header;
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, &header, sizeof header) != sizeof header ||
		memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return prof_arch_native();
	return header.e_ident[EI_CLASS] == ELFCLASS64 ? prof_arch_find(header.e_machine) : NULL;
}

const struct prof_arch *prof_arch_native(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	return prof_arch_find(EM_X86_64);
#elif defined(__AARCH64EL__) && defined(__LP64__)
	return prof_arch_find(EM_AARCH64);
#else
	return NULL;
#endif
}
