/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAB = 8 };

void prof_code_source_deinit(struct prof_code_source *source)
{
	for (size_t i = 0; i < source->lines.count; i++) {
		free(source->lines.items[i].text);
		free(source->lines.items[i].styled);
	}
	free(source->lines.items);
	free(source->path);
	*source = (struct prof_code_source){0};
}

void prof_code_block_deinit(struct prof_code_block *block)
{
	for (size_t i = 0; i < block->instructions.count; i++) {
		free(block->instructions.items[i].text);
		free(block->instructions.items[i].file);
	}
	free(block->instructions.items);
	*block = (struct prof_code_block){0};
}

/* LINE in printable form, in a new string, or NULL if memory is short.  LINE is changed. */
static char *clean(char *line)
{
	struct prof_text text = {0};

	line[strcspn(line, "\n")] = '\0';
	size_t length = strlen(line);
	if (length && line[length - 1] == '\r')
		line[length - 1] = '\0';
	for (char *tab; (tab = strchr(line, '\t')); line = tab + 1) {
		*tab = '\0';
		prof_text_name(&text, line);
		prof_text_spaces(&text, TAB - (long)(prof_text_width(prof_text_get(&text)) % TAB));
	}
	prof_text_name(&text, line);
	if (!text.failed && !text.bytes)
		return strdup("");
	if (!text.failed)
		return text.bytes;
	prof_text_deinit(&text);
	return NULL;
}

bool prof_code_source_add(struct prof_code_source *source, char *line, bool code)
{
	struct prof_code_line *added = prof_array_push(&source->lines);

	if (!added)
		return false;
	*added = (struct prof_code_line){.text = clean(line), .code = code};
	return added->text;
}

/* Opens PATH if it is a regular file: a pipe might block.  NULL: see errno. */
static FILE *open_file(const char *path)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		return NULL;
	if (!S_ISREG(status.st_mode)) {
		errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
		return NULL;
	}
	FILE *file = fdopen(fd, "r");
	if (file)
		fd = -1;
	return file;
}

struct prof_error *prof_code_source_read(
	struct prof_code_source *source, const char *path, int *reason)
{
	FILE *file = open_file(path);
	AUTO_FREE char *line = NULL;
	size_t size = 0;
	bool good = true;

	*reason = file ? 0 : errno;
	if (!file)
		return NULL;
	while (good && getline(&line, &size, file) >= 0)
		good = prof_code_source_add(source, line, false);
	fclose(file);
	return good ? NULL : prof_error_nomem();
}
