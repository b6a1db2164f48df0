/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol tables, whole and damaged. */
#include "elf_header.h"
#include "suite.h"

#include "target/symbols.h"

#include <gelf.h>
#include <string.h>

/* An ELF file with three functions, of which the last two begin at the same address. */
static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[5];
	char names[32];
} file;

static Elf *open_file(void)
{
	static const char names[] = "\0first\0second\0alias\0data";

	memset(&file, 0, sizeof file);
	memcpy(file.names, names, sizeof names);
	elf_header_make(&file.header, 3, (size_t)((char *)file.sections - (char *)&file));
	file.sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
		.sh_offset = (size_t)((char *)file.symbols - (char *)&file),
		.sh_size = sizeof file.symbols,
		.sh_link = 2,
		.sh_entsize = sizeof *file.symbols};
	file.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
		.sh_offset = (size_t)(file.names - (char *)&file),
		.sh_size = sizeof file.names};
	unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	unsigned char object = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	file.symbols[1] = (Elf64_Sym){7, function, 0, 1, 0x200, 0x10};
	file.symbols[2] = (Elf64_Sym){1, function, 0, 1, 0x100, 0x80};
	file.symbols[3] = (Elf64_Sym){14, function, 0, 1, 0x200, 0x10};
	file.symbols[4] = (Elf64_Sym){20, object, 0, 1, 0x300, 0x10};
	elf_version(EV_CURRENT);
	return elf_memory((char *)&file, sizeof file);
}

static const char *name_at(const struct prof_symbols *table, uint64_t address)
{
	const struct prof_symbol *symbol = prof_symbols_find(table, address);

	return symbol ? symbol->name : "none";
}

START_TEST(finds_the_function_around_an_address)
{
	struct prof_symbols table = {0};
	Elf *elf = open_file();

	ck_assert_ptr_nonnull(elf);
	ck_assert(prof_symbols_read(&table, elf));
	ck_assert_str_eq(name_at(&table, 0xff), "none");
	ck_assert_str_eq(name_at(&table, 0x100), "first");
	ck_assert_str_eq(name_at(&table, 0x17f), "first");
	ck_assert_str_eq(name_at(&table, 0x180), "none");
	ck_assert_str_eq(name_at(&table, 0x208), "second");
	ck_assert_str_eq(name_at(&table, 0x210), "none");
	ck_assert_str_eq(name_at(&table, 0x300), "none");
	prof_symbols_deinit(&table);
	elf_end(elf);
}
END_TEST

START_TEST(survives_every_damaged_byte)
{
	for (size_t i = 0; i < sizeof file; i++) {
		for (int bit = 0; bit < 8; bit++) {
			struct prof_symbols table = {0};
			elf_end(open_file());
			((unsigned char *)&file)[i] ^= (unsigned char)(1 << bit);
			Elf *elf = elf_memory((char *)&file, sizeof file);
			if (elf && prof_symbols_read(&table, elf))
				name_at(&table, 0x108);
			prof_symbols_deinit(&table);
			elf_end(elf);
		}
	}
}
END_TEST

RUN_TESTS("symbols", finds_the_function_around_an_address, survives_every_damaged_byte)
