#include "experiment/folded.h"

#include "experiment/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	LINE_MOST = 64 << 20,   /* bytes of a line: no more memory is taken for one */
	REPORT_BYTES = 1 << 20, /* between two reports */
	TEXT_SHOWN = 40,        /* bytes of a file's text in an error */
};

struct folded {
	const char *path;
	FILE *file;
	struct prof_experiment *experiment;
	PROF_ARRAY(char) line; /* the one at hand, without its end */
	uint64_t number;       /* of the line, from 1 */
	uint64_t done, total;  /* bytes */
};

static bool is_skipped(const char *line, size_t length)
{
	size_t blank = 0;

	if (length && line[0] == '#')
		return true;
	while (blank < length && (line[blank] == ' ' || line[blank] == '\t'))
		blank++;
	return blank == length;
}

/* The length without the spaces, and the carriage return, at the end of LINE. */
static size_t trim(const char *line, size_t length)
{
	if (length && line[length - 1] == '\r')
		length--;
	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	return length;
}

/* Where the last word of LINE begins, which is trimmed. */
static size_t last_word(const char *line, size_t length)
{
	while (length && line[length - 1] != ' ' && line[length - 1] != '\t')
		length--;
	return length;
}

/* Is it text, with a stack or what could be meant as a weight in it? */
static bool looks_folded(const char *line, size_t length)
{
	size_t word = last_word(line, length);

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)line[i] < ' ' && line[i] != '\t')
			return false;
	}
	return memchr(line, ';', length) || (word && strchr("0123456789.-", line[word]));
}

bool prof_folded_probe(const char *bytes, size_t length)
{
	for (size_t at = 0; at < length;) {
		const char *line = bytes + at;
		const char *end = memchr(line, '\n', length - at);
		size_t whole = end ? (size_t)(end - line) : length - at;
		size_t trimmed = trim(line, whole);
		if (!is_skipped(line, trimmed))
			return looks_folded(line, trimmed);
		at += whole + 1;
	}
	return true;
}

static struct prof_error *PROF_PRINTF(2, 3)
	damaged(const struct folded *folded, const char *format, ...);

static struct prof_error *damaged(const struct folded *folded, const char *format, ...)
{
	AUTO_FREE char *what = NULL;
	va_list arguments;

	va_start(arguments, format);
	int length = vasprintf(&what, format, arguments);
	va_end(arguments);
	if (length < 0)
		return prof_error_nomem();
	return prof_error_create(PROF_ERROR_DAMAGED, "The file \"%s\" is damaged: line %llu %s.",
		folded->path, (unsigned long long)folded->number, what);
}

/* Reads the next line; *MORE is false at the end of the file. */
static struct prof_error *next_line(struct folded *folded, bool *more)
{
	int byte;

	folded->line.count = 0;
	folded->number++;
	while ((byte = getc_unlocked(folded->file)) != EOF && byte != '\n') {
		if (folded->line.count == LINE_MOST)
			return damaged(folded, "is longer than %d bytes", LINE_MOST);
		char *added = prof_array_push(&folded->line);
		if (!added)
			return prof_error_nomem();
		*added = (char)byte;
	}
	if (byte == EOF && ferror(folded->file))
		return prof_error_create(PROF_ERROR_SYSTEM, "The file \"%s\" can't be read: %s.",
			folded->path, strerror(errno));
	folded->done += folded->line.count + 1;
	*more = byte != EOF || folded->line.count;
	return NULL;
}

/* Interns the STACK of LENGTH bytes, the root first. */
static struct prof_error *add_stack(
	struct folded *folded, const char *stack, size_t length, uint32_t *ret)
{
	struct prof_experiment *experiment = folded->experiment;
	struct prof_error *error = NULL;
	uint32_t path = 0;

	for (size_t at = 0; at <= length && !error;) {
		const char *name = stack + at;
		const char *end = memchr(name, ';', length - at);
		size_t size = end ? (size_t)(end - name) : length - at;
		uint32_t function, frame;
		if (!size)
			return damaged(folded, "has a frame without a name");
		error = prof_experiment_function(experiment, name, size, 0, &function);
		if (!error)
			error = prof_experiment_frame_of(experiment, function, &frame);
		if (!error)
			error = prof_experiment_path(experiment, path, frame, &path);
		at += size + 1;
	}
	if (!error)
		*ret = path;
	return error;
}

static struct prof_error *read_weight(
	const struct folded *folded, const char *word, size_t length, prof_value *ret)
{
	int shown = length < TEXT_SHOWN ? (int)length : TEXT_SHOWN;

	if (prof_value_parse(word, length, ret))
		return NULL;
	if (length > 1 && *word == '-' && prof_value_parse(word + 1, length - 1, ret))
		return damaged(folded, "has the negative weight %.*s", shown, word);
	return damaged(folded, "ends in \"%.*s\", which is no weight", shown, word);
}

static struct prof_error *read_line(struct folded *folded)
{
	const char *line = folded->line.items;
	size_t length = folded->line.count ? trim(line, folded->line.count) : 0;
	struct prof_sample sample = {.state = PROF_STATE_USER};
	prof_value values[PROF_QUANTITIES] = {0};

	if (is_skipped(line, length))
		return NULL;
	if (memchr(line, 0, length))
		return damaged(folded, "holds a NUL byte");
	size_t word = last_word(line, length);
	if (!word)
		return damaged(folded, "has no weight");
	struct prof_error *error =
		read_weight(folded, line + word, length - word, &values[PROF_QUANTITY_SAMPLES]);
	if (!error)
		error = add_stack(folded, line, word - 1, &sample.path);
	return error ? error : prof_experiment_sample(folded->experiment, &sample, values);
}

static struct prof_error *read_lines(struct folded *folded, const struct prof_progress *progress)
{
	struct prof_error *error = NULL;
	uint64_t reported = 0;
	bool more = true;

	while (!error && more) {
		error = next_line(folded, &more);
		if (!error && more)
			error = read_line(folded);
		if (!error && folded->done - reported >= REPORT_BYTES) {
			reported = folded->done;
			error = prof_progress_report(
				progress, "Reading", folded->done, folded->total);
		}
	}
	if (!error && !folded->experiment->samples.count)
		error = prof_error_create(
			PROF_ERROR_DAMAGED, "The file \"%s\" holds no stacks.", folded->path);
	return error;
}

static struct prof_error *open_file(struct folded *folded)
{
	AUTO_CLOSE int fd = -1;
	struct stat status;
	struct prof_error *error = prof_import_open(folded->path, &fd);

	if (error)
		return error;
	folded->file = fdopen(fd, "r");
	if (!folded->file)
		return prof_error_nomem();
	if (!fstat(fd, &status))
		folded->total = (uint64_t)status.st_size;
	fd = -1;
	return NULL;
}

/* An experiment of one thread, that has no name. */
static struct prof_error *create_experiment(const char *path, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	uint32_t thread;
	struct prof_error *error = prof_experiment_create(&experiment);

	if (!error)
		error = prof_experiment_thread(experiment, 0, "", &thread);
	if (error)
		return error;
	char *source = strdup(path);
	if (!source)
		return prof_error_nomem();
	free(experiment->recording.source);
	experiment->recording.source = source;
	*ret = steal(&experiment);
	return NULL;
}

struct prof_error *prof_folded_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_error *error = create_experiment(path, &experiment);

	if (error)
		return error;
	struct folded folded = {.path = path, .experiment = experiment};
	error = open_file(&folded);
	if (error)
		return error;
	error = read_lines(&folded, progress);
	fclose(folded.file);
	free(folded.line.items);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
