/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * First instructions of functions of real libraries, executed where they are and moved, in a child
 * each, with random registers.  Whatever ends them, an access to memory or a branch, must come at
 * the same instruction with the same registers, flags and memory.
 *
 * RELOCATIONS=N has N entries be tried, drawn with the seed RELOCATION_SEED, and not 200.
 */
#include "patching/relocation.h"

#include "patched_calls.h"

#if defined(__x86_64__) && defined(PROF_ZYDIS)

#include "machine.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <ucontext.h>

/*
 * All that is at most 2 GB from the code can be read and written: what it addresses by its own
 * address is there.  Registers lead to the data, and so does the stack pointer.
 */
enum { PAGE = 4096, WORDS = 4096, NEAR = 64, SECONDS = 20, CASES = 200, GUARD = 0x28 };
#define REACH (UINT64_C(1) << 31)

/* How a child has ended. */
struct outcome {
	int signal; /* 0: it has not come to it */
	greg_t registers[NGREG];
	unsigned char vectors[16 * 16];
	uint64_t address; /* that it could not access */
	uint64_t sum;     /* of the data */
	unsigned char near[NEAR];
};

static struct shared {
	struct outcome outcomes[2];
} * shared;

static unsigned char *code, *island;
static uint64_t *data;

/* What a child is to do. */
static struct {
	struct outcome *outcome;
	const unsigned char *start;
	uint64_t registers[NGREG];
	uint64_t vectors[2 * 16];
	const unsigned char *near; /* what the code addresses relative to itself, or NULL */
} task;

static void start(int number, siginfo_t *info, void *context)
{
	mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;

	(void)number;
	(void)info;
	for (int i = REG_R8; i <= REG_RSP; i++)
		machine->gregs[i] = (greg_t)task.registers[i];
	machine->gregs[REG_EFL] = (greg_t)task.registers[REG_EFL];
	machine->gregs[REG_RIP] = (greg_t)(uintptr_t)task.start;
	memcpy(machine->fpregs->_xmm, task.vectors, sizeof task.vectors);
}

static void finish(int number, siginfo_t *info, void *context)
{
	const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
	struct outcome *outcome = task.outcome;

	memcpy(outcome->registers, machine->gregs, sizeof outcome->registers);
	memcpy(outcome->vectors, machine->fpregs->_xmm, sizeof outcome->vectors);
	outcome->address = number == SIGSEGV ? (uint64_t)(uintptr_t)info->si_addr : 0;
	for (size_t i = 0; i < WORDS; i++)
		outcome->sum = outcome->sum * 31 + data[i];
	if (task.near)
		memcpy(outcome->near, task.near, NEAR);
	outcome->signal = number;
	_exit(0);
}

/* Executes what is at START in a child, whose outcome is RET. */
static void execute(const unsigned char *begin, struct outcome *ret)
{
	static const int ends[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGALRM};
	static char stack[1 << 16];
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_sigaction = finish, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	int status;

	memset(ret, 0, sizeof *ret);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		task.outcome = ret;
		task.start = begin;
		sigaltstack(&other, NULL);
		sigfillset(&action.sa_mask);
		for (size_t i = 0; i < PROF_COUNT(ends); i++)
			sigaction(ends[i], &action, NULL);
		action.sa_sigaction = start;
		sigaction(SIGUSR1, &action, NULL);
		alarm(SECONDS);
		raise(SIGUSR1);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
}

/* Does the instruction do the same each time, and nothing outside of the process's memory? */
static bool is_repeatable(
	const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands)
{
	static const ZydisInstructionCategory others[] = {ZYDIS_CATEGORY_SYSCALL,
		ZYDIS_CATEGORY_SYSTEM, ZYDIS_CATEGORY_INTERRUPT, ZYDIS_CATEGORY_IO,
		ZYDIS_CATEGORY_RDRAND, ZYDIS_CATEGORY_RDSEED, ZYDIS_CATEGORY_XSAVE,
		ZYDIS_CATEGORY_XSAVEOPT, ZYDIS_CATEGORY_RDWRFSGS, ZYDIS_CATEGORY_PKU};

	for (size_t i = 0; i < PROF_COUNT(others); i++) {
		if (decoded->meta.category == others[i])
			return false;
	}
	/* The state of the x87 has the address of its last instruction. */
	if (decoded->mnemonic == ZYDIS_MNEMONIC_CPUID ||
		decoded->mnemonic == ZYDIS_MNEMONIC_FNSTENV ||
		decoded->mnemonic == ZYDIS_MNEMONIC_FNSAVE ||
		decoded->mnemonic == ZYDIS_MNEMONIC_FXSAVE ||
		decoded->mnemonic == ZYDIS_MNEMONIC_FXSAVE64 ||
		(decoded->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPNE)))
		return false;
	for (size_t i = 0; i < decoded->operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];
		/* Children have numbers of their own there, but the same guard of the stack. */
		if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			(operand->mem.segment == ZYDIS_REGISTER_FS ||
				operand->mem.segment == ZYDIS_REGISTER_GS) &&
			((operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) ||
				operand->mem.disp.value != GUARD))
			return false;
	}
	return true;
}

/* Are all COUNT bytes at CODE such instructions?  Sets what they address relative to themselves. */
static bool is_executable(size_t count)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction decoded;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZyanU64 target;

	task.near = NULL;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t at = 0; at < count; at += decoded.length) {
		uint64_t address = (uint64_t)(uintptr_t)code + at;
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(
			    &decoder, code + at, count - at, &decoded, operands)) ||
			!is_repeatable(&decoded, operands))
			return false;
		for (size_t i = 0; i < decoded.operand_count_visible; i++) {
			if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
				operands[i].mem.base == ZYDIS_REGISTER_RIP &&
				ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(
					&decoded, &operands[i], address, &target)))
				task.near = (const unsigned char *)(uintptr_t)target;
		}
	}
	return true;
}

/* Where a thread at PC in the moved code would be; its stack pointer is *SP then. */
static uint64_t map_back(const struct prof_relocation *moved, uint64_t pc, uint64_t *sp)
{
	uint64_t offset = pc - (uint64_t)(uintptr_t)island;
	const struct prof_relocation_place *place = &moved->places[0];

	if (offset >= moved->size)
		return pc;
	for (size_t i = 1; i < moved->count && moved->places[i].to <= offset; i++)
		place = &moved->places[i];
	*sp += place->sp;
	return (uint64_t)(uintptr_t)code + place->from;
}

/* Random values for registers, most of which lead to the data. */
static void fill_registers(void)
{
	for (int i = 0; i < NGREG; i++)
		task.registers[i] = draw(4) ? (uint64_t)(uintptr_t)&data[draw(WORDS)]
					    : draw(draw(2) ? 16 : UINT64_MAX);
	task.registers[REG_RSP] = (uint64_t)(uintptr_t)&data[WORDS / 4 + draw(WORDS / 2)];
	task.registers[REG_EFL] = 0x202 | (draw(UINT64_MAX) & 0x8d5);
	for (size_t i = 0; i < PROF_COUNT(task.vectors); i++)
		task.vectors[i] = draw(UINT64_MAX);
	for (size_t i = 0; i < WORDS; i++)
		data[i] = draw(4) ? (uint64_t)(uintptr_t)&data[draw(WORDS)] : draw(UINT64_MAX);
}

/* Executes ENTRY, whose BYTES are there, in both ways.  False: it cannot be. */
static bool try_entry(const struct prof_entry *entry, const unsigned char *bytes)
{
	struct prof_relocation moved;
	struct outcome *outcomes = shared->outcomes;
	size_t least = entry->patch == PROF_PATCH_HOP ? 2 : 5;

	/* What is around it is a trap. */
	memset(code - PAGE / 2, 0xcc, PAGE);
	memcpy(code, bytes, entry->taken);
	/* Where it addresses itself, it sees the patch. */
	if (!is_executable(entry->taken) ||
		(task.near && task.near + PAGE > code && task.near < code + PAGE))
		return false;
	ck_assert_int_eq(prof_relocation_move(code, entry->taken, (uintptr_t)code, least,
				 (uintptr_t)island, &moved),
		PROF_OBSTACLE_NONE);
	memset(island, 0xcc, PAGE);
	memcpy(island, moved.code, moved.size);
	fill_registers();
	for (size_t i = 0; task.near && i < NEAR; i++)
		((unsigned char *)(uintptr_t)task.near)[i] = (unsigned char)draw(256);
	execute(code, &outcomes[0]);
	memset(code, 0xcc, least);
	execute(island, &outcomes[1]);
	if (!outcomes[0].signal || outcomes[0].signal == SIGALRM)
		return false;
	greg_t *registers = outcomes[1].registers;
	uint64_t sp = (uint64_t)registers[REG_RSP];
	registers[REG_RIP] = (greg_t)map_back(&moved, (uint64_t)registers[REG_RIP], &sp);
	registers[REG_RSP] = (greg_t)sp;
	return true;
}

/* Fails unless both outcomes are the same. */
static void check_outcomes(const char *library, uint64_t low)
{
	const struct outcome *original = &shared->outcomes[0], *copy = &shared->outcomes[1];

	ck_assert_msg(original->signal == copy->signal, "%s at %#lx: signals %d and %d", library,
		low, original->signal, copy->signal);
	for (int i = REG_R8; i <= REG_EFL; i++)
		ck_assert_msg(original->registers[i] == copy->registers[i],
			"%s at %#lx: register %d is %#llx, and then %#llx", library, low, i,
			original->registers[i], copy->registers[i]);
	ck_assert_msg(original->address == copy->address && original->sum == copy->sum &&
			!memcmp(original->vectors, copy->vectors, sizeof copy->vectors) &&
			!memcmp(original->near, copy->near, NEAR),
		"%s at %#lx: memory or vector registers differ", library, low);
}

/* Has COUNT entries of the library that has the function NAME be executed. */
static void try_library(const char *name, unsigned count)
{
	const void *function = dlsym(RTLD_DEFAULT, name);
	unsigned tried = 0, drawn = 0;

	if (!function)
		return;
	struct patched *patched = patched_open(function, 0);
	const struct prof_entries *entries = &patched->entries;
	for (; tried < count && drawn < 50 * count; drawn++) {
		const struct prof_entry *entry = &entries->items.items[draw(entries->items.count)];
		unsigned char bytes[PROF_RELOCATION_TAKEN];
		if (!entry->patch || !patched_read(patched->elf, entry->low, bytes, entry->taken) ||
			!try_entry(entry, bytes))
			continue;
		check_outcomes(name, entry->low);
		tried++;
	}
	ck_assert_msg(tried == count, "%s: %u of %u", name, tried, count);
	patched_close(patched);
}

static unsigned number_from(const char *variable, unsigned otherwise)
{
	const char *text = getenv(variable);

	return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

START_TEST(moved_entries_do_what_they_did)
{
	static const char *const functions[] = {
		"qsort", "cbrt", "deflate", "sqlite3_open", "dwarf_begin", "gelf_getehdr"};
	unsigned char *area = mmap(NULL, 2 * REACH + PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	ck_assert_ptr_ne(area, MAP_FAILED);
	code = area + REACH + PAGE / 2;
	island = area + REACH + (1 << 20);
	data = (uint64_t *)(area + REACH + (1 << 24));
	ck_assert_int_eq(mprotect(area + REACH, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	ck_assert_int_eq(mprotect(island, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
	state = number_from("RELOCATION_SEED", 20161127);
	unsigned cases = number_from("RELOCATIONS", CASES);
	for (size_t i = 0; i < PROF_COUNT(functions); i++)
		try_library(functions[i], cases / PROF_COUNT(functions) + 1);
	munmap(area, 2 * REACH + PAGE);
	munmap(shared, sizeof *shared);
}
END_TEST

RUN_DECODER_TESTS("relocation_real", moved_entries_do_what_they_did)

#else

int main(void)
{
	puts("1..0 # SKIP there is no code to move");
	return 0;
}

#endif
