/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sections of ELF files, by name. */
#ifndef PROF_TARGET_SECTION_H
#define PROF_TARGET_SECTION_H

#include <gelf.h>

/* The section NAME of ELF, borrowed, its header in *HEADER; NULL: it has none. */
Elf_Scn *prof_section_find(Elf *elf, const char *name, GElf_Shdr *header);

#endif
