/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/import.h"

#include "base/file.h"
#include "base/list.h"
#include "formats/callgrind.h"
#include "formats/callgrind_calls.h"
#include "formats/events.h"
#include "formats/folded.h"
#include "formats/gmon.h"
#include "formats/perf.h"
#include "formats/pprof.h"
#include "formats/speedscope.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "store/store.h"
#include "target/image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes by which a format is known. */
enum { PROBE_SIZE = 65536 };

const struct prof_import prof_imports[] = {
	{"experiment", "An experiment's own file.", prof_store_probe, prof_store_import},
	{"pprof", "A profile of pprof, gzip'd or not.", prof_pprof_probe, prof_pprof_read},
	{"speedscope", "The JSON of speedscope.", prof_speedscope_probe, prof_speedscope_read},
	{"callgrind", "Costs of lines and calls, as callgrind writes them.", prof_callgrind_probe,
		prof_callgrind_read},
	{"callgrind-calls", "Calls in their order, as callgrind reports with --ct-verbose=2.",
		prof_callgrind_calls_probe, prof_callgrind_calls_read},
	{"gmon", "Counts of a program built with -pg, gmon.out.", prof_gmon_probe, prof_gmon_read},
	{"events", "A list of call and return events.", prof_events_probe, prof_events_read},
	{"perf", "Samples, as \"perf script\" prints them.", prof_perf_probe, prof_perf_read},
	{"folded", "Folded stacks, as flame graph tools use them.", prof_folded_probe,
		prof_folded_read},
	{0},
};

struct prof_error *prof_import_create(const char *path, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_error *error = prof_experiment_create(&experiment);

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

static void shift(struct prof_sample_row *row, void *context)
{
	row->sample.time -= *(const int64_t *)context;
}

struct prof_error *prof_import_begin_at_zero(struct prof_experiment *experiment, int64_t end)
{
	int64_t first = experiment->samples.first;
	int64_t last = experiment->samples.last > end ? experiment->samples.last : end;

	experiment->recording.duration = last - first;
	return prof_samples_alter(&experiment->samples, shift, &first) ? NULL : prof_error_nomem();
}

struct prof_error *prof_import_fill(const char *path, char *bytes, size_t size, size_t *length)
{
	AUTO_CLOSE int fd = -1;
	struct prof_error *error = prof_file_open(path, NULL, &fd);

	if (error)
		return error;
	for (*length = 0; *length < size;) {
		ssize_t count = read(fd, bytes + *length, size - *length);
		if (count < 0)
			return prof_file_unreadable(path);
		if (!count)
			break;
		*length += (size_t)count;
	}
	return NULL;
}

struct prof_error *prof_import_is_program(const char *path, bool *ret)
{
	AUTO_FREE char *bytes = malloc(PROBE_SIZE);
	size_t length;
	struct prof_error *error =
		bytes ? prof_import_fill(path, bytes, PROBE_SIZE, &length) : prof_error_nomem();

	if (!error)
		*ret = prof_image_probe(bytes, length);
	return error;
}

static struct prof_error *unknown(const char *path)
{
	AUTO_TEXT struct prof_text names = {0};

	for (const struct prof_import *import = prof_imports; import->name; import++)
		prof_list_add(&names, import->name);
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The file \"%s\" is not in a format that prof-load reads (%s).", path,
		prof_text_get(&names));
}

struct prof_error *prof_import_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_FREE char *bytes = malloc(PROBE_SIZE);
	size_t length;

	if (!bytes)
		return prof_error_nomem();
	struct prof_error *error = prof_import_fill(path, bytes, PROBE_SIZE, &length);
	if (error)
		return error;
	for (const struct prof_import *import = prof_imports; import->name; import++) {
		if (import->probe(bytes, length))
			return import->read(path, progress, ret);
	}
	return unknown(path);
}
