/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that are looked for among symbols. */
#include "elf_header.h"
#include "suite.h"

#include "target/symbol_names.h"

#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <unistd.h>

enum { SYMBOLS = 12, SECTIONS = 6 };

/* An ELF file with a symbol table, one for the dynamic linker, and a section of any name. */
static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Sym symbols[SYMBOLS], exported[SYMBOLS];
	char names[512];
} file;

static size_t name_end;

static void begin_file(void)
{
	memset(&file, 0, sizeof file);
	elf_header_make(&file.header, SECTIONS, (size_t)((char *)file.sections - (char *)&file));
	file.header.e_shstrndx = 2;
	file.sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
		.sh_offset = (size_t)((char *)file.symbols - (char *)&file),
		.sh_size = sizeof *file.symbols,
		.sh_link = 2,
		.sh_entsize = sizeof *file.symbols};
	file.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
		.sh_offset = (size_t)(file.names - (char *)&file),
		.sh_size = sizeof file.names};
	file.sections[3] = file.sections[1];
	file.sections[3].sh_type = SHT_DYNSYM;
	file.sections[3].sh_offset = (size_t)((char *)file.exported - (char *)&file);
	name_end = 1;
}

static Elf64_Word add_name(const char *name)
{
	Elf64_Word at = (Elf64_Word)name_end;

	ck_assert_uint_lt(name_end + strlen(name), sizeof file.names);
	strcpy(file.names + at, name);
	name_end += strlen(name) + 1;
	return at;
}

/* Adds a symbol of TYPE to the table numbered SECTION. */
static void add_symbol(size_t section, const char *name, uint64_t address, int binding, int type)
{
	Elf64_Shdr *header = &file.sections[section];
	Elf64_Sym *symbol = (Elf64_Sym *)((char *)&file + header->sh_offset + header->sh_size);

	ck_assert_uint_lt(header->sh_size, sizeof file.symbols);
	*symbol = (Elf64_Sym){
		add_name(name), ELF64_ST_INFO(binding, type), 0, 1, address, address ? 8 : 0};
	header->sh_size += sizeof *symbol;
}

static void add_function(const char *name, uint64_t address)
{
	add_symbol(1, name, address, STB_GLOBAL, STT_FUNC);
}

/* What the file, BIAS bytes behind, says that NAME is; UINT64_MAX: it cannot tell. */
static uint64_t find_at(const char *name, uint64_t bias)
{
	struct prof_symbol_names names = {0};
	struct prof_symbol_hits hits = {0};
	struct prof_symbol_meaning meanings[2] = {0};

	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)&file, sizeof file);
	ck_assert(prof_symbol_names_add(&names, "another"));
	ck_assert(prof_symbol_names_add(&names, name));
	bool whole = prof_symbol_names_look(&names, elf, &hits);
	prof_symbol_hits_add(&hits, bias, meanings);
	prof_symbol_hits_deinit(&hits);
	prof_symbol_names_deinit(&names);
	elf_end(elf);
	return whole ? prof_symbol_meaning_function(&meanings[1]) : UINT64_MAX;
}

static uint64_t find(const char *name)
{
	return find_at(name, 0);
}

START_TEST(finds_a_function)
{
	begin_file();
	add_function("other", 0x100);
	add_function("climb", 0x200);
	ck_assert_uint_eq(find("climb"), 0x200);
	ck_assert_uint_eq(find_at("climb", 0x5000), 0x5200);
	ck_assert_uint_eq(find("clim"), 0);
	ck_assert_uint_eq(find("climbs"), 0);
	ck_assert_uint_eq(find("limb"), 0);
	/* It is exported, too. */
	add_symbol(3, "climb", 0x200, STB_GLOBAL, STT_FUNC);
	ck_assert_uint_eq(find("climb"), 0x200);
}
END_TEST

START_TEST(is_not_certain_of_what_a_debugger_may_take_for_it)
{
	static const char *const others[] = {"_ZN4deep5climbEi", "_Z5climbv", "climb.cold",
		"main.climb", "pack__climb", "climb__pack", "climb_", "_climb", "__climb",
		"climb@@GLIBC_2.2.5", "_ada_climb", "__module_MOD_climb", "_RNvC4main5climb",
		"_RNvC4main5_climb", "-[Hill climb:]", "climb$1", "_ZZ5climbvENKUlvE_clEv",
		"a__climb_", "_ZN3$LT5climbE"};
	static const char *const unlike[] = {"climber", "do_climb", "climb_up", "_Z6climbsv",
		"_ZN6climb25clearEv", "_Z5clim", "_Z55climb", "_Z4climbv", "a_climb_b"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		begin_file();
		add_function("climb", 0x200);
		add_function(others[i], 0x300);
		ck_assert_msg(find("climb") == 0, "%s", others[i]);
	}
	for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++) {
		begin_file();
		add_function("climb", 0x200);
		add_function(unlike[i], 0x300);
		ck_assert_msg(find("climb") == 0x200, "%s", unlike[i]);
	}
}
END_TEST

START_TEST(is_not_certain_of_what_is_no_single_function)
{
	begin_file();
	add_function("climb", 0x200);
	add_function("climb", 0x300);
	ck_assert_uint_eq(find("climb"), 0);
	begin_file();
	add_function("climb", 0x200);
	add_symbol(1, "climb", 0x900, STB_LOCAL, STT_OBJECT);
	ck_assert_uint_eq(find("climb"), 0);
	begin_file();
	add_symbol(1, "climb", 0x200, STB_GLOBAL, STT_GNU_IFUNC);
	ck_assert_uint_eq(find("climb"), 0);
	begin_file();
	add_function("climb", 0x200);
	add_symbol(3, "climb", 0x300, STB_GLOBAL, STT_FUNC);
	ck_assert_uint_eq(find("climb"), 0);
	/* Of a name that is only exported, versions may be hidden. */
	begin_file();
	add_symbol(3, "climb", 0x200, STB_GLOBAL, STT_FUNC);
	ck_assert_uint_eq(find("climb"), 0);
	/* These are no functions of the file. */
	begin_file();
	add_function("climb", 0x200);
	add_symbol(1, "climb", 0, STB_LOCAL, STT_FILE);
	add_symbol(1, "climb", 0x300, STB_GLOBAL, STT_FUNC);
	file.symbols[3].st_shndx = SHN_UNDEF;
	ck_assert_uint_eq(find("climb"), 0x200);
}
END_TEST

START_TEST(takes_plain_identifiers_only)
{
	static const char *const names[] = {"climb()", "hill::climb", "climb.c:climb", "1climb", "",
		"climb cold", "climb.cold"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		begin_file();
		add_function(names[i], 0x200);
		ck_assert_msg(find(names[i]) == 0, "%s", names[i]);
	}
}
END_TEST

START_TEST(cannot_tell_what_symbols_lack)
{
	begin_file();
	file.sections[4] =
		(Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_name = add_name(".debug_info")};
	add_function("climb", 0x200);
	ck_assert_uint_eq(find("climb"), UINT64_MAX);
	add_symbol(1, "local", 0x300, STB_LOCAL, STT_FUNC);
	ck_assert_uint_eq(find("climb"), 0x200);
	file.sections[5] =
		(Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_name = add_name(".gnu_debugdata")};
	ck_assert_uint_eq(find("climb"), UINT64_MAX);
}
END_TEST

START_TEST(survives_every_damaged_byte)
{
	begin_file();
	add_function("climb", 0x200);
	add_function("_ZN4deep5climbEi", 0x300);
	add_symbol(3, "climb", 0x200, STB_GLOBAL, STT_FUNC);
	for (size_t i = 0; i < offsetof(__typeof__(file), names) + 64; i++) {
		for (int bit = 0; bit < 8; bit++) {
			((unsigned char *)&file)[i] ^= (unsigned char)(1 << bit);
			find("climb");
			((unsigned char *)&file)[i] ^= (unsigned char)(1 << bit);
		}
	}
}
END_TEST

static int find_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

/* Too small for the compiler to make parts of them. */
__attribute__((noinline, noclone)) static int count_alone(int so_far)
{
	return so_far + 1;
}

START_TEST(finds_functions_of_a_real_program)
{
	struct prof_symbol_names names = {0};
	struct prof_symbol_hits hits = {0};
	struct prof_symbol_meaning meanings[3] = {0};
	uint64_t bias;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	dl_iterate_phdr(find_bias, &bias);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	ck_assert_int_eq(count_alone(count_alone(fd)), fd + 2);
	ck_assert(prof_symbol_names_add(&names, "count_alone"));
	ck_assert(prof_symbol_names_add(&names, "prof_symbol_names_deinit"));
	ck_assert(prof_symbol_names_add(&names, "no_such_function"));
	ck_assert(prof_symbol_names_look(&names, elf, &hits));
	prof_symbol_hits_add(&hits, bias, meanings);
	ck_assert_uint_eq(prof_symbol_meaning_function(&meanings[0]), (uint64_t)count_alone);
	ck_assert_uint_eq(
		prof_symbol_meaning_function(&meanings[1]), (uint64_t)prof_symbol_names_deinit);
	ck_assert_uint_eq(prof_symbol_meaning_function(&meanings[2]), 0);
	prof_symbol_hits_deinit(&hits);
	prof_symbol_names_deinit(&names);
	elf_end(elf);
	close(fd);
}
END_TEST

RUN_TESTS("symbol_names", finds_a_function, is_not_certain_of_what_a_debugger_may_take_for_it,
	is_not_certain_of_what_is_no_single_function, takes_plain_identifiers_only,
	cannot_tell_what_symbols_lack, survives_every_damaged_byte,
	finds_functions_of_a_real_program)
