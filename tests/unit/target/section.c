/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/section.h"

#include "suite.h"

#include <fcntl.h>
#include <unistd.h>

START_TEST(sections_are_found_by_name)
{
	GElf_Shdr header;

	elf_version(EV_CURRENT);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	ck_assert_ptr_nonnull(elf);
	ck_assert_ptr_nonnull(prof_section_find(elf, ".text", &header));
	ck_assert_uint_eq(header.sh_type, SHT_PROGBITS);
	ck_assert_uint_le(header.sh_addr, (uintptr_t)&prof_section_find);
	ck_assert_ptr_null(prof_section_find(elf, ".tex", &header));
	elf_end(elf);
	close(fd);
}
END_TEST

START_TEST(files_without_sections_have_none)
{
	char text[] = "no ELF file";
	GElf_Shdr header;

	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(text, sizeof text);
	ck_assert_ptr_null(prof_section_find(elf, ".text", &header));
	elf_end(elf);
}
END_TEST

RUN_TESTS("section", sections_are_found_by_name, files_without_sections_have_none)
