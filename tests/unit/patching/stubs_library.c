/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All functions of whole libraries are patched at once: what they do stays the same, bit by bit. */
#include "patching/stubs.h"

#include "patched_calls.h"

#ifdef __x86_64__

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <zlib.h>

/* The function NAME of a library. */
static void *look_up(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	ck_assert_msg(found != NULL, "there is no %s()", name);
	return found;
}

enum { VALUES = 24, RESULTS = 22 };

struct mathematics {
	double results[VALUES][RESULTS];
	float floats[VALUES][4];
	int exponents[VALUES];
};

static void calculate(struct mathematics *ret)
{
	memset(ret, 0, sizeof *ret);
	for (int i = 0; i < VALUES; i++) {
		volatile double x = (i - VALUES / 2) * 1.37 + .01;
		volatile float y = (float)x;
		volatile double positive = fabs(x);
		double *result = ret->results[i];
		int sign;
		*result++ = sin(x);
		*result++ = cos(x);
		*result++ = tan(x);
		*result++ = asin(x / 40);
		*result++ = atan2(x, 3.);
		*result++ = sinh(x);
		*result++ = exp(x);
		*result++ = exp2(x);
		*result++ = log(positive);
		*result++ = log10(positive);
		*result++ = log1p(positive);
		*result++ = pow(positive, x);
		*result++ = cbrt(x);
		*result++ = erf(x);
		*result++ = tgamma(positive);
		*result++ = lgamma_r(positive, &sign);
		*result++ = fmod(x, .7);
		*result++ = hypot(x, 2.);
		*result++ = j0(x);
		*result++ = (double)powl((long double)positive, (long double)x);
		*result++ = frexp(x, &ret->exponents[i]);
		*result++ = nextafter(x, 100.);
		ret->floats[i][0] = sinf(y);
		ret->floats[i][1] = expf(y);
		ret->floats[i][2] = powf(fabsf(y), y);
		ret->floats[i][3] = atanf(y);
	}
}

/* Fails unless LEAST functions at least were called. */
static void check_called(const struct patched *patched, enum prof_stub_part kind, uint64_t least)
{
	uint64_t called = 0;
	const struct calls *calls = calls_read(patched);

	for (uint32_t i = 1; i <= patched->count; i++)
		called += prof_stub_counts(kind) ? patched_counted(patched, i) > 0
						 : calls->calls[i] > 0;
	ck_assert_uint_ge(called, least);
	ck_assert_uint_eq(calls->lost, 0);
}

/* Likewise, and unless all calls have returned. */
static void check_calls(const struct patched *patched, enum prof_stub_part kind, uint64_t least)
{
	check_called(patched, kind, least);
	if (kind != PROF_STUB_CALL)
		return;
	const struct calls *calls = calls_read(patched);
	calls_check_pairs(calls, calls->plain);
	ck_assert_uint_eq(calls->returns, calls->plain);
}

START_TEST(mathematics_stay_the_same)
{
	static struct mathematics expected, got;

	calculate(&expected);
	for (int kind = 0; kind < PROF_STUB_FIND_FRAME; kind++) {
		struct patched *patched = patched_open(look_up("cbrt"), PATCHED_RECORDS);
		ck_assert_uint_gt(patched_add_all(patched, kind), 300);
		patched_begin(patched);
		calculate(&got);
		patched_end(patched);
		ck_assert_mem_eq(&expected, &got, sizeof got);
		check_calls(patched, kind, RESULTS);
		patched_close(patched);
	}
}
END_TEST

enum { TEXT = 100000, PACKED = 200000 };

struct compression {
	unsigned char packed[PACKED], text[TEXT];
	uLongf length, back;
	uLong sum;
	int results[2];
};

static void compress_text(struct compression *ret)
{
	static unsigned char text[TEXT];

	memset(ret, 0, sizeof *ret);
	for (unsigned i = 0; i < TEXT; i++)
		text[i] = (unsigned char)(i % 251 * (i % 13) + i / 999);
	ret->length = PACKED;
	ret->back = TEXT;
	ret->results[0] = compress2(ret->packed, &ret->length, text, TEXT, 9);
	ret->results[1] = uncompress(ret->text, &ret->back, ret->packed, ret->length);
	ret->sum = crc32(adler32(1, text, TEXT), ret->packed, (uInt)ret->length);
}

START_TEST(compressed_data_stay_the_same)
{
	static struct compression expected, got;

	compress_text(&expected);
	ck_assert_int_eq(expected.results[1], Z_OK);
	for (int kind = 0; kind < PROF_STUB_FIND_FRAME; kind++) {
		struct patched *patched = patched_open(look_up("deflate"), 1 << 26);
		ck_assert_uint_gt(patched_add_all(patched, kind), 50);
		patched_begin(patched);
		compress_text(&got);
		patched_end(patched);
		ck_assert_mem_eq(&expected, &got, sizeof got);
		check_calls(patched, kind, 10);
		patched_close(patched);
	}
}
END_TEST

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *print_number(void *number)
{
	char *text = malloc(64);

	if (text)
		snprintf(text, 64, "%d and %.17g", *(int *)number, 1. / *(int *)number);
	return text;
}

/* What the C library is asked for: figures, texts, threads, children, files. */
static void use_c_library(char *text, size_t size)
{
	int numbers[] = {5, 3, 9, 1, 7};
	char *const arguments[] = {"sh", "-c", "exit 3", NULL};
	char *const environment[] = {NULL};
	char *made;
	regex_t pattern;
	pthread_t thread;
	pid_t child;
	int status = 0;

	qsort(numbers, PROF_COUNT(numbers), sizeof *numbers, compare);
	double number = strtod("1.25e3x", &made);
	size_t length =
		(size_t)snprintf(text, size, "%d %d %g %s;", numbers[0], numbers[4], number, made);
	int found = regcomp(&pattern, "^a+(b|c)*d$", REG_EXTENDED | REG_NOSUB);
	found = found ? found : regexec(&pattern, "aaabcbd", 0, NULL, 0);
	regfree(&pattern);
	length += (size_t)snprintf(text + length, size - length, "%d;", found);
	if (!pthread_create(&thread, NULL, print_number, &numbers[1]) &&
		!pthread_join(thread, (void **)&made)) {
		length += (size_t)snprintf(text + length, size - length, "%s;", made);
		free(made);
	}
	if (!posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environment))
		waitpid(child, &status, 0);
	length += (size_t)snprintf(text + length, size - length, "%d;", WEXITSTATUS(status));
	child = fork();
	if (!child)
		_exit(numbers[2]);
	waitpid(child, &status, 0);
	length += (size_t)snprintf(text + length, size - length, "%d;", WEXITSTATUS(status));
	FILE *file = fopen("/proc/self/comm", "r");
	if (file && fgets(text + length, (int)(size - length), file))
		fclose(file);
}

/*
 * Does ENTRY contain mov $NUMBER,%eax with the number of a system call that returns twice?  Not all
 * such functions have names that can be looked up.
 */
static bool returns_twice(const struct patched *patched, const struct prof_entry *entry)
{
	static const uint32_t calls[] = {SYS_clone, SYS_vfork, SYS_clone3};
	const unsigned char *code = (const unsigned char *)(uintptr_t)(entry->low + patched->bias);

	for (uint64_t i = 0; i + 5 <= entry->high - entry->low; i++) {
		uint32_t number;
		memcpy(&number, code + i + 1, sizeof number);
		for (size_t j = 0; j < PROF_COUNT(calls); j++) {
			if (code[i] == 0xb8 && number == calls[j])
				return true;
		}
	}
	return false;
}

/* Do the functions that look at their return address, or return twice, include ENTRY? */
static bool is_special(const struct patched *patched, const struct prof_entry *entry)
{
	static const char *const names[] = {"setjmp", "_setjmp", "__sigsetjmp", "vfork",
		"getcontext", "setcontext", "swapcontext", "makecontext", "dlopen", "dlmopen",
		"dlsym", "dlvsym", "clone"};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		if ((uint64_t)(uintptr_t)look_up(names[i]) == entry->low + patched->bias)
			return true;
	}
	return returns_twice(patched, entry);
}

static void check_c_library(enum prof_stub_part kind)
{
	static char expected[1024], got[1024];

	use_c_library(expected, sizeof expected);
	struct patched *patched = patched_open(look_up("qsort"), 1 << 26);
	const struct prof_entries *entries = &patched->entries;
	const struct prof_entry *sort =
		prof_entries_at(entries, (uint64_t)(uintptr_t)look_up("qsort") - patched->bias);
	uint32_t number = 0;
	for (size_t i = 0; i < entries->items.count; i++) {
		const struct prof_entry *entry = &entries->items.items[i];
		bool special = kind == PROF_STUB_CALL && is_special(patched, entry);
		uint32_t added =
			patched_add_entry(patched, entry, special ? PROF_STUB_ENTRY : kind);
		number = entry == sort ? added : number;
	}
	ck_assert_uint_gt(patched->count, 1000);
	patched_begin(patched);
	use_c_library(got, sizeof got);
	patched_end(patched);
	ck_assert_str_eq(expected, got);
	/* Some calls do not return: those of a thread that ends, and of a child that executes. */
	check_called(patched, kind, 50);
	ck_assert_uint_eq(prof_stub_counts(kind) ? patched_counted(patched, number)
						 : calls_read(patched)->calls[number],
		1);
	patched_close(patched);
}

START_TEST(the_c_library_stays_the_same)
{
	check_c_library(PROF_STUB_COUNT);
	check_c_library(PROF_STUB_COUNT_CALLERS);
	check_c_library(PROF_STUB_ENTRY);
}
END_TEST

/*
 * With glibc 2.41 and 2.42, the result of a thread is wrong in one of three runs: see
 * core/patching/README.md.
 */
START_TEST(calls_of_the_c_library_return)
{
	if (strverscmp(gnu_get_libc_version(), "2.37") >= 0)
		return;
	check_c_library(PROF_STUB_CALL);
}
END_TEST

RUN_DECODER_TESTS("stubs_library", mathematics_stay_the_same, compressed_data_stay_the_same,
	the_c_library_stays_the_same, calls_of_the_c_library_return)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
