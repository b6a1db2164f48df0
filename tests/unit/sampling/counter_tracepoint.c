/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/counter_tracepoint.h"

#include "sampling/counter_kind.h"
#include "scratch.h"

#include <linux/perf_event.h>

static bool find(const char *name, struct prof_counter_entry *ret)
{
	bool found;

	*ret = (struct prof_counter_entry){0};
	ck_assert_ok(prof_counter_tracepoint_find_in(".", name, ret, &found));
	return found;
}

START_TEST(tracepoints_have_ids)
{
	struct prof_counter_entry entry;

	enter_scratch();
	put_file("sched/sched_switch/id", "317\n");
	put_file("sched/damaged/id", "what\n");
	ck_assert(find("sched:sched_switch", &entry));
	ck_assert_int_eq(entry.kind, PROF_COUNTER_TRACEPOINT);
	ck_assert_uint_eq(entry.counter.type, PERF_TYPE_TRACEPOINT);
	ck_assert_uint_eq(entry.counter.config, 317);
	ck_assert_int_eq(entry.counter.interval, 1);
	ck_assert(entry.counter.kernel && !entry.counter.hardware);
	ck_assert(!find("sched:damaged", &entry));
	ck_assert(!find("sched:nobody", &entry));
	ck_assert(!find("nobody:sched_switch", &entry));
	/* No way leads out of the folder. */
	ck_assert(!find("sched:../sched/sched_switch", &entry));
	ck_assert(!find("..:sched", &entry) && !find("sched:..", &entry));
	ck_assert(!find("sched:", &entry) && !find(":sched_switch", &entry));
	ck_assert(!find("sched", &entry) && !find("sched:sched_switch:x", &entry));
}
END_TEST

START_TEST(all_are_listed_by_name)
{
	struct prof_counter_list list = {0};

	enter_scratch();
	put_file("sched/sched_switch/id", "317\n");
	put_file("block/block_plug/id", "12\n");
	put_file("ftrace/function/id", "1\n");
	put_file("block/id", "a file of the group, not a tracepoint\n");
	ck_assert_ok(prof_counter_tracepoint_list_in(".", &list));
	ck_assert_uint_eq(list.entries.count, 2);
	ck_assert_str_eq(list.entries.items[0].counter.name, "block:block_plug");
	ck_assert_str_eq(list.entries.items[1].counter.name, "sched:sched_switch");
	prof_counter_list_deinit(&list);
}
END_TEST

/* What there is on this machine, or one sentence that says what to do. */
START_TEST(this_machine_lists_them_or_says_why_not)
{
	struct prof_counter_list list = {0};
	struct prof_counter_entry entry = {0};
	bool found;

	ck_assert_ok(prof_counter_tracepoint_list(&list));
	ck_assert((list.entries.count > 0) == !list.missing[PROF_COUNTER_TRACEPOINT]);
	struct prof_error *error = prof_counter_tracepoint_find("no:where", &entry, &found);
	ck_assert(!found);
	if (list.missing[PROF_COUNTER_TRACEPOINT])
		ck_assert_error(error, "tracepoints");
	else
		ck_assert_ok(error);
	prof_counter_list_deinit(&list);
}
END_TEST

RUN_TESTS("counter tracepoint", all_are_listed_by_name, this_machine_lists_them_or_says_why_not,
	tracepoints_have_ids)
