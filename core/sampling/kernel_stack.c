/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/kernel_stack.h"

#include "target/kallsyms.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel shows up to 64 frames: bytes of these. */
enum { TEXT = 8192 };

bool prof_kernel_stack_shown(void)
{
	char text[TEXT];

	return prof_procfs_read(getpid(), getpid(), "stack", text, sizeof text);
}

/* The lookup address in LINE, "[<0>] NAME+0xOFFSET/0xSIZE [MODULE]"; 0: there is none. */
static uint64_t read_line(const char *line, const struct prof_kallsyms *symbols)
{
	const char *name = strchr(line, ' ');
	size_t length = name ? strcspn(++name, "+\n") : 0;

	if (!length || name[length] != '+')
		return 0;
	char *end;
	uint64_t offset = strtoull(name + length, &end, 16);
	if (*end != '/')
		return 0;
	uint64_t low = prof_kallsyms_address(symbols, name, length, strtoull(end + 1, NULL, 16));
	/* It is a return address, behind the call. */
	return low && offset ? low + offset - 1 : low;
}

size_t prof_kernel_stack_parse(
	const char *text, const struct prof_kallsyms *symbols, uint64_t *frames, size_t room)
{
	size_t count = 0;

	for (const char *line = text; *line && count < room;) {
		uint64_t address = read_line(line, symbols);
		if (address)
			frames[count++] = address;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return count;
}

size_t prof_kernel_stack_read(pid_t process, pid_t thread, const struct prof_kallsyms *symbols,
	uint64_t *frames, size_t room)
{
	char text[TEXT];

	if (!prof_procfs_read(process, thread, "stack", text, sizeof text))
		return 0;
	return prof_kernel_stack_parse(text, symbols, frames, room);
}
