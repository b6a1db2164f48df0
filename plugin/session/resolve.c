/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How far the frames and objects of the experiment at hand have names. */
#include "model/experiment.h"
#include "plugin/session/openmp.h"
#include "plugin/session/private.h"
#include "plugin/session/symbols.h"

/*
 * Resolves all unresolved frames, or what can be, see symbols_resolve().  Where one load object
 * goes, others may follow, as with Open MPI, which closes its plug-ins: the files stay open then.
 */
static struct prof_error *resolve_frames(
	const struct going *going, bool early, const struct prof_progress *progress)
{
	size_t first = early ? session.asked : session.resolved;
	struct prof_error *error = symbols_resolve(
		session.experiment, first, &session.lines, session.engine, going, early, progress);

	if (going)
		symbols_lines_rest(&session.lines);
	else
		symbols_lines_deinit(&session.lines);
	if (error || going)
		return error;
	session.asked = session.experiment->frames.count;
	if (!early)
		session.resolved = session.asked;
	return NULL;
}

/* Gives the frames from FIRST on, and new paths, what their files say about OpenMP. */
static struct prof_error *read_openmp(size_t first, const struct prof_progress *progress)
{
	struct prof_error *error = openmp_add_entries(session.experiment, first);

	if (!error)
		error = resolve_frames(NULL, false, progress);
	if (!error)
		error = openmp_read_calls(session.experiment, session.called);
	if (!error)
		session.called = session.experiment->paths.count;
	return error;
}

struct prof_error *session_resolve(const struct going *going, const struct prof_progress *progress)
{
	size_t first = session.resolved;
	struct prof_error *error = resolve_frames(going, false, progress);

	if (!error && !going)
		error = read_openmp(first, progress);
	if (!error && !going && session.objects < session.experiment->objects.count) {
		error = symbols_name_objects(
			session.experiment, session.objects, session.engine, going);
		session.objects = session.experiment->objects.count;
	}
	return error;
}

struct prof_error *session_resolve_early(const struct prof_progress *progress)
{
	return resolve_frames(NULL, true, progress);
}
