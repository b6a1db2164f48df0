/* Pictures: flame graphs as SVG, interactive where scripts run, readable where none do. */
#ifndef PROF_VIEW_PICTURE_H
#define PROF_VIEW_PICTURE_H

#include "view/sheet.h"

struct prof_picture_request {
	bool inverted;      /* the functions that stacks end in stand in the first row */
	uint64_t max_depth; /* as in struct prof_flame */
	const char *notes;  /* lines that are to be said below the picture */
};

/*
 * Prints into TEXT the picture that REQUEST asks for of SHEET, which shows one metric and has its
 * profile.  Boxes narrower than a tenth of a pixel are left out, and the picture says so.  Names
 * are nothing but text in it.
 */
struct prof_error *prof_picture_print(const struct prof_sheet *sheet,
	const struct prof_picture_request *request, struct prof_text *text) PROF_MUST_CHECK;

#endif
