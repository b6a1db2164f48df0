/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the core takes for an experiment of SAMPLES synthetic samples: a line for each step, with
 * its name, its seconds on a CPU and the bytes of memory that it took at its peak.
 *
 *	core SAMPLES FOLDER	every step; files are written to FOLDER
 *	core file SAMPLES FOLDER	a file that is recorded, not held in memory, and shown
 *	core stacks		a million stacks of 30 functions put into a call tree
 */
#include "export/folded.h"
#include "formats/folded.h"
#include "formats/import.h"
#include "model/experiment.h"
#include "recording/experiment_builder.h"
#include "recording/queue.h"
#include "report/needs.h"
#include "store/store.h"
#include "view/compare.h"
#include "view/view.h"

#include "../unit/view_choose.h"
#include "bench.h"

#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STACKS = 100000, FUNCTIONS = 4000, DEEPEST = 44, DEPTH = 30, THREADS = 8, MARKS = 1000 };

/* Of FUNCTIONS, each of 256 bytes. */
static const uint64_t CODE = UINT64_C(0x400000);

struct stack {
	uint32_t depth;
	uint32_t
		places[DEEPEST]; /* the outermost first: a function, and where in it, of 4 places */
};

/* A function that is called at LEVEL: few near the root, and many further in. */
static uint32_t place(uint32_t level)
{
	uint32_t range = level < 8 ? 1 + level : FUNCTIONS / DEEPEST * 2;
	uint32_t function = (level * (FUNCTIONS / DEEPEST) + chance(range)) % FUNCTIONS;

	return function * 4 + chance(4);
}

/*
 * Stacks that branch off one another, as those of a program do: each shares all but the innermost
 * few of its about 30 frames with an earlier one.  One in 20 calls is a recursion.
 */
static struct stack *make_stacks(void)
{
	struct stack *stacks = calloc(STACKS, sizeof *stacks);

	if (!stacks)
		check(prof_error_nomem());
	for (uint32_t i = 0; i < STACKS; i++) {
		struct stack *stack = &stacks[i];
		const struct stack *other = &stacks[chance(i ? i : 1)];
		uint32_t shared = 1 + chance(8);
		shared = other->depth > shared ? other->depth - shared : 0;
		memcpy(stack->places, other->places, shared * sizeof *stack->places);
		stack->depth = DEPTH - 8 + chance(17);
		if (stack->depth <= shared)
			stack->depth = shared + 1;
		for (uint32_t k = shared; k < stack->depth; k++)
			stack->places[k] = k && !chance(20) ? stack->places[chance(k)] : place(k);
	}
	return stacks;
}

/* Steps are timed between these. */
static struct {
	int64_t begin;
	long before; /* kB of memory */
} step;

static int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* others may run too */
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* kB in FIELD of this process's status. */
static long memory(const char *field)
{
	char line[256];
	long size = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof line, status)) {
		if (!strncmp(line, field, strlen(field)))
			size = strtol(line + strlen(field), NULL, 10);
	}
	if (status)
		fclose(status);
	return size;
}

static void begin(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY);

	/* What was freed counts as free, and the peak begins anew. */
	malloc_trim(0);
	if (fd >= 0 && write(fd, "5", 1) != 1)
		fprintf(stderr, "The peak of memory cannot be reset.\n");
	if (fd >= 0)
		close(fd);
	step.before = memory("VmRSS:");
	step.begin = clock_ns();
}

static void end(const char *name)
{
	int64_t ns = clock_ns() - step.begin;

	printf("%s\t%.9f\t%ld\n", name, (double)ns / 1e9, (memory("VmHWM:") - step.before) * 1024);
	fflush(stdout);
}

/* As the recorder does it: a message for each sample. */
static void record(struct prof_experiment *experiment, const struct stack *stacks, size_t samples)
{
	struct prof_experiment_builder builder = {.experiment = experiment};
	static const char object[] = "/usr/bin/synthetic\0"; /* no build id */
	struct prof_message mapping = {.kind = PROF_MESSAGE_MAPPING, .size = sizeof object};
	uint64_t frames[DEEPEST];

	mapping.mapping.low = CODE;
	mapping.mapping.high = CODE + FUNCTIONS * 256;
	check(prof_experiment_builder_add(&builder, &mapping, object));
	for (size_t i = 0; i < samples; i++) {
		/* All of them first, then as chance has it, a few of them most often. */
		uint32_t number = i < STACKS ? (uint32_t)i : chance(1 + chance(STACKS));
		const struct stack *stack = &stacks[number];
		struct prof_message look = {
			.kind = PROF_MESSAGE_LOOK,
			.size = (uint32_t)(stack->depth * sizeof *frames),
			.look = {.time = (int64_t)i * 1000000,
				.thread = 1 + (int64_t)(i % THREADS),
				.spent = {[PROF_STATE_USER] = 1000000},
				.samples = 1,
				.depth = stack->depth},
		};
		for (uint32_t k = 0; k < stack->depth; k++) {
			uint32_t at = stack->places[stack->depth - 1 - k];
			frames[k] = CODE + at / 4 * 256 + at % 4 * 16 + 1;
		}
		check(prof_experiment_builder_add(&builder, &look, frames));
	}
	prof_experiment_builder_deinit(&builder);
	experiment->recording.rate_asked = experiment->recording.rate_lowest = 1000;
}

/* Marks, as far apart from each other. */
static void mark(struct prof_experiment *experiment, size_t samples)
{
	for (size_t i = 0; i < MARKS; i++) {
		struct prof_mark mark = {.time = (int64_t)(samples * i / (MARKS - 1)) * 1000000};
		check(prof_experiment_mark(experiment, &mark, "mark"));
	}
}

/* As the plugin does it with GDB's help: each frame gets its function. */
static void resolve(struct prof_experiment *experiment)
{
	char name[64];
	size_t count = experiment->frames.count;

	for (uint32_t i = 0; i < count; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		struct prof_location location = {0};
		if (frame->locations)
			continue;
		snprintf(name, sizeof name, "synthetic::function_%" PRIu64 "(int, char const*)",
			(frame->address - CODE) / 256);
		check(prof_experiment_function(
			experiment, name, strlen(name), frame->module, &location.function));
		check(prof_experiment_string(experiment, "", &location.file));
		check(prof_experiment_resolve(experiment, i, &location, 1));
	}
}

/* Can VIEW show EXPERIMENT, which has samples only? */
static bool can_show(const struct prof_view *view, const struct prof_experiment *experiment)
{
	AUTO_ERROR struct prof_error *error = prof_needs_check(experiment, view->needs, view->name);

	return !error;
}

static void print_views(struct prof_experiment *experiment)
{
	static const enum prof_format formats[] = {PROF_FORMAT_TEXT, PROF_FORMAT_CSV};

	for (size_t v = 0; prof_views[v]; v++) {
		const struct prof_view *view = prof_views[v];
		bool tree = !strcmp(view->name, "tree");
		if (!can_show(view, experiment))
			continue;
		for (int degree = 0; degree < (tree ? PROF_DEGREES : 1); degree++) {
			for (size_t i = 0; i < PROF_COUNT(formats); i++) {
				AUTO_TEXT struct prof_text text = {0};
				struct prof_choice choice = {.format = formats[i]};
				char name[64];
				snprintf(name, sizeof name, "collapse=%s",
					prof_degree_names[degree]);
				if (tree)
					choice.own = choose("tree", name);
				begin();
				check(prof_view_print(view, experiment, &choice, NULL, &text));
				snprintf(name, sizeof name, "%s%s%s, %s", view->name,
					tree ? " " : "", tree ? prof_degree_names[degree] : "",
					prof_format_names[formats[i]]);
				end(name);
			}
		}
	}
}

/* Each view of half of the samples, as text. */
static void print_filtered(struct prof_experiment *experiment)
{
	for (size_t v = 0; prof_views[v]; v++) {
		const struct prof_view *view = prof_views[v];
		AUTO_TEXT struct prof_text text = {0};
		struct prof_choice choice = {0};
		char name[64];

		if (!can_show(view, experiment))
			continue;
		choice.filter.values[PROF_CONDITION_INTERVAL] = "1-499";
		begin();
		check(prof_view_print(view, experiment, &choice, NULL, &text));
		snprintf(name, sizeof name, "%s, filtered", view->name);
		end(name);
	}
}

/* Compares A with B in each way: all of them as text and csv, and half of the samples as text. */
static void print_compared(struct prof_experiment *a, struct prof_experiment *b)
{
	static const struct {
		const char *name, *interval;
		enum prof_format format;
	} rows[] = {
		{"text", NULL, PROF_FORMAT_TEXT},
		{"csv", NULL, PROF_FORMAT_CSV},
		{"filtered", "1-499", PROF_FORMAT_TEXT},
	};

	for (int view = 0; view < PROF_COMPARE_VIEWS; view++) {
		for (size_t i = 0; i < PROF_COUNT(rows); i++) {
			AUTO_TEXT struct prof_text text = {0};
			struct prof_choice choice = {.format = rows[i].format};
			const struct prof_compare_request request = {
				.experiments = {a, b},
				.files = {"a.prof", "b.prof"},
				.choice = &choice,
			};
			char name[64];

			snprintf(name, sizeof name, "view=%s", prof_compare_names[view]);
			choice.own = choose_of(&prof_compare_options, name);
			choice.filter.values[PROF_CONDITION_INTERVAL] = rows[i].interval;
			begin();
			check(prof_compare_print(&request, NULL, &text));
			snprintf(name, sizeof name, "compare %s, %s", prof_compare_names[view],
				rows[i].name);
			end(name);
		}
	}
}

static void write_folded(struct prof_experiment *experiment, const char *path)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_profile *profile;

	check(prof_profile_create(experiment,
		&(struct prof_profile_request){.metric = prof_metrics}, NULL, &profile));
	check(prof_folded_print(profile, &text));
	prof_profile_destroy(profile);
	FILE *file = fopen(path, "w");
	if (!file || fwrite(text.bytes, 1, text.length, file) != text.length || fclose(file))
		check(prof_error_create(PROF_ERROR_SYSTEM, "\"%s\" cannot be written.", path));
}

static void run_all(size_t samples, const char *folder)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_EXPERIMENT struct prof_experiment *loaded = NULL;
	AUTO_EXPERIMENT struct prof_experiment *imported = NULL;
	AUTO_EXPERIMENT struct prof_experiment *other = NULL;
	AUTO_FREE struct stack *stacks = make_stacks();
	struct prof_profile *profile;
	char path[4096];

	check(prof_experiment_create(&experiment));
	begin();
	record(experiment, stacks, samples);
	end("record");
	mark(experiment, samples);
	resolve(experiment);

	begin();
	check(prof_profile_create(experiment,
		&(struct prof_profile_request){.metric = prof_metrics}, NULL, &profile));
	end("call tree");
	fprintf(stderr, "%zu samples, %zu paths, %zu nodes, %zu functions\n", samples,
		experiment->paths.count, profile->tree.nodes.count, experiment->functions.count);
	prof_profile_destroy(profile);
	print_views(experiment);
	print_filtered(experiment);

	snprintf(path, sizeof path, "%s/bench.prof", folder);
	begin();
	check(prof_store_save(path, experiment, NULL));
	end("store write");
	begin();
	check(prof_store_load(path, NULL, &loaded));
	end("store load");
	unlink(path);
	/* Chance goes on, so that these have other weights. */
	check(prof_experiment_create(&other));
	record(other, stacks, samples);
	mark(other, samples);
	resolve(other);
	print_compared(experiment, other);

	snprintf(path, sizeof path, "%s/bench.folded", folder);
	begin();
	write_folded(experiment, path);
	end("folded export");
	begin();
	check(prof_import_read(path, NULL, &imported));
	end("folded import");
	unlink(path);
}

/* Records SAMPLES into a file as the recorder does it, with their stacks already known. */
static void record_to_file(
	struct prof_experiment *experiment, const char *path, size_t paths, size_t samples)
{
	enum { STEP = 100000 }; /* samples in one transaction */
	struct prof_store *store;

	check(prof_store_create(path, &store));
	for (size_t i = 0; i < samples; i++) {
		struct prof_sample sample = {
			.time = (int64_t)i * 125000,
			.thread = (uint32_t)(i % THREADS),
			.path = 1 + chance(1 + chance((uint32_t)paths - 1)),
			.cpu = (uint16_t)(1 + chance(4)),
		};
		const prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SAMPLES] = prof_value_of(1),
			[PROF_QUANTITY_SPENT] = prof_value_of(900000 + chance(200000)),
		};
		check(prof_experiment_sample(experiment, &sample, values));
		if (i % STEP && i != samples - 1)
			continue;
		check(prof_store_write(store, experiment, NULL));
		prof_store_release(store, experiment);
	}
	prof_store_close(store);
}

/* A file of SAMPLES samples of 8 threads and 100,000 stacks: written, read and shown. */
static void run_file(size_t samples, const char *folder)
{
	static const struct {
		const char *name, *time;
	} filters[] = {{"functions of the file", NULL}, {"functions of the last 0.1 %", "last"}};
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_FREE struct stack *stacks = make_stacks();
	char path[4096], time[64];
	struct stat status;

	snprintf(path, sizeof path, "%s/bench.prof", folder);
	snprintf(time, sizeof time, "%.6fs-", (double)samples * 0.000125 * 0.999);
	check(prof_experiment_create(&experiment));
	record(experiment, stacks, STACKS);
	resolve(experiment);
	begin();
	record_to_file(experiment, path, experiment->paths.count, samples);
	end("record into the file");
	prof_experiment_destroy(experiment);
	experiment = NULL;
	for (size_t i = 0; i < PROF_COUNT(filters); i++) {
		AUTO_TEXT struct prof_text text = {0};
		struct prof_choice choice = {
			.filter.values[PROF_CONDITION_TIME] = filters[i].time ? time : NULL};
		begin();
		if (!experiment)
			check(prof_store_load(path, NULL, &experiment));
		check(prof_view_print(prof_views[0], experiment, &choice, NULL, &text));
		end(filters[i].name);
	}
	check(stat(path, &status) ? prof_error_nomem() : NULL);
	fprintf(stderr, "%zu samples, %zu paths, file %lld bytes\n", experiment->samples.count,
		experiment->paths.count, (long long)status.st_size);
	unlink(path);
}

/* What is wanted to take less than a second. */
static void run_stacks(void)
{
	enum { MILLION = 1000000 };
	AUTO_FREE struct stack *stacks = make_stacks();
	struct prof_calltree tree;
	uint32_t node;

	for (uint32_t i = 0; i < STACKS; i++) {
		for (uint32_t k = 0; k < stacks[i].depth; k++)
			stacks[i].places[k] /= 4;
		for (; stacks[i].depth < DEPTH; stacks[i].depth++)
			stacks[i].places[stacks[i].depth] = place(stacks[i].depth) / 4;
	}
	check(prof_calltree_init(&tree));
	begin();
	for (uint32_t i = 0; i < MILLION; i++)
		check(prof_calltree_add(&tree, stacks[chance(STACKS)].places, DEPTH, &node));
	end("a million stacks of 30");
	prof_calltree_deinit(&tree);
}

int main(int argc, char **argv)
{
	if (argc == 4)
		run_file(strtoul(argv[2], NULL, 10), argv[3]);
	else if (argc == 3)
		run_all(strtoul(argv[1], NULL, 10), argv[2]);
	else
		run_stacks();
	return 0;
}
