/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What record.py steps through, with start.S.  It has no C library, so that it is small. */

#define KEPT __attribute__((noinline, noclone, used))

enum { SYS_TGKILL = 131, SYS_SIGALTSTACK = 132, SYS_RT_SIGACTION = 134 };
enum { SYS_GETPID = 172, SYS_GETTID = 178, SIGUSR1 = 10, SA_ONSTACK = 0x08000000 };
enum { SA_RESTORER = 0x04000000 };

volatile int sink;
char alternate[8192] __attribute__((aligned(16)));

extern const char restore[], resolve[], stub_table[];
extern int stub(int number);
extern int bare_leaf(int number);
extern int bare_frame(int (*function)(int), int number);
extern int bare_branch(int number);

void *stub_got[2];

static inline long call_system(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

static KEPT int leaf(int a, int b)
{
	return a * b + sink;
}

static KEPT int nest(int depth)
{
	if (!depth)
		return leaf(sink, 2) + 1;
	int below = nest(depth - 1);
	sink = below;
	return below + depth;
}

/* Takes many registers that calls leave as they are. */
static KEPT int keep(int a, int b)
{
	int c = a * b, d = a + b, e = a - b, f = a ^ b;
	int g = leaf(a, b), h = leaf(c, d), i = leaf(e, f), j = leaf(g, h);

	sink = nest(1);
	return a + b + c + d + e + f + g + h + i + j;
}

/* Its frame grows as it runs. */
static KEPT int grow(int size)
{
	char *bytes = __builtin_alloca((unsigned)size);

	bytes[0] = (char)sink;
	__asm__ volatile("" : : "r"(bytes) : "memory");
	sink = leaf(size, bytes[0]);
	return keep(bytes[0], size) + 1;
}

static KEPT void handle(int signal)
{
	sink = leaf(signal, 1);
	sink += bare_leaf(sink);
}

/* The signal comes at once, in a function that may have no frame. */
static KEPT long kill_own(long process, long thread)
{
	return call_system(SYS_TGKILL, process, thread, SIGUSR1, 0);
}

static KEPT void take_signal(void)
{
	const struct {
		void (*handler)(int);
		unsigned long flags;
		const void *restorer;
		unsigned long mask;
	} action = {handle, SA_ONSTACK | SA_RESTORER, restore, 0};
	const struct {
		void *low;
		long flags;
		unsigned long size;
	} stack = {alternate, 0, sizeof alternate};
	long process = call_system(SYS_GETPID, 0, 0, 0, 0);
	long thread = call_system(SYS_GETTID, 0, 0, 0, 0);

	call_system(SYS_SIGALTSTACK, (long)&stack, 0, 0, 0);
	call_system(SYS_RT_SIGACTION, SIGUSR1, (long)&action, 0, 8);
	sink = (int)kill_own(process, thread);
	sink += 1;
}

void begin(void);
void begin(void)
{
	int (*volatile call)(int) = grow;
	int (*volatile branch)(int) = bare_branch;

	stub_got[0] = (void *)resolve;
	stub_got[1] = (void *)stub_table;
	sink = call(40);
	sink = bare_leaf(1);
	sink += bare_frame(nest, 2);
	sink += bare_branch(1) + branch(2);
	sink += stub(3);
	take_signal();
}
