/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/call_builder.h"

struct prof_error *prof_builder_init(struct prof_builder *builder)
{
	*builder = (struct prof_builder){0};
	return prof_tree_init(&builder->tree);
}

void prof_builder_deinit(struct prof_builder *builder)
{
	prof_tree_deinit(&builder->tree);
	*builder = (struct prof_builder){0};
}

bool prof_builder_fits(const struct prof_builder *builder, int64_t cost, int64_t time)
{
	return cost >= 0 && time >= 0 &&
		(!builder->begun || (cost >= builder->cost && time >= builder->time));
}

static struct prof_error *check(const struct prof_builder *builder, int64_t cost, int64_t time)
{
	if (prof_builder_fits(builder, cost, time))
		return NULL;
	return prof_error_create(PROF_ERROR_DAMAGED,
		"A call or an end at tick %lld, %lld ns, cannot follow one at tick %lld, %lld ns: time goes back.",
		(long long)cost, (long long)time, (long long)builder->cost,
		(long long)builder->time);
}

static void step(struct prof_builder *builder, int64_t cost, int64_t time)
{
	builder->begun = true;
	builder->cost = cost;
	builder->time = time;
}

/* Suspends the node that runs, or resumes a suspended one: both are the same subtraction. */
static void turn(struct prof_builder *builder)
{
	struct prof_node *node = &builder->tree.nodes.items[builder->current];

	/* Nothing is spent at the top level. */
	if (!builder->current)
		return;
	node->cost = builder->cost - node->cost;
	node->time = builder->time - node->time;
}

struct prof_error *prof_builder_call(
	struct prof_builder *builder, uint32_t name, int64_t cost, int64_t time)
{
	struct prof_error *error = check(builder, cost, time);
	uint32_t called;

	if (!error)
		error = prof_tree_add(&builder->tree, builder->current, name, &called);
	if (error)
		return error;
	step(builder, cost, time);
	turn(builder);
	builder->current = called;
	turn(builder);
	builder->tree.nodes.items[called].begin = time;
	return NULL;
}

/* Ends the node that runs, which is not the top level. */
static void end_current(struct prof_builder *builder, enum prof_call_end end)
{
	turn(builder);
	builder->tree.nodes.items[builder->current].end = end;
	builder->current = builder->tree.nodes.items[builder->current].parent;
	turn(builder);
}

static struct prof_error *end_call(
	struct prof_builder *builder, enum prof_call_end end, int64_t cost, int64_t time)
{
	struct prof_error *error = check(builder, cost, time);

	if (error)
		return error;
	step(builder, cost, time);
	if (builder->current)
		end_current(builder, end);
	else
		builder->extra_ends++;
	return NULL;
}

struct prof_error *prof_builder_end(struct prof_builder *builder, int64_t cost, int64_t time)
{
	return end_call(builder, PROF_CALL_END_RETURNED, cost, time);
}

struct prof_error *prof_builder_leave(struct prof_builder *builder, int64_t cost, int64_t time)
{
	return end_call(builder, PROF_CALL_END_LEFT, cost, time);
}

uint64_t prof_builder_finish(struct prof_builder *builder, int64_t cost, int64_t time)
{
	uint64_t count = 0;

	step(builder, cost > builder->cost ? cost : builder->cost,
		time > builder->time ? time : builder->time);
	for (; builder->current; count++)
		end_current(builder, PROF_CALL_END_OPEN);
	return count;
}
