/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/code.h"

#include "view/archive.h"

#include <stdlib.h>
#include <string.h>

static struct prof_error *read_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	bool archived;
	int reason = 0;
	struct prof_error *error = prof_archive_read_source(experiment, file, ret, &archived);

	if (error || archived)
		return error;
	ret->path = strdup(file);
	error = ret->path ? prof_code_source_read(ret, file, &reason) : prof_error_nomem();
	if (error || ret->lines.count)
		return error;
	prof_text_print(&code->notes, "The source file ");
	prof_text_name(&code->notes, file);
	prof_text_print(
		&code->notes, " cannot be read: %s.\n", reason ? strerror(reason) : "it is empty");
	return NULL;
}

static struct prof_error *read_extent(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t function, uint32_t frame,
	struct prof_code_extent *ret)
{
	bool archived;

	(void)code;
	(void)frame;
	return prof_archive_read_extent(experiment, function, ret, &archived);
}

static struct prof_error *read_block(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t frame, struct prof_code_block *ret)
{
	static const char missing[] =
		"Only GDB can disassemble: use prof-load and prof-disas there, or save the profile with prof-save --archive.\n";
	bool archived;
	struct prof_error *error = prof_archive_read_block(experiment, frame, ret, &archived);

	if (!error && !archived && !code->notes.length)
		prof_text_print(&code->notes, "%s", missing);
	return error;
}

struct prof_code code_of_files(void)
{
	return (struct prof_code){
		.source = read_source, .extent = read_extent, .block = read_block};
}
