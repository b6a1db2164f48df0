/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/stub_code.h"

#include "patching/stub_data.h"

#include <stddef.h>

#ifdef __x86_64__

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* What the assembler puts down about a piece. */
struct layout {
	uint32_t length, entry, raised, returned, lowered, mark, hole_count;
};

/* Labels of a piece NAME: its code, its holes, and its layout. */
#define DECLARE(name)                                                  \
	extern const unsigned char prof_stub_code_##name[] HIDDEN;     \
	extern const struct prof_hole prof_stub_holes_##name[] HIDDEN; \
	extern const struct layout prof_stub_layout_##name HIDDEN
#define HIDDEN __attribute__((visibility("hidden")))
#define LABEL(name) ".globl " name "\n.hidden " name "\n" name ":\n"

DECLARE(count);
DECLARE(count_callers);
DECLARE(entry);
DECLARE(call);
DECLARE(find_frame);
DECLARE(attach);
DECLARE(record);
DECLARE(find);

/*
 * A piece has the local labels 70 at its beginning, 71 to 75 where struct prof_stub_piece says, and
 * 79 at its end.  The nop, which nothing executes, has the line that debug information notes for
 * the next instruction: the assembler warns of lines of instructions that are data.
 */
/* clang-format off */
#define BEGIN(name)                                                  \
	"nop\n"                                                      \
	".pushsection .rodata.prof_stub_holes,\"a\"\n.balign 4\n"    \
	LABEL("prof_stub_holes_" name) ".popsection\n"               \
	".pushsection .rodata.prof_stub_code,\"a\"\n"                \
	LABEL("prof_stub_code_" name) "70:\n"
#define END(name)                                                    \
	"79:\n.popsection\n"                                         \
	".pushsection .rodata.prof_stub_holes\n78:\n.popsection\n"   \
	".pushsection .rodata.prof_stub_layout,\"a\"\n.balign 4\n"   \
	LABEL("prof_stub_layout_" name)                              \
	".long 79b-70b, 71b-70b, 72b-70b, 73b-70b, 74b-70b, 75b-70b\n" \
	".long (78b-prof_stub_holes_" name ")/8\n.popsection\n"
/* clang-format on */
/* No RAISED, RETURNED and LOWERED, or no MARK: the piece ends before. */
#define NO_RETURN "72:\n73:\n74:\n"
#define NO_MARK "75:\n"

/* The last BYTES of what precedes are a hole. */
#define HOLE(kind, bytes)                                                                      \
	"77:\n.pushsection .rodata.prof_stub_holes\n.long 77b-70b-" #bytes ", %c[" #kind "]\n" \
	".popsection\n"
#define JUMP(kind) ".byte 0xe9\n.long 0\n" HOLE(kind, 4)
#define LOAD_MOVED(to) "lea 0(%%rip)," to "\n" HOLE(moved, 4)
#define LOAD_THREAD(to) "mov %%fs:0," to "\n" HOLE(thread, 4)
#define LOAD_GRANULES(to) "movabs $0," to "\n" HOLE(granules, 8)
#define LOAD_CONTROL(to) "movabs $0," to "\n" HOLE(control, 8)
#define LOAD_SHADOW(to) "movabs $0," to "\n" HOLE(shadow, 8)

/* The flags are in ah, but for the one of overflow, which is al; -104(%rsp) keeps them. */
#define GET_FLAGS "lahf\nseto %%al\n"
#define SET_FLAGS "add $0x7f,%%al\nsahf\n"
#define RESTORE                   \
	"mov -104(%%rsp),%%rax\n" \
	"mov -120(%%rsp),%%rcx\n" \
	"mov -112(%%rsp),%%rdx\n" SET_FLAGS "mov -128(%%rsp),%%rax\n"

/* The number of the granule that REGISTER is in: bits 24 to 46. */
#define TO_GRANULE(name) "shl $17," name "\nshr $41," name "\n"

/* Has rcx lead to the block of the thread.  Without one rcx is 0: 1 attaches it, and 71 begins
 * anew. */
#define TAKE_THREAD "71:" TAKE_BLOCK("1b")
#define TAKE_BLOCK(none)           \
	"	mov %%rax,-128(%%rsp)\n" \
	"	mov %%rcx,-120(%%rsp)\n" LOAD_THREAD("%%rcx") "	jrcxz " none "\n"
#define ATTACH                       \
	"1:	mov %%rdx,-112(%%rsp)\n" \
	"	lea 71f(%%rip),%%rdx\n" JUMP(attach)

/*
 * Has rcx lead to a new record of the block at rcx, or goes to FULL.  A signal can come between the
 * comparison and the claim: PROF_STUB_SPARE records are there for its handler.
 */
#define CLAIM(full)                    \
	"mov %c[next](%%rcx),%%rax\n"  \
	"cmp %c[limit](%%rcx),%%rax\n" \
	"jae " full "\n"               \
	"mov $16,%%eax\n"              \
	"xadd %%rax,%c[next](%%rcx)\n" \
	"and $0x7fffffff,%%eax\n" HOLE(mask, 4) "add %%rax,%%rcx\n"
/* Sets rax to the stack pointer as a record has it, and to the time stamp, which rdx also takes. */
#define GET_SLOT "mov %%rsp,%%rax\nshr $3,%%rax\nshl $20,%%rax\n"
#define GET_TIME "rdtsc\nshl $32,%%rdx\nor %%rdx,%%rax\n"

/*
 * Where a stub that records goes on if it is to count only, and the jump to there: it leads behind
 * itself at first.  Only its last byte is written while threads execute it.
 */
#define COUNT                                                                                  \
	"75:" TAKE_BLOCK("1f") GET_FLAGS "incq 0x7fffffff(%%rcx)\n" HOLE(counter, 4) SET_FLAGS \
		"	mov -128(%%rsp),%%rax\n"                                                     \
		"	mov -120(%%rsp),%%rcx\n" JUMP(moved)
#define MAY_COUNT "71:	.byte 0xeb,0\n"

#define CONSTANTS                                                                                 \
	[thread] "i"(PROF_HOLE_THREAD), [counter] "i"(PROF_HOLE_COUNTER), [id] "i"(PROF_HOLE_ID), \
		[tail] "i"(PROF_HOLE_TAIL), [entry] "i"(PROF_HOLE_ENTRY),                         \
		[mask] "i"(PROF_HOLE_MASK), [first_limit] "i"(PROF_HOLE_LIMIT),                   \
		[size] "i"(PROF_HOLE_SIZE), [moved] "i"(PROF_HOLE_MOVED),                         \
		[attach] "i"(PROF_HOLE_ATTACH), [record] "i"(PROF_HOLE_RECORD),                   \
		[control] "i"(PROF_HOLE_CONTROL), [granules] "i"(PROF_HOLE_GRANULES),             \
		[shadow] "i"(PROF_HOLE_SHADOW),                                                   \
		[next] "i"(offsetof(struct prof_stub_thread, next)),                              \
		[limit] "i"(offsetof(struct prof_stub_thread, limit)),                            \
		[lost] "i"(offsetof(struct prof_stub_thread, lost)),                              \
		[records] "i"(PROF_STUB_RECORDS), [is_shadowed] "i"(PROF_STUB_SHADOWED),          \
		[is_island] "i"(PROF_STUB_ISLAND)

__attribute__((used)) static void count(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("count")
		ATTACH
		TAKE_THREAD
		GET_FLAGS
		/* One instruction, which neither a signal nor another thread can split. */
		"	incq 0x7fffffff(%%rcx)\n" HOLE(counter, 4)
		"75:\n" SET_FLAGS
		"	mov -128(%%rsp),%%rax\n"
		"	mov -120(%%rsp),%%rcx\n"
		NO_RETURN END("count")
		:: CONSTANTS);
	/* clang-format on */
}

/* Sets edx to the number of the function that the entry at rcx is of. */
#define GET_FUNCTION "mov %c[what]+4(%%rcx),%%edx\n	shr $%c[calls_bits]-32,%%edx\n"

#define CONSTANTS_OF_CALLERS                                                                       \
	[find] "i"(PROF_HOLE_FIND), [counters] "i"(PROF_HOLE_COUNTERS),                            \
		[callers] "i"(PROF_HOLE_CALLERS), [hash] "i"(PROF_HOLE_HASH),                      \
		[shift] "i"(PROF_HOLE_SHIFT), [what] "i"(offsetof(struct prof_stub_caller, what)), \
		[entry_size] "i"(sizeof(struct prof_stub_caller)),                                 \
		[calls_bits] "i"(PROF_STUB_CALLS_BITS),                                            \
		[probed] "i"(PROF_STUB_PROBES * sizeof(struct prof_stub_caller))
_Static_assert(sizeof(struct prof_stub_caller) == 1 << 4, "count_callers() shifts by 4");

/*
 * Counts in the entry that the hash leads to.  If that is not the caller's, the shared code looks
 * further.  The hash is the upper half of what the golden ratio makes of the lower 32 bits of the
 * return address, moved by what depends on the function.
 */
__attribute__((used)) static void count_callers(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("count_callers")
		"1:	lea 71f(%%rip),%%rdx\n" JUMP(attach)
		"2:	mov $0,%%eax\n" HOLE(id, 4)
		LOAD_MOVED("%%rdx")
		JUMP(find)
		/* All that is needed to undo it is saved before anything changes. */
		"71:	mov %%rax,-128(%%rsp)\n"
		"	mov %%rcx,-120(%%rsp)\n"
		"	mov %%rdx,-112(%%rsp)\n"
		GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n"
		LOAD_THREAD("%%rcx") "	jrcxz 1b\n"
		"	mov (%%rsp),%%rax\n"
		"	imul $-0x61c8864f,%%eax,%%edx\n"
		"	add $0x7fffffff,%%edx\n" HOLE(hash, 4)
		"	shr $31,%%edx\n" HOLE(shift, 1)
		"	shl $4,%%edx\n"
		"	lea 0x7fffffff(%%rcx,%%rdx),%%rcx\n" HOLE(callers, 4)
		"	cmp %%rax,(%%rcx)\n	jne 2b\n"
		GET_FUNCTION
		"	cmp $0x7fffffff,%%edx\n" HOLE(id, 4)
		"	jne 2b\n"
		"	incq %c[what](%%rcx)\n"
		"75:\n" RESTORE
		NO_RETURN END("count_callers")
		:: CONSTANTS, CONSTANTS_OF_CALLERS);
	/* clang-format on */
}

/*
 * rcx leads to the first entry in which the caller may be; eax is the number of the function, and
 * rdx where to go on.  A free entry first gets its caller, and then its function; after each of
 * these it is looked at again, since a signal handler may have been faster.  The locks are for
 * threads without a block.
 */
__attribute__((used)) static void find(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("find")
		"71:	mov %%rdx,-96(%%rsp)\n"
		"	mov %%rax,-88(%%rsp)\n"
		"	lea %c[probed](%%rcx),%%rdx\n"
		"	mov %%rdx,-80(%%rsp)\n"
		"	mov (%%rsp),%%rax\n"
		/* That would be a free entry. */
		"	test %%rax,%%rax\n	jz 3f\n"
		"1:	mov (%%rcx),%%rdx\n"
		"	cmp %%rax,%%rdx\n	je 5f\n"
		"	test %%rdx,%%rdx\n	jz 4f\n"
		"2:	add $%c[entry_size],%%rcx\n"
		"	cmp -80(%%rsp),%%rcx\n	jb 1b\n"
		/* There is no room: the caller remains unknown. */
		"3:	mov -88(%%rsp),%%rax\n"
		LOAD_THREAD("%%rcx")
		"	lea 0x7fffffff(%%rcx,%%rax,8),%%rcx\n" HOLE(counters, 4)
		"	jmp 7f\n"
		"4:	mov %%rax,%%rdx\n	xor %%eax,%%eax\n"
		"	lock cmpxchg %%rdx,(%%rcx)\n"
		"	mov %%rdx,%%rax\n	jmp 1b\n"
		"5:\n" GET_FUNCTION
		"	cmp -88(%%rsp),%%edx\n	je 6f\n"
		"	test %%edx,%%edx\n	jnz 2b\n"
		"	mov -88(%%rsp),%%rdx\n	shl $%c[calls_bits],%%rdx\n"
		"	xor %%eax,%%eax\n"
		"	lock cmpxchg %%rdx,%c[what](%%rcx)\n"
		"	mov (%%rsp),%%rax\n	jmp 1b\n"
		"6:	add $%c[what],%%rcx\n"
		"7:	incq (%%rcx)\n"
		"75:\n" RESTORE "jmp *-96(%%rsp)\n"
		NO_RETURN END("find")
		:: CONSTANTS, CONSTANTS_OF_CALLERS);
	/* clang-format on */
}

__attribute__((used)) static void entry(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("entry")
		COUNT
		ATTACH
		MAY_COUNT
		TAKE_BLOCK("1b")
		"	mov %%rdx,-112(%%rsp)\n"
		GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n"
		"	mov $0,%%eax\n" HOLE(entry, 4)
		LOAD_MOVED("%%rdx")
		JUMP(record)
		NO_RETURN END("entry")
		:: CONSTANTS);
	/* clang-format on */
}

/*
 * The call takes the slot of the true return address, which goes to its shadow.  Where an island is
 * what the slot already leads to, it was jumped from a function whose call is recorded.
 */
__attribute__((used)) static void call(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("call")
		"3:	mov -104(%%rsp),%%rax\n" SET_FLAGS "jmp 2f\n"
		"4:	mov $0,%%eax\n" HOLE(tail, 4) LOAD_MOVED("%%rdx") JUMP(record)
		/* Without room for a record, the call is counted. */
		"5:\n" RESTORE "jmp 75f\n"
		COUNT
		"1:	mov %%rdx,-112(%%rsp)\n"
		"2:	lea 71f(%%rip),%%rdx\n"
		LOAD_MOVED("%%rcx")
		JUMP(attach)
		MAY_COUNT
		TAKE_BLOCK("1b")
		"	mov %%rdx,-112(%%rsp)\n"
		GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n"
		"	mov (%%rsp),%%rax\n"
		LOAD_GRANULES("%%rdx") TO_GRANULE("%%rax")
		"	testb $%c[is_island],(%%rdx,%%rax)\n	jnz 4b\n"
		"	mov %%rsp,%%rax\n" TO_GRANULE("%%rax")
		"	testb $%c[is_shadowed],(%%rdx,%%rax)\n	jz 3b\n"
		CLAIM("5b")
		GET_SLOT
		"	or $0x7fffffff,%%rax\n" HOLE(id, 4)
		"	mov %%rax,%c[records]+8(%%rcx)\n"
		GET_TIME
		"	mov %%rax,%c[records](%%rcx)\n"
		LOAD_SHADOW("%%rax")
		"	mov (%%rsp),%%rcx\n"
		"	xor %%rsp,%%rax\n"
		"	mov %%rcx,(%%rax)\n"
		RESTORE
		"	lea 8(%%rsp),%%rsp\n"
		"72:	.byte 0xe8\n	.long 0\n" HOLE(moved, 4)
		"73:	lea -8(%%rsp),%%rsp\n"
		"74:	mov %%rax,-128(%%rsp)\n"
		"	mov %%rcx,-120(%%rsp)\n"
		"	mov %%rdx,-112(%%rsp)\n"
		GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n"
		LOAD_SHADOW("%%rax")
		"	xor %%rsp,%%rax\n"
		"	mov (%%rax),%%rax\n"
		"	mov %%rax,(%%rsp)\n"
		LOAD_THREAD("%%rcx")
		"	test %%rcx,%%rcx\n	jz 8f\n"
		CLAIM("9f")
		GET_SLOT
		"	mov %%rax,%c[records]+8(%%rcx)\n"
		GET_TIME
		"	mov %%rax,%c[records](%%rcx)\n"
		"7:\n" RESTORE "ret\n"
		"8:	mov -104(%%rsp),%%rax\n" SET_FLAGS
		"	lea 74b(%%rip),%%rdx\n	mov $0,%%ecx\n" JUMP(attach)
		"9:	incq %c[lost](%%rcx)\n	jmp 7b\n"
		END("call")
		:: CONSTANTS);
	/* clang-format on */
}

/*
 * rax holds the number of the function and, in bits 30 and 31, enum prof_stub_mark; rcx is the
 * block, and rdx where to go on.
 */
__attribute__((used)) static void record(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("record")
		"71:	mov %%rdx,-96(%%rsp)\n"
		"	mov %%rax,-88(%%rsp)\n"
		CLAIM("2f")
		"	mov -88(%%rsp),%%rdx\n"
		"	and $0xfffff,%%edx\n"
		GET_SLOT
		"	or %%rdx,%%rax\n"
		"	mov %%rax,%c[records]+8(%%rcx)\n"
		GET_TIME
		"	mov -88(%%rsp),%%rdx\n"
		"	shr $30,%%rdx\n	shl $62,%%rdx\n	or %%rdx,%%rax\n"
		"	mov %%rax,%c[records](%%rcx)\n"
		"1:\n" RESTORE "jmp *-96(%%rsp)\n"
		"2:	mov -88(%%rsp),%%rdx\n"
		"	and $0xfffff,%%edx\n"
		"	incq 0x7fffffff(%%rcx,%%rdx,8)\n" HOLE(counters, 4)
		"	jmp 1b\n"
		NO_RETURN NO_MARK END("record")
		:: CONSTANTS, [counters] "i"(PROF_HOLE_COUNTERS));
	/* clang-format on */
}

/*
 * rdi is the address whose frame is looked for, and rsi leads to where three addresses go: two
 * bases, which the frames of islands do not need, and where the code begins.
 */
__attribute__((used)) static void find_frame(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("find_frame")
		"71:	mov %%rax,-128(%%rsp)\n"
		"	mov %%rcx,-120(%%rsp)\n"
		"	mov %%rdx,-112(%%rsp)\n"
		GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n"
		"	mov %%rdi,%%rax\n"
		LOAD_GRANULES("%%rdx") TO_GRANULE("%%rax")
		"	testb $%c[is_island],(%%rdx,%%rax)\n"
		"	mov -112(%%rsp),%%rdx\n	jz 1f\n"
		"	movq $0,(%%rsi)\n	movq $0,8(%%rsi)\n"
		"	mov %%rdi,16(%%rsi)\n"
		"	movabs $0,%%rax\n" HOLE(frame, 8)
		"	ret\n"
		"1:\n" RESTORE
		NO_RETURN NO_MARK END("find_frame")
		:: CONSTANTS, [frame] "i"(PROF_HOLE_FRAME));
	/* clang-format on */
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define SYSTEM(number) "mov $" TEXT(number) ",%%eax\nsyscall\n"
/* clang-format off */
/* mmap() of rsi bytes at rdi, of no file. */
#define MAP(flags) \
	"	mov $" TEXT(PROT_READ | PROT_WRITE) ",%%edx\n" \
	"	mov $" TEXT(flags) ",%%r10d\n" \
	"	mov $-1,%%r8\n	xor %%r9d,%%r9d\n" SYSTEM(SYS_mmap)

/*
 * Sets r9 to a block whose thread is gone, or goes to 3; -32(%rsp) has the ids of this one.
 * Without room for the record of the new thread, its records would be the old one's.
 */
#define FIND_BLOCK \
	SYSTEM(SYS_gettid) \
	"	mov %%eax,-28(%%rsp)\n	mov %%eax,%%r8d\n" \
	SYSTEM(SYS_getpid) \
	"	mov %%eax,-32(%%rsp)\n	mov %%eax,%%edi\n" \
	LOAD_CONTROL("%%rdx") \
	"	mov %c[first](%%rdx),%%r9\n" \
	"	mov $%c[most],%%r10d\n" \
	"1:	test %%r9,%%r9\n	jz 3f\n" \
	"	cmp %%edi,%c[process](%%r9)\n	jne 2f\n" \
	"	mov %c[next](%%r9),%%rax\n" \
	"	cmp %c[limit](%%r9),%%rax\n	jb 4f\n" \
	"	mov $0,%%eax\n" HOLE(first_limit, 4) \
	"	test %%eax,%%eax\n	jnz 2f\n" \
	"4:	mov %c[process]+4(%%r9),%%esi\n" \
	"	cmp %%r8d,%%esi\n	je 5f\n" \
	"	xor %%edx,%%edx\n" SYSTEM(SYS_tgkill) \
	"	cmp $-%c[gone],%%eax\n	jne 2f\n" \
	"	mov %%esi,%%eax\n" \
	"	lock cmpxchg %%r8d,%c[process]+4(%%r9)\n	je 5f\n" \
	"2:	mov %c[link](%%r9),%%r9\n	dec %%r10d\n	jnz 1b\n"

/*
 * Sets r9 to a new block, or to the one for threads without.  It is asked for where no kernel maps
 * anything by itself, so that all else that the program maps is where it is without, and each time
 * at another address: a thread that is moved out of this code begins anew, and leaves the block.
 */
#define MAKE_BLOCK \
	"3:	mov $0,%%esi\n" HOLE(size, 4) \
	"	mov %%rsi,%%rdi\n" \
	LOAD_CONTROL("%%rdx") \
	"	lock xadd %%rdi,%c[asked](%%rdx)\n" \
	"	bts $45,%%rdi\n	bts $43,%%rdi\n" \
	MAP(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE) \
	LOAD_CONTROL("%%rdx") \
	"	lea %c[common](%%rdx),%%r9\n" \
	"	cmp $-4095,%%rax\n	jae 6f\n" \
	"	mov %%rax,%%r9\n" \
	"	mov $0,%%eax\n" HOLE(first_limit, 4) \
	"	mov %%rax,%c[limit](%%r9)\n" \
	"	mov -32(%%rsp),%%rax\n	mov %%rax,%c[process](%%r9)\n" \
	"	mov %c[first](%%rdx),%%rax\n" \
	"4:	mov %%rax,%c[link](%%r9)\n" \
	"	lock cmpxchg %%r9,%c[first](%%rdx)\n	jne 4b\n"

/* Records that the thread writes to the block at r9 now. */
#define RECORD_THREAD \
	"5:	mov $0,%%eax\n" HOLE(first_limit, 4) \
	"	test %%eax,%%eax\n	jz 6f\n" \
	"	mov $16,%%eax\n" \
	"	xadd %%rax,%c[next](%%r9)\n" \
	"	and $0x7fffffff,%%eax\n" HOLE(mask, 4) \
	"	lea (%%r9,%%rax),%%r10\n" \
	"	mov -28(%%rsp),%%eax\n" \
	"	shl $20,%%rax\n	mov %%rax,%c[records]+8(%%r10)\n" \
	GET_TIME \
	"	mov $3,%%ecx\n	shl $62,%%rcx\n	or %%rcx,%%rax\n" \
	"	mov %%rax,%c[records](%%r10)\n"

/*
 * Maps the shadow of the stack, if -88(%rsp) is the moved code that needs it.  Where that fails the
 * call and its return are lost.  Another thread may have mapped it meanwhile.  A kernel before 4.17
 * maps something elsewhere then.
 */
#define MAP_SHADOW \
	"	cmpq $0,-88(%%rsp)\n	je 9f\n" \
	"	mov %%rsp,%%rdi\n" LOAD_SHADOW("%%rdx") \
	"	xor %%rdx,%%rdi\n" \
	"	and $-%c[granule],%%rdi\n	mov $%c[granule],%%esi\n" \
	MAP(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE) \
	"	cmp %%rdi,%%rax\n	je 8f\n" \
	"	cmp $-%c[exists],%%rax\n	je 8f\n" \
	"	cmp $-4095,%%rax\n	jae 7f\n" \
	"	mov %%rax,%%rdi\n" SYSTEM(SYS_munmap) \
	"	jmp 8f\n" \
	"7:" LOAD_THREAD("%%rcx") \
	"	addq $2,%c[lost](%%rcx)\n" \
	"	mov -88(%%rsp),%%rax\n	mov %%rax,-96(%%rsp)\n	jmp 9f\n" \
	"8:	mov %%rsp,%%rax\n" TO_GRANULE("%%rax") \
	LOAD_GRANULES("%%rdx") \
	"	lock orb $%c[is_shadowed],(%%rdx,%%rax)\n"
/* clang-format on */

/* rdx says where to go on, and rcx where the moved code is, or 0. */
__attribute__((used)) static void attach(void)
{
	/* clang-format off */
	__asm__ volatile(BEGIN("attach")
		"71:\n" GET_FLAGS
		"	mov %%rax,-104(%%rsp)\n	mov %%rdx,-96(%%rsp)\n"
		"	mov %%rcx,-88(%%rsp)\n	mov %%rdi,-80(%%rsp)\n"
		"	mov %%rsi,-72(%%rsp)\n	mov %%r8,-64(%%rsp)\n"
		"	mov %%r9,-56(%%rsp)\n	mov %%r10,-48(%%rsp)\n"
		"	mov %%r11,-40(%%rsp)\n"
		"75:\n"
		LOAD_THREAD("%%r9")
		"	test %%r9,%%r9\n	jnz 6f\n"
		FIND_BLOCK
		MAKE_BLOCK
		RECORD_THREAD
		"6:	mov %%r9,%%fs:0\n" HOLE(thread, 4)
		MAP_SHADOW
		"9:	mov -80(%%rsp),%%rdi\n	mov -72(%%rsp),%%rsi\n"
		"	mov -64(%%rsp),%%r8\n	mov -56(%%rsp),%%r9\n"
		"	mov -48(%%rsp),%%r10\n	mov -40(%%rsp),%%r11\n"
		RESTORE
		"	jmp *-96(%%rsp)\n"
		NO_RETURN END("attach")
		:: CONSTANTS, [link] "i"(offsetof(struct prof_stub_thread, link)),
		[process] "i"(offsetof(struct prof_stub_thread, process)),
		[first] "i"(offsetof(struct prof_stub_control, first)),
		[asked] "i"(offsetof(struct prof_stub_control, asked)),
		[common] "i"(PROF_STUB_CONTROL), [granule] "i"(PROF_STUB_GRANULE),
		[most] "i"(PROF_STUB_LOOKS), [gone] "i"(ESRCH), [exists] "i"(EEXIST));
	/* clang-format on */
}

#define PIECE(name)                                                                        \
	{                                                                                  \
		prof_stub_code_##name, prof_stub_layout_##name.length,                     \
			prof_stub_layout_##name.entry, prof_stub_layout_##name.raised,     \
			prof_stub_layout_##name.returned, prof_stub_layout_##name.lowered, \
			prof_stub_layout_##name.mark, prof_stub_holes_##name,              \
			prof_stub_layout_##name.hole_count                                 \
	}

struct prof_stub_piece prof_stub_piece(enum prof_stub_part part)
{
	const struct prof_stub_piece pieces[PROF_STUB_PARTS] = {
		[PROF_STUB_COUNT] = PIECE(count),
		[PROF_STUB_COUNT_CALLERS] = PIECE(count_callers),
		[PROF_STUB_ENTRY] = PIECE(entry),
		[PROF_STUB_CALL] = PIECE(call),
		[PROF_STUB_FIND_FRAME] = PIECE(find_frame),
		[PROF_STUB_ATTACH] = PIECE(attach),
		[PROF_STUB_RECORD] = PIECE(record),
		[PROF_STUB_FIND] = PIECE(find),
	};

	return pieces[part];
}

#else

struct prof_stub_piece prof_stub_piece(enum prof_stub_part part)
{
	(void)part;
	return (struct prof_stub_piece){0};
}

#endif
