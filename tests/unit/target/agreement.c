/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/agreement.h"

#include "suite.h"

#include "base/compiler.h"

/* Adds the stacks OWN and OTHER of so many frames, and checks what comes of it. */
static void check(const uint64_t *own, size_t own_depth, const uint64_t *other, size_t other_depth,
	size_t first, uint64_t equal)
{
	const struct prof_agreement_stack a = {own, own_depth}, b = {other, other_depth};
	struct prof_agreement agreement = {0}, swapped = {0};
	size_t most = own_depth > other_depth ? own_depth : other_depth;

	ck_assert_uint_eq(prof_agreement_find(&a, &b), first);
	ck_assert_uint_eq(prof_agreement_find(&b, &a), first);
	ck_assert_uint_eq(prof_agreement_add(&agreement, &a, &b), first);
	ck_assert_uint_eq(agreement.stacks, 1);
	ck_assert_uint_eq(agreement.equal_stacks, equal == most);
	ck_assert_uint_eq(agreement.frames, most);
	ck_assert_uint_eq(agreement.equal_frames, equal);
	ck_assert_uint_eq(prof_agreement_add(&swapped, &b, &a), first);
	ck_assert_mem_eq(&agreement, &swapped, sizeof swapped);
}

START_TEST(equal_stacks_agree)
{
	static const uint64_t frames[] = {10, 20, 30, 40};

	for (size_t depth = 0; depth <= PROF_COUNT(frames); depth++)
		check(frames, depth, frames, depth, depth, depth);
}
END_TEST

START_TEST(a_frame_too_few_is_one_difference)
{
	static const uint64_t frames[] = {10, 20, 30, 40};
	static const uint64_t without[] = {10, 30, 40};

	check(frames, 4, without, 3, 1, 3);
	check(frames, 4, frames + 1, 3, 0, 3);
	check(frames, 4, frames, 3, 3, 3);
	check(frames, 4, frames, 0, 0, 0);
}
END_TEST

START_TEST(frames_are_not_counted_twice)
{
	static const uint64_t recursion[] = {10, 20, 20, 20, 30};
	static const uint64_t deeper[] = {10, 20, 20, 20, 20, 20, 30};

	check(recursion, 5, deeper, 7, 4, 5);
	check(recursion + 1, 3, deeper + 1, 5, 3, 3);
}
END_TEST

START_TEST(what_lies_between_differs)
{
	static const uint64_t own[] = {10, 20, 30, 40, 50};
	static const uint64_t other[] = {10, 20, 35, 45, 50};

	check(own, 5, other, 5, 2, 3);
	check(own, 3, other + 2, 2, 0, 0);
}
END_TEST

START_TEST(a_place_to_be_returned_to_is_told_both_ways)
{
	static const uint64_t own[] = {10, 20};
	static const uint64_t other[] = {10, 19};
	static const uint64_t another[] = {10, 18};

	check(own, 2, other, 2, 2, 2);
	check(own, 2, another, 2, 1, 1);
}
END_TEST

START_TEST(stacks_add_up)
{
	static const uint64_t frames[] = {10, 20, 30};
	const struct prof_agreement_stack whole = {frames, 3}, part = {frames, 1};
	struct prof_agreement agreement = {0};

	prof_agreement_add(&agreement, &whole, &whole);
	prof_agreement_add(&agreement, &whole, &part);
	ck_assert_uint_eq(agreement.stacks, 2);
	ck_assert_uint_eq(agreement.equal_stacks, 1);
	ck_assert_uint_eq(agreement.frames, 6);
	ck_assert_uint_eq(agreement.equal_frames, 4);
}
END_TEST

RUN_TESTS("agreement", equal_stacks_agree, a_frame_too_few_is_one_difference,
	frames_are_not_counted_twice, what_lies_between_differs,
	a_place_to_be_returned_to_is_told_both_ways, stacks_add_up)
