/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Which processes are sampled: those that the user names, those of a control group, and their
 * children.
 */
#include "sampling/descendants_private.h"

#include "base/clock.h"
#include "sampling/budget.h"
#include "sampling/cgroup.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PROCESS becomes a member: from now on the records of what it does are read. */
static struct prof_error *take_in(
	struct prof_descendants *descendants, pid_t process, struct prof_member **ret)
{
	struct prof_error *error = prof_family_events_add(descendants->events, process);

	return error ? error : prof_family_add(&descendants->family, process, ret);
}

struct search {
	struct prof_descendants *descendants;
	bool found;
};

/* Makes PROCESS a member if its parent is one.  Leaves it out if it has ended already. */
static void look_at_parent(void *context, pid_t process)
{
	struct search *search = context;
	const struct prof_family *family = &search->descendants->family;
	struct prof_member *member;

	if (process == getpid() || prof_family_find(family, process) ||
		!prof_family_find(family, prof_procfs_parent(process)))
		return;
	struct prof_error *error = take_in(search->descendants, process, &member);
	search->found |= !error;
	prof_error_destroy(error);
}

/* Makes PROCESS and all of its descendants members. */
static struct prof_error *take_in_all(
	struct prof_descendants *descendants, pid_t process, struct prof_member **ret)
{
	struct search search = {.descendants = descendants, .found = true};

	/* It may be a member already: the kernel may have reported its fork by now. */
	prof_descendants_read(descendants, INT64_MAX);
	*ret = prof_family_find(&descendants->family, process);
	struct prof_error *error = *ret ? NULL : take_in(descendants, process, ret);
	/* They may make others during the search. */
	while (!error && search.found) {
		search.found = false;
		prof_procfs_processes(look_at_parent, &search);
	}
	return error;
}

struct joining {
	struct prof_descendants *descendants;
	size_t refused;
	struct prof_error *error; /* why the first of them failed */
};

static void join_group(void *context, pid_t process)
{
	struct joining *joining = context;
	struct prof_member *member;

	if (process == getpid() || prof_family_find(&joining->descendants->family, process))
		return;
	struct prof_error *error = take_in_all(joining->descendants, process, &member);
	if (!error || kill(process, 0)) {
		/* It has ended, or is a member already. */
		prof_error_destroy(error);
		return;
	}
	joining->refused++;
	if (joining->error)
		prof_error_destroy(error);
	else
		joining->error = error;
}

struct prof_error *prof_descendants_read_group(struct prof_descendants *descendants)
{
	struct joining joining = {.descendants = descendants};
	int64_t used = prof_clock_used();

	prof_cgroup_processes(descendants->group, join_group, &joining);
	if (joining.refused > descendants->said.refused)
		descendants->said.refused = joining.refused;
	descendants->regroup = prof_clock() +
		prof_budget_rest(prof_clock_used() - used, PROF_DESCENDANTS_SOON * PROF_NS_PER_MS);
	return joining.error;
}

struct prof_error *prof_descendants_add(struct prof_descendants *descendants, pid_t process)
{
	struct prof_member *member;

	pthread_mutex_lock(&descendants->mutex);
	struct prof_error *error = take_in_all(descendants, process, &member);
	if (!error)
		member->apart = true;
	pthread_mutex_unlock(&descendants->mutex);
	return error;
}

struct prof_error *prof_descendants_follow(struct prof_descendants *descendants, pid_t process)
{
	struct prof_member *member;

	pthread_mutex_lock(&descendants->mutex);
	struct prof_error *error = take_in_all(descendants, process, &member);
	pthread_mutex_unlock(&descendants->mutex);
	return error;
}

struct prof_error *prof_descendants_follow_group(
	struct prof_descendants *descendants, const char *folder)
{
	char *group = strdup(folder);

	if (!group)
		return prof_error_nomem();
	pthread_mutex_lock(&descendants->mutex);
	free(descendants->group);
	descendants->group = group;
	struct prof_error *error = prof_descendants_read_group(descendants);
	pthread_mutex_unlock(&descendants->mutex);
	return error;
}
