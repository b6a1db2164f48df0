/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/marks/mark_breakpoints.h"

#include "base/text.h"
#include "plugin/collect/collector.h"
#include "plugin/gdb/python.h"
#include "plugin/marks/marks.h"
#include "plugin/gdb/expression.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/place.h"
#include "plugin/gdb/type.h"

#include <stdlib.h>
#include <string.h>

struct mark_breakpoint {
	PyObject *breakpoint;
	char *label;     /* "": the place where it is reached */
	char *condition; /* "": none */
	unsigned long hits;
	unsigned long failures; /* how often its condition could not be evaluated */
};

/* What was typed, in parts; each ends with a NUL. */
struct parts {
	char *location, *label, *condition;
};

/* There is one GDB, so one list of breakpoints. */
static struct {
	PyObject *type;
	PROF_ARRAY(struct mark_breakpoint) items;
	const struct parts *wanted; /* the condition that is being checked */
	struct prof_error *refused; /* why it is invalid; NULL: it is valid */
} marking;

static void place_deinit(struct mark_breakpoint *marked)
{
	Py_XDECREF(marked->breakpoint);
	free(marked->label);
	free(marked->condition);
	*marked = (struct mark_breakpoint){0};
}

/* Removes those whose breakpoints the user has deleted. */
static void forget_deleted(void)
{
	for (size_t i = 0; i < marking.items.count;) {
		struct mark_breakpoint *marked = &marking.items.items[i];
		if (!methods_breakpoint_is_deleted(marked->breakpoint)) {
			i++;
			continue;
		}
		place_deinit(marked);
		memmove(marked, marked + 1, (--marking.items.count - i) * sizeof *marked);
	}
}

/* Does MARKED's condition hold?  A condition that cannot be evaluated does not. */
static bool holds(struct mark_breakpoint *marked)
{
	int truth = *marked->condition ? expression_holds(marked->condition) : 1;

	marked->failures += truth < 0;
	return truth == 1;
}

static void reach(struct mark_breakpoint *marked)
{
	PROF_AUTO(prof_text_deinit) struct prof_text place = {0};

	if (!holds(marked))
		return;
	marked->hits++;
	if (!*marked->label)
		place_print(&place);
	host_forget(marks_automatic(
		PROF_MARK_LOCATION, *marked->label ? marked->label : prof_text_get(&place)));
}

/* Implementation of _prof.MarkBreakpoint.stop (self) -> False. */
static PyObject *stop(PyObject *self, PyObject *arguments)
{
	(void)arguments;
	for (size_t i = 0; i < marking.items.count; i++) {
		if (marking.items.items[i].breakpoint == self)
			reach(&marking.items.items[i]);
	}
	return PyBool_FromLong(0);
}

/*
 * Implementation of _prof.MarkBreakpoint.check () -> None, which makes GDB check the wanted
 * condition. GDB reports on a location when the user's breakpoint is created.
 */
static PyObject *check(PyObject *type, PyObject *unused)
{
	(void)type;
	(void)unused;
	marking.refused = expression_check(marking.wanted->location, marking.wanted->condition);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{"check", check, METH_NOARGS | METH_CLASS, NULL},
	{NULL, NULL, 0, NULL},
};

static bool load(PyObject *module)
{
	marking.type = type_create("_prof.MarkBreakpoint", "Breakpoint", methods,
		"A place in the program that leaves a mark, of prof-mark-at.");

	return marking.type && !PyObject_SetAttrString(module, "MarkBreakpoint", marking.type);
}

static char *skip_blanks(char *at)
{
	return at + strspn(at, " \t");
}

/* The end of the word at AT: blanks in quotes and brackets are part of the word. */
static char *end_of_word(char *at)
{
	return at + expression_span(at, " \t");
}

/* Is WORD an option of an explicit location that takes a value? */
static bool takes_value(const char *word, const char *end)
{
	static const char *const options[] = {"-function", "-line", "-source", "-file", "-label",
		"-probe", "-probe-stap", "-probe-dtrace"};
	size_t length = (size_t)(end - word);

	for (size_t i = 0; i < PROF_COUNT(options); i++) {
		if (prof_text_is(options[i], word, length))
			return true;
	}
	return false;
}

/* The end of the location at AT: one word, or options with their values, like -function f. */
static char *end_of_location(char *at)
{
	char *end = end_of_word(at);

	while (*at == '-' && *end) {
		char *next = skip_blanks(end);
		if (takes_value(at, end)) {
			end = end_of_word(next);
			at = skip_blanks(end);
			if (*at == '-')
				end = end_of_word(at);
		} else {
			at = next; /* -qualified: the location follows, or more options */
			end = end_of_word(at);
		}
	}
	return end;
}

/* The word "if" at AT or after it, outside of quotes; NULL: there is none. */
static char *find_if(char *at)
{
	for (; *at; at = skip_blanks(end_of_word(at))) {
		if (end_of_word(at) == at + 2 && !memcmp(at, "if", 2))
			return at;
	}
	return NULL;
}

/* Removes blanks at the end of TEXT, and quotes around all of it. */
static char *unquote(char *text)
{
	size_t length = strlen(text);

	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		text[--length] = '\0';
	if (length < 2 || (*text != '"' && *text != '\'') || text[length - 1] != *text)
		return text;
	text[length - 1] = '\0';
	return text + 1;
}

/* Splits TEXT into its parts. */
static struct prof_error *take_apart(char *text, struct parts *ret)
{
	char *location = skip_blanks(text);
	char *end = end_of_location(location);
	char *label = skip_blanks(end);
	char *condition = find_if(label);

	if (end == location || condition == location || find_if(location) == location)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-mark-at needs a location: prof-mark-at LOCATION [LABEL] [if CONDITION].");
	if (condition) {
		*condition = '\0';
		condition = skip_blanks(condition + 2);
		if (!*condition)
			return prof_error_create(PROF_ERROR_USAGE,
				"There is no condition after \"if\": give one, or leave out \"if\".");
	}
	*end = '\0';
	*ret = (struct parts){
		location, unquote(label), condition ? condition : label + strlen(label)};
	return NULL;
}

/* Is the condition of PARTS valid at their location, as far as GDB can know yet? */
static struct prof_error *check_condition(const struct parts *parts)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (!*parts->condition)
		return NULL;
	marking.wanted = parts;
	marking.refused = NULL;
	/* Uses the command, because GDB prints a message if the place does not exist yet. */
	struct prof_error *error =
		host_execute("python __import__(\"_prof\").MarkBreakpoint.check()", &text);
	struct prof_error *refused = marking.refused;
	marking.wanted = NULL;
	marking.refused = NULL;
	if (!error)
		return refused;
	prof_error_destroy(refused);
	return error;
}

struct prof_error *mark_breakpoints_add(const char *text)
{
	AUTO_FREE char *copy = strdup(text);
	struct parts parts = {0};

	if (!copy || !prof_array_reserve(&marking.items, 1))
		return prof_error_nomem();
	struct prof_error *error = take_apart(copy, &parts);
	if (!error)
		error = check_condition(&parts);
	if (error)
		return error;
	struct mark_breakpoint marked = {
		.label = strdup(parts.label), .condition = strdup(parts.condition)};
	if (!marked.label || !marked.condition) {
		place_deinit(&marked);
		return prof_error_nomem();
	}
	marked.breakpoint = methods_breakpoint_place(marking.type, parts.location);
	if (!marked.breakpoint) {
		place_deinit(&marked);
		return host_error();
	}
	forget_deleted();
	marking.items.items[marking.items.count++] = marked;
	return NULL;
}

/* Adds the attribute NAME of BREAKPOINT. */
static void print_attribute(PyObject *breakpoint, const char *name, struct prof_text *text)
{
	AUTO_PY PyObject *value = host_attribute(breakpoint, name);
	AUTO_PY PyObject *string = value ? PyObject_Str(value) : NULL;
	const char *bytes = string ? PyUnicode_AsUTF8AndSize(string, NULL) : NULL;

	prof_text_name(text, bytes ? bytes : "?");
	host_drop();
}

static bool have_breakpoints(void)
{
	bool found = false;

	forget_deleted();
	for (size_t i = 0; i < marking.items.count && !found; i++) {
		AUTO_PY PyObject *pending =
			host_attribute(marking.items.items[i].breakpoint, "pending");
		found = pending == Py_False;
	}
	return found;
}

static void list(struct prof_text *text)
{
	forget_deleted();
	for (size_t i = 0; i < marking.items.count; i++) {
		const struct mark_breakpoint *marked = &marking.items.items[i];
		prof_text_print(text, "Breakpoint ");
		print_attribute(marked->breakpoint, "number", text);
		prof_text_print(text, " marks each pass of ");
		print_attribute(marked->breakpoint, "location", text);
		if (*marked->label) {
			prof_text_print(text, " as \"");
			prof_text_name(text, marked->label);
			prof_text_print(text, "\"");
		}
		if (*marked->condition) {
			prof_text_print(text, " if ");
			prof_text_name(text, marked->condition);
		}
		prof_text_print(text, ": %lu so far", marked->hits);
		if (marked->failures)
			prof_text_print(text, "; GDB could not evaluate the condition %lu times",
				marked->failures);
		prof_text_print(text, ".\n");
	}
}

/* Are breakpoints set in the program? */
static const char *breakpoints(void)
{
	return have_breakpoints() ? "prof-mark-at" : NULL;
}

const struct collector collector_mark_breakpoints = {
	.name = "mark-at",
	.load = load,
	.breakpoints = breakpoints,
	.list = list,
};
