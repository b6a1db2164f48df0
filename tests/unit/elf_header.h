/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The header of an ELF file that a test makes in memory. */
#ifndef PROF_TEST_ELF_HEADER_H
#define PROF_TEST_ELF_HEADER_H

#include <elf.h>
#include <string.h>

/* Fills in HEADER, of a shared object with so many SECTIONS, the table of which is at OFFSET. */
static inline void elf_header_make(Elf64_Ehdr *header, Elf64_Half sections, Elf64_Off offset)
{
	memset(header, 0, sizeof *header);
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_ident[EI_VERSION] = EV_CURRENT;
	header->e_type = ET_DYN;
	header->e_machine = EM_X86_64;
	header->e_version = EV_CURRENT;
	header->e_ehsize = sizeof *header;
	header->e_shentsize = sizeof(Elf64_Shdr);
	header->e_shnum = sections;
	header->e_shoff = offset;
}

#endif
