/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/mappings.h"

#include "recording/queue.h"
#include "sample_child.h"
#include "target/maps.h"
#include "target/process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static atomic_bool over;

struct told {
	size_t unmaps, mappings, named;
	uint64_t low, high; /* of the mapping that holds `wanted` */
	uint64_t wanted;
	char path[512], id[128];
};

/* Takes all that QUEUE holds. */
static struct told take(struct prof_queue *queue, void (*wanted)(void))
{
	struct told told = {.wanted = (uint64_t)(uintptr_t)wanted};
	struct prof_message message;
	const void *data;

	while (prof_queue_take(queue, &message, &data)) {
		ck_assert_int_eq(message.mapping.process, getpid());
		if (message.kind == PROF_MESSAGE_UNMAP) {
			ck_assert_uint_eq(told.mappings, 0);
			ck_assert_uint_eq(message.size, 0);
			told.unmaps++;
			continue;
		}
		ck_assert_uint_eq(message.kind, PROF_MESSAGE_MAPPING);
		const char *path = data;
		const char *id = path + strlen(path) + 1;
		ck_assert_uint_eq(message.size, strlen(path) + strlen(id) + 2);
		ck_assert_str_ne(path, "");
		told.mappings++;
		told.named += *id != '\0';
		if (message.mapping.low <= told.wanted && told.wanted < message.mapping.high) {
			told.low = message.mapping.low;
			told.high = message.mapping.high;
			snprintf(told.path, sizeof told.path, "%s", path);
			snprintf(told.id, sizeof told.id, "%s", id);
		}
	}
	return told;
}

static struct told report(size_t capacity, void (*wanted)(void))
{
	struct prof_maps maps = {0};
	struct prof_process process;
	struct prof_queue *queue;

	ck_assert_ok(prof_queue_create(capacity, &queue));
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	prof_process_init(&process, getpid());
	struct prof_target target = prof_process_target(&process);
	prof_mappings_put(queue, getpid(), &target, &maps);
	struct told told = take(queue, wanted);
	prof_maps_deinit(&maps);
	prof_queue_destroy(queue);
	return told;
}

START_TEST(tells_what_is_mapped_where)
{
	char self[512] = "";
	struct told told = report(1 << 20, child_spin);

	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
	ck_assert_uint_eq(told.unmaps, 1);
	ck_assert_uint_gt(told.mappings, 2);
	ck_assert_str_eq(told.path, self);
	ck_assert_uint_lt(told.low, told.high);
}
END_TEST

START_TEST(tells_build_ids_in_hex)
{
	struct told told = report(1 << 20, (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "abort"));

	ck_assert_ptr_nonnull(strstr(told.path, "libc"));
	ck_assert_uint_ge(strlen(told.id), 16);
	ck_assert_uint_eq(strspn(told.id, "0123456789abcdef"), strlen(told.id));
	ck_assert_uint_gt(told.named, 1);
}
END_TEST

START_TEST(generated_code_is_no_load_object)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct told told = report(1 << 20, (void (*)(void))(uintptr_t)code);

	ck_assert_uint_gt(told.mappings, 0);
	ck_assert_str_eq(told.path, "");
}
END_TEST

START_TEST(what_is_no_elf_file_is_known_by_its_path)
{
	char path[] = "/tmp/prof-mappings-XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_eq(ftruncate(fd, 4096), 0);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(code, MAP_FAILED);
	unlink(path);
	struct told told = report(1 << 20, (void (*)(void))(uintptr_t)code);
	ck_assert_str_eq(told.path, path);
	ck_assert_str_eq(told.id, "");
}
END_TEST

START_TEST(full_queue_gets_what_fits)
{
	struct told told = report(sizeof(struct prof_message) * 2 + 200, child_spin);

	ck_assert_uint_eq(told.unmaps, 1);
	ck_assert_uint_lt(told.mappings, 3);
}
END_TEST

/* Puts what no mapping is, until it is told to end. */
static void *put_others(void *context)
{
	const struct prof_message message = {.kind = PROF_MESSAGE_FIGURES};

	while (!over) {
		if (prof_queue_count(context) < 1000)
			prof_queue_try(context, &message, NULL);
	}
	return NULL;
}

/* Another thread's samples find all of the list before or all of the new one. */
START_TEST(nothing_comes_into_a_list)
{
	struct prof_maps maps = {0};
	struct prof_process process;
	struct prof_message message;
	struct prof_queue *queue;
	pthread_t thread;
	const void *data;
	size_t lists = 0, others = 0, expected = 0;

	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	for (size_t i = 0; i < maps.mappings.count; i++)
		expected += *maps.mappings.items[i].path != '\0';
	prof_process_init(&process, getpid());
	struct prof_target target = prof_process_target(&process);
	ck_assert_int_eq(pthread_create(&thread, NULL, put_others, queue), 0);
	while (lists < 20 || others < 1000) {
		prof_mappings_put(queue, getpid(), &target, &maps);
		while (prof_queue_take(queue, &message, &data)) {
			others += message.kind == PROF_MESSAGE_FIGURES;
			if (message.kind != PROF_MESSAGE_UNMAP)
				continue;
			lists++;
			for (size_t i = 0; i < expected; i++) {
				ck_assert(prof_queue_take(queue, &message, &data));
				ck_assert_uint_eq(message.kind, PROF_MESSAGE_MAPPING);
			}
		}
	}
	ck_assert_uint_eq(prof_queue_lost(queue), 0);
	over = true;
	pthread_join(thread, NULL);
	prof_maps_deinit(&maps);
	prof_queue_destroy(queue);
}
END_TEST

RUN_TESTS("mappings", tells_what_is_mapped_where, tells_build_ids_in_hex,
	generated_code_is_no_load_object, what_is_no_elf_file_is_known_by_its_path,
	full_queue_gets_what_fits, nothing_comes_into_a_list)
