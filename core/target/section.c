/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/section.h"

#include <string.h>

Elf_Scn *prof_section_find(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *found = NULL;
		if (gelf_getshdr(section, header))
			found = elf_strptr(elf, names, header->sh_name);
		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}
