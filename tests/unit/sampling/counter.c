/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter.h"
#include "target/instruction.h"

#include "sampling/counter_kind.h"
#include "sampling/counter_open.h"
#include "suite.h"
#include "target/arch.h"

#include <perfmon/pfmlib_perf_event.h>

/* A CPU with two counter registers. */
#include "../../gdb/pmu/pmu.c"

/* May anything be sampled here?  LIBPFM_FORCE_PMU has libpfm4 know the names of one CPU. */
static bool permitted(const char *cpu)
{
	struct prof_error *why;

	setenv("LIBPFM_FORCE_PMU", cpu, 1);
	bool good = prof_perf_scope(prof_arch_native(), &why) != PROF_PERF_NOTHING;
	prof_error_destroy(why);
	return good;
}

/* Reads TEXT, of which COUNT counters must come. */
static struct prof_counters take(const char *text, size_t count)
{
	struct prof_counters counters;

	ck_assert_ok(prof_counters_read(text, &counters));
	ck_assert_uint_eq(counters.list.count, count);
	return counters;
}

/* Checks that TEXT is refused with one sentence that has PART. */
static void refuse(const char *text, const char *part)
{
	struct prof_counters counters;
	struct prof_error *error = prof_counters_read(text, &counters);

	ck_assert_msg(error != NULL, "%s is accepted", text);
	const char *message = prof_error_message(error);
	ck_assert_msg(message[strlen(message) - 1] == '.', "%s", message);
	ck_assert_error(error, part);
}

START_TEST(aliases_are_generic_events)
{
	if (!permitted("core"))
		return;
	struct prof_counters counters = take("cycles,insts:hi", 2);
	const struct prof_counter *cycles = &counters.list.items[0];
	const struct prof_counter *insts = &counters.list.items[1];

	ck_assert_str_eq(cycles->name, "cycles");
	ck_assert_uint_eq(cycles->type, PERF_TYPE_HARDWARE);
	ck_assert_uint_eq(cycles->config, PERF_COUNT_HW_CPU_CYCLES);
	ck_assert_int_eq(cycles->unit, PROF_COUNTER_CYCLES);
	ck_assert_int_eq(cycles->interval, 9999991);
	ck_assert(cycles->hardware && cycles->reg < 0 && !cycles->apart && !cycles->kernel);
	ck_assert_uint_eq(cycles->precise, 1);
	ck_assert_str_eq(insts->name, "insts");
	ck_assert_int_eq(insts->unit, PROF_COUNTER_EVENTS);
	ck_assert_int_eq(insts->interval, 999983);
	prof_counters_deinit(&counters);

	counters = take("dtlbwm/1", 1);
	ck_assert_uint_eq(counters.list.items[0].type, PERF_TYPE_HW_CACHE);
	ck_assert_uint_eq(counters.list.items[0].config,
		PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_WRITE << 8 |
			PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
	ck_assert_str_eq(counters.list.items[0].name, "dtlbwm");
	ck_assert_int_eq(counters.list.items[0].reg, 1);
	ck_assert_int_eq(counters.list.items[0].interval, 100003);
	ck_assert_uint_eq(counters.list.items[0].precise, 0);
	prof_counters_deinit(&counters);
}
END_TEST

START_TEST(the_kernel_or_user_code_can_be_left_out)
{
	struct prof_counters counters;
	struct prof_error *why;

	if (!permitted("core"))
		return;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);
	prof_error_destroy(why);
	counters = take("cycles:u:hi", 1);
	ck_assert_str_eq(counters.list.items[0].name, "cycles:u");
	ck_assert(counters.list.items[0].exclude_kernel && !counters.list.items[0].exclude_user);
	ck_assert_int_eq(counters.list.items[0].interval, 999983);
	prof_counters_deinit(&counters);
	if (scope == PROF_PERF_ALL) {
		counters = take("cycles:k,cycles:u", 2);
		ck_assert(counters.list.items[0].exclude_user);
		prof_counters_deinit(&counters);
	} else {
		refuse("cycles:k", "perf_event_paranoid");
	}
}
END_TEST

/* These names are of the kernel's events, as libpfm4 has them. */
START_TEST(events_of_the_kernel_only_cannot_leave_it_out)
{
	if (!permitted("perf"))
		return;
	refuse("PERF_COUNT_SW_CONTEXT_SWITCHES:u", "happen in the kernel");
	struct prof_counters counters = take("PERF_COUNT_SW_PAGE_FAULTS:u,MAJOR-FAULTS:5", 2);
	ck_assert_int_eq(counters.list.items[0].interval, 1);
	ck_assert(counters.list.items[0].exclude_kernel);
	ck_assert_uint_eq(counters.list.items[1].config, PERF_COUNT_SW_PAGE_FAULTS_MAJ);
	prof_counters_deinit(&counters);
	counters = take("instructions,PERF_COUNT_HW_CPU_CYCLES", 2);
	ck_assert_uint_eq(counters.list.items[0].config, PERF_COUNT_HW_INSTRUCTIONS);
	ck_assert_int_eq(counters.list.items[1].unit, PROF_COUNTER_CYCLES);
	prof_counters_deinit(&counters);
}
END_TEST

/* The only counter that TEXT is. */
static struct prof_counter one(const char *text)
{
	struct prof_counters counters = take(text, 1);
	struct prof_counter counter = counters.list.items[0];

	prof_counters_deinit(&counters);
	counter.name = NULL;
	return counter;
}

START_TEST(intervals_are_numbers_or_words)
{
	if (!permitted("core"))
		return;
	ck_assert_int_eq(one("cycles:1234567").interval, 1234567);
	ck_assert_int_eq(one("cycles/0:77").interval, 77);
	ck_assert_int_eq(one("cycles:on").interval, 9999991);
	ck_assert_int_eq(one("cycles:lo").interval, 99999847);
	ck_assert_int_eq(one("cycles:1000000000000").interval, PROF_COUNTER_LONGEST);
	ck_assert_int_eq(one("page-faults").interval, 1);
	ck_assert_int_eq(one("page-faults:hi").interval, 1);
	ck_assert_int_eq(one("page-faults:lo").interval, 7);
	refuse("cycles:0x10", "\"0x10\" is not a valid interval");
	refuse("cycles:0", "\"0\"");
	refuse("cycles:-1", "\"-1\"");
	refuse("cycles:+1", "\"+1\"");
	refuse("cycles:1000000000001", "1 to 1000000000000");
	refuse("cycles:99999999999999999999", "\"99999999999999999999\"");
	refuse("cycles:1e6", "\"1e6\"");
	refuse("cycles:1.5", "\"1.5\"");
	refuse("cycles:high", "\"high\" is not a valid interval for \"cycles\"");
	refuse("page-faults:", "\"\" is not a valid interval");
}
END_TEST

START_TEST(raw_names_are_as_libpfm_encodes_them)
{
	static const char *const names[] = {"UNHALTED_CORE_CYCLES", "INST_RETIRED:LOADS",
		"INST_RETIRED:STORES", "L1D_REPL", "BRANCH_INSTRUCTIONS_RETIRED:u",
		"L2_RQSTS:SELF:MESI", "INST_RETIRED:LOADS:c=2"};

	if (!permitted("core"))
		return;
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		struct perf_event_attr attr = {.size = sizeof attr};
		pfm_perf_encode_arg_t argument = {.attr = &attr, .size = sizeof argument};
		struct prof_counter counter = one(names[i]);
		ck_assert_int_eq(pfm_get_os_event_encoding(names[i], PFM_PLM0 | PFM_PLM3,
					 PFM_OS_PERF_EVENT_EXT, &argument),
			PFM_SUCCESS);
		ck_assert_uint_eq(counter.type, attr.type);
		ck_assert_uint_eq(counter.config, attr.config);
		ck_assert_uint_eq(counter.config1, attr.config1);
		ck_assert_uint_eq(counter.exclude_kernel, attr.exclude_kernel);
		ck_assert_uint_eq(counter.exclude_user, attr.exclude_user);
		ck_assert_int_eq(counter.interval, 1000003);
		ck_assert(counter.hardware);
	}
	ck_assert_uint_eq(one("INST_RETIRED:LOADS").config, 0x1c0);
	ck_assert_int_eq(one("INST_RETIRED:LOADS:499").interval, 499);
	ck_assert(one("UNHALTED_CORE_CYCLES:u").exclude_kernel);
	ck_assert_uint_eq(one("INST_RETIRED:0x2").config, one("INST_RETIRED:STORES").config);
	refuse("INST_RETIRED:NOBODY", "but the rest of the name is not right");
	refuse("INST_RETIRED:LOADS:freq=5", "give an interval instead");
	ck_assert_int_eq(one("INST_RETIRED:LOADS:period=5").interval, 5);
	/* The name says how precise it is: nothing else is tried. */
	refuse("INST_RETIRED:ANY_P:precise=2", "so precisely");
	ck_assert_uint_eq(one("INST_RETIRED:ANY_P:precise=0").precise, 0);
}
END_TEST

START_TEST(names_tell_what_is_counted)
{
	if (!permitted("core"))
		return;
	ck_assert_int_eq(one("UNHALTED_CORE_CYCLES").unit, PROF_COUNTER_CYCLES);
	ck_assert_int_eq(one("CPU_CLK_UNHALTED:CORE_P").unit, PROF_COUNTER_CYCLES);
	ck_assert_int_eq(one("CPU_CLK_UNHALTED:BUS").unit, PROF_COUNTER_EVENTS);
	ck_assert_int_eq(one("UNHALTED_CORE_CYCLES:e=1:c=1").unit, PROF_COUNTER_EVENTS);
	ck_assert_int_eq(one("INST_RETIRED:LOADS").unit, PROF_COUNTER_EVENTS);
	ck_assert(one("EXT_SNOOP").apart);
	ck_assert(!one("INST_RETIRED:LOADS").apart);
}
END_TEST

START_TEST(codes_are_raw_configurations)
{
	if (!permitted("core"))
		return;
	ck_assert_uint_eq(one("r01c0").type, PERF_TYPE_RAW);
	ck_assert_uint_eq(one("r01c0").config, 0x1c0);
	ck_assert_uint_eq(one("rC0").config, 0xc0);
	ck_assert_uint_eq(one("0x53003c").config, 0x53003c);
	ck_assert_uint_eq(one("r01c0:7").config, 0x1c0);
	ck_assert_int_eq(one("r01c0:7").interval, 7);
	ck_assert_int_eq(one("r01c0").interval, 1000003);
	/* As libpfm4 encodes the same event. */
	ck_assert_uint_eq(one("r01c0").config, one("INST_RETIRED:LOADS").config);
	refuse("rff3c", "The CPU cannot sample \"rff3c\"");
	refuse("r", "There is no counter \"r\"");
	refuse("r11112222333344445", "There is no counter");
	refuse("rxyz", "There is no counter");
}
END_TEST

START_TEST(the_kernel_counts_too)
{
	struct prof_error *why;

	if (!permitted("core"))
		return;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);
	prof_error_destroy(why);
	struct prof_counter counter = one("minor-faults:3");
	ck_assert_uint_eq(counter.type, PERF_TYPE_SOFTWARE);
	ck_assert_uint_eq(counter.config, PERF_COUNT_SW_PAGE_FAULTS_MIN);
	ck_assert_int_eq(counter.interval, 3);
	ck_assert(!counter.hardware && !counter.kernel);
	ck_assert_int_eq(one("task-clock").unit, PROF_COUNTER_NS);
	if (scope == PROF_PERF_ALL)
		ck_assert(one("context-switches").kernel);
	else
		refuse("context-switches", "perf_event_paranoid");
	refuse("page-faults/0", "\"page-faults\" takes no register");
}
END_TEST

START_TEST(what_cannot_be_together_is_refused)
{
	if (!permitted("core"))
		return;
	struct prof_counters counters = take("cycles/1,insts/0,page-faults,minor-faults", 4);
	prof_counters_deinit(&counters);
	refuse("cycles,insts,dcm", "at the same time: cycles, insts, dcm.");
	refuse("cycles,insts,cycles:7", "\"cycles\" is given twice");
	refuse("dcm,dcrm", "\"dcm\" and \"dcrm\" are the same counter");
	refuse("cycles/1,insts/1", "both name the counter register 1");
	refuse("cycles/2", "no counter register \"2\"");
	refuse("cycles/x", "no counter register \"x\"");
	refuse("cycles/", "no counter register \"\"");
	refuse("cycles/-1", "no counter register \"-1\"");
	refuse("page-faults,minor-faults,major-faults,alignment-faults,emulation-faults,"
	       "task-clock,cpu-clock,cycles,insts",
		"at most 8 counters");
	refuse("", "empty name");
	refuse("cycles,", "empty name");
	refuse(",cycles", "empty name");
	refuse("nobody", "There is no counter \"nobody\": prof-counters");
	refuse("fe_stall", "The CPU cannot sample \"fe_stall\"");
}
END_TEST

START_TEST(the_instruction_may_be_searched_for)
{
	if (!permitted("core"))
		return;
	struct prof_counters counters = take("+page-faults:7,cycles", 2);
	const struct prof_counter *faults = &counters.list.items[0];
	ck_assert_str_eq(faults->name, "page-faults");
	ck_assert_int_eq(faults->interval, 7);
	ck_assert(faults->search && faults->restarts);
	ck_assert_uint_eq(faults->access, PROF_ACCESS_LOAD_STORE);
	ck_assert(!counters.list.items[1].search);
	prof_counters_deinit(&counters);
	ck_assert(!one("page-faults").search);
	refuse("+cycles", "\"cycles\" does not count accesses to memory");
	refuse("+context-switches", "\"context-switches\" does not count accesses to memory");
	refuse("+nobody", "There is no counter \"nobody\"");
	refuse("++page-faults", "There is no counter \"+page-faults\"");
	refuse("cycles,+", "empty name");
	refuse("+page-faults,page-faults", "is given twice");

	struct prof_error *cannot = prof_instruction_available();
	if (cannot) {
		refuse("+dcrm", prof_error_message(cannot));
	} else {
		ck_assert_uint_eq(one("+dcrm/1").access, PROF_ACCESS_LOAD);
		ck_assert_uint_eq(one("+dcw").access, PROF_ACCESS_STORE);
		ck_assert_uint_eq(one("+ecm").access, PROF_ACCESS_LOAD_STORE);
		ck_assert_uint_eq(one("+INST_RETIRED:LOADS:100").access, PROF_ACCESS_LOAD);
		ck_assert(one("+dcrm").search && !one("+dcrm").restarts);
	}
	prof_error_destroy(cannot);
}
END_TEST

/* What the machine itself says, with the stand-in out of the way. */
START_TEST(a_machine_without_counters_says_so)
{
	struct prof_counters counters = {0};
	struct prof_error *why;

	if (!permitted("core"))
		return;
	pmu_absent = true;
	enum prof_perf_scope scope = prof_perf_scope(prof_arch_native(), &why);
	prof_error_destroy(why);
	if (prof_counter_is_there(scope))
		return;
	refuse("cycles", "This machine shows no hardware counters to programs");
	refuse("INST_RETIRED:LOADS", "This machine shows no hardware counters to programs");
	refuse("r00c0", "This machine shows no hardware counters to programs");
	ck_assert_uint_eq(prof_counter_room(scope), 0);
	ck_assert_ok(prof_counters_read("page-faults", &counters));
	prof_counters_deinit(&counters);
}
END_TEST

RUN_TESTS("counter", a_machine_without_counters_says_so, aliases_are_generic_events,
	codes_are_raw_configurations, events_of_the_kernel_only_cannot_leave_it_out,
	intervals_are_numbers_or_words, names_tell_what_is_counted,
	raw_names_are_as_libpfm_encodes_them, the_instruction_may_be_searched_for,
	the_kernel_counts_too, the_kernel_or_user_code_can_be_left_out,
	what_cannot_be_together_is_refused)
