/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Panels: who called a function, or a fragment, and whom it called, with the values of these calls
 * in several profiles side by side.
 */
#ifndef PROF_VIEW_PANELS_H
#define PROF_VIEW_PANELS_H

#include "report/shown.h"

struct prof_functions;
struct prof_profile;

enum { PROF_PANELS_SIDES = PROF_COUNT(((struct prof_shown_list *)NULL)->items) };

/* In the order of a panel's lines. */
enum prof_panel_role {
	PROF_PANEL_CALLER,
	PROF_PANEL_PART, /* of a fragment, all but the last: it has no values */
	PROF_PANEL_SELF, /* the function, or the last of the fragment */
	PROF_PANEL_CALLEE,
	PROF_PANEL_ROLES,
};

/* The words for them: "caller", "fragment", "self", "callee". */
extern const char *const prof_panel_role_names[PROF_PANEL_ROLES];

struct prof_panel_line {
	enum prof_panel_role role;
	uint32_t function;                    /* PROF_NONE: the total */
	const char *name;                     /* borrowed, not to be trusted */
	prof_value values[PROF_PANELS_SIDES]; /* by side */
};

struct prof_panel {
	const char *focus; /* names of the function, or of all in the fragment; not to be trusted */
	prof_value wholes[PROF_PANELS_SIDES]; /* by side: inclusive, of which percent are taken */
	PROF_ARRAY(struct prof_panel_line) lines;
};

/* Is the line with the values A to stand before that with B (-1), after (1), or by name (0)? */
typedef int prof_panels_order(const prof_value *a, const prof_value *b, const void *context);

struct prof_panels {
	/* By side; the profiles, borrowed, are of the same items, which are functions. */
	const struct prof_profile *const *profiles;
	struct prof_functions *of[PROF_PANELS_SIDES]; /* seen by [0]: those that any has */
	size_t sides;                                 /* how many profiles there are */
	prof_panels_order *order; /* of lines; NULL: the largest value of the first side first */
	const void *context;      /* for it */

	/* Private part. */
	struct prof_panel panel; /* the one at hand */
	PROF_ARRAY(char *) texts;
};

/* Works out the metrics of the SIDES PROFILES, borrowed; the order is the caller's to set. */
struct prof_error *prof_panels_init(struct prof_panels *panels,
	const struct prof_profile *const *profiles, size_t sides) PROF_MUST_CHECK;

/* Frees what PANELS holds; all zeroes is fine. */
void prof_panels_deinit(struct prof_panels *panels);
#define AUTO_PANELS PROF_AUTO(prof_panels_deinit)

/* Takes a panel.  Its focus stays as long as the panels; everything else only for the call. */
typedef struct prof_error *prof_panels_take(void *context, const struct prof_panel *panel);

/* Hands the panel of the whole program, whose callees are the outermost functions, to TAKE. */
struct prof_error *prof_panels_total(
	struct prof_panels *panels, prof_panels_take *take, void *context) PROF_MUST_CHECK;

/* The panel of FUNCTION. */
struct prof_error *prof_panels_function(struct prof_panels *panels, uint32_t function,
	prof_panels_take *take, void *context) PROF_MUST_CHECK;

/*
 * The panels that NAMES stands for: of each function with that name (metric/names.h); or, if it is
 * several names with a space between two, of that fragment, in which all functions of one name
 * count as one.
 */
struct prof_error *prof_panels_named(struct prof_panels *panels, const char *names,
	prof_panels_take *take, void *context) PROF_MUST_CHECK;

#endif
