/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An image without an operating system: main() calls heavy, middle and light, whose work is as 60 :
 * 30 : 10, as often as the debugger has set `rounds`, and then done().
 */
#include <stdint.h>

extern uint32_t stack_end;
int main(void);

volatile uint32_t rounds;
static volatile uint32_t sum;

static __attribute__((noinline)) void spin(uint32_t turns)
{
	while (turns--)
		sum += turns;
}

__attribute__((noinline)) void heavy(void)
{
	spin(60000);
	sum++;
}

__attribute__((noinline)) void middle(void)
{
	spin(30000);
	sum++;
}

__attribute__((noinline)) void light(void)
{
	spin(10000);
	sum++;
}

__attribute__((noinline)) void done(void)
{
	sum = 0;
}

int main(void)
{
	for (;;) {
		for (; rounds; rounds--) {
			heavy();
			middle();
			light();
		}
		done();
	}
}

#ifdef __arm__
void start(void)
{
	main();
}

/* What a Cortex-M takes first: the stack pointer, and where to begin. */
__attribute__((section(".first"), used)) static const uintptr_t vectors[] = {
	(uintptr_t)&stack_end, (uintptr_t)start};
#else
__attribute__((naked, section(".first"), used)) void start(void)
{
	__asm__("la sp, stack_end\n\tcall main");
}
#endif
