/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/prototype.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "tracing/ring.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The state of writing a signature. */
struct writer {
	struct prof_text *text;
	const char *name; /* of the function */
	const char *what; /* the part that is being written: "its argument 2" */
	bool mangled;     /* C++ may pass classes by reference */
};

/* The size of a type, in bytes. */
struct layout {
	uint64_t size, alignment;
};

void prototype_deinit(struct prototype *prototype)
{
	prof_text_deinit(&prototype->signature);
	prof_text_deinit(&prototype->letters);
}

static struct prof_error *refuse(const struct writer *writer, const char *why)
{
	return prof_error_create(PROF_ERROR_UNSUPPORTED, "%s cannot be traced: %s %s.",
		writer->name, writer->what, why);
}

static uint64_t round_up(uint64_t size, uint64_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

/* Is CODE the gdb.TYPE_CODE_... of that name? */
static bool is_code(uint64_t code, const char *name)
{
	PyObject *gdb = host_gdb();
	bool is = gdb && host_number(gdb, name) == code;

	host_drop();
	return is;
}

/* TYPE without typedefs and qualifiers, a new reference, or NULL; no exception. */
static PyObject *strip(PyObject *type)
{
	PyObject *stripped = PyObject_CallMethod(type, "strip_typedefs", NULL);

	host_drop();
	return stripped;
}

/* Is TYPE, an integer, signed?  GDB 10 and 11 cannot say: -1 of the type shows it. */
static bool is_signed(PyObject *type)
{
	if (PyObject_HasAttrString(type, "is_signed"))
		return host_is_true(type, "is_signed");
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *number = gdb ? PyObject_CallMethod(gdb, "Value", "i", -1) : NULL;
	AUTO_PY PyObject *value = number ? PyObject_CallMethod(number, "cast", "O", type) : NULL;
	AUTO_PY PyObject *whole = value ? PyNumber_Long(value) : NULL;
	int overflow = 0;
	bool negative = whole && PyLong_AsLongLongAndOverflow(whole, &overflow) < 0 && !overflow;

	host_drop();
	return negative;
}

static const char integers[][2] = {{'b', 'B'}, {'h', 'H'}, {'i', 'I'}, {'l', 'L'}};

/* The letter for TYPE, a number or a pointer of SIZE bytes; 0: it is neither, or unknown. */
static char letter_of(PyObject *type, uint64_t code, uint64_t size)
{
	static const char *const pointers[] = {
		"TYPE_CODE_PTR", "TYPE_CODE_REF", "TYPE_CODE_RVALUE_REF"};
	static const char *const whole[] = {
		"TYPE_CODE_INT", "TYPE_CODE_BOOL", "TYPE_CODE_CHAR", "TYPE_CODE_ENUM"};
	AUTO_FREE char *name = host_string(type, "name");

	if (is_code(code, "TYPE_CODE_VOID"))
		return 'v';
	for (size_t i = 0; i < PROF_COUNT(pointers); i++) {
		if (is_code(code, pointers[i]))
			return 'p';
	}
	for (size_t i = 0; i < PROF_COUNT(whole); i++) {
		for (size_t bytes = 0; bytes < PROF_COUNT(integers); bytes++) {
			if (is_code(code, whole[i]) && size == UINT64_C(1) << bytes)
				return integers[bytes][!is_signed(type)];
		}
	}
	if (!is_code(code, "TYPE_CODE_FLT") || (name && strstr(name, "128")))
		return 0;
	return size == 4 ? 'f' : size == 8 ? 'd' : size == 16 ? 'D' : 0;
}

static struct prof_error *write_type(
	const struct writer *writer, PyObject *given, struct layout *ret);

/*
 * Writes TYPE, of a member at OFFSET, which must be where C's rules put it behind *SO_FAR; an array
 * counts as one member per element.
 */
static struct prof_error *write_member(
	const struct writer *writer, PyObject *type, uint64_t offset, struct layout *so_far)
{
	bool array = is_code(host_number(type, "code"), "TYPE_CODE_ARRAY");
	AUTO_PY PyObject *element =
		array ? PyObject_CallMethod(type, "target", NULL) : python_hold(type);
	uint64_t size = element ? host_number(element, "sizeof") : 0;
	uint64_t count = size ? host_number(type, "sizeof") / size : 0;

	host_drop();
	if (!count)
		return refuse(writer, "has a member without a size");
	for (uint64_t i = 0; i < count; i++) {
		struct layout layout;
		struct prof_error *error = write_type(writer, element, &layout);
		if (error)
			return error;
		so_far->size = round_up(so_far->size, layout.alignment);
		if (so_far->size != offset + i * size)
			return refuse(writer, "is packed or has an alignment of its own");
		so_far->size += layout.size;
		if (so_far->alignment < layout.alignment)
			so_far->alignment = layout.alignment;
	}
	return NULL;
}

/* Writes the members of TYPE, a struct. */
static struct prof_error *write_struct(
	const struct writer *writer, PyObject *type, struct layout *ret)
{
	AUTO_PY PyObject *fields = PyObject_CallMethod(type, "fields", NULL);
	Py_ssize_t count = fields ? PyList_Size(fields) : 0;
	struct layout so_far = {0, 1};

	host_drop();
	if (writer->mangled)
		return refuse(writer, "is a class, which C++ may pass by reference");
	if (count <= 0)
		return refuse(writer, "is a struct whose members are not known");
	prof_text_print(writer->text, "{");
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *field = PyList_GetItem(fields, i);
		AUTO_PY PyObject *given = host_attribute(field, "type");
		AUTO_PY PyObject *stripped = given ? strip(given) : NULL;
		if (!stripped || host_number(field, "bitsize"))
			return refuse(writer, "has bit fields");
		struct prof_error *error =
			write_member(writer, stripped, host_number(field, "bitpos") / 8, &so_far);
		if (error)
			return error;
	}
	prof_text_print(writer->text, "}");
	so_far.size = round_up(so_far.size, so_far.alignment);
	if (so_far.size != host_number(type, "sizeof"))
		return refuse(writer, "is packed or has an alignment of its own");
	*ret = so_far;
	return NULL;
}

/* Writes the type GIVEN; *RET becomes its size. */
static struct prof_error *write_type(
	const struct writer *writer, PyObject *given, struct layout *ret)
{
	AUTO_PY PyObject *type = strip(given);
	uint64_t code = type ? host_number(type, "code") : 0;
	uint64_t size = type ? host_number(type, "sizeof") : 0;
	char letter = type ? letter_of(type, code, size) : 0;

	if (writer->text->length >= PROF_SIGNATURE - 4)
		return refuse(writer, "is too large");
	if (letter) {
		prof_text_print(writer->text, "%c", letter);
		*ret = (struct layout){size, size ? size : 1};
		return NULL;
	}
	if (is_code(code, "TYPE_CODE_STRUCT"))
		return write_struct(writer, type, ret);
	return refuse(writer,
		is_code(code, "TYPE_CODE_UNION") ? "is a union"
			: is_code(code, "TYPE_CODE_ERROR")
			? "is of an unknown type"
			: "is of a type that libffi cannot pass");
}

/* Writes the type of the argument or value WHAT, and its letter into LETTERS. */
static struct prof_error *write_value(
	struct writer *writer, const char *what, PyObject *type, struct prof_text *letters)
{
	struct layout layout;
	size_t begin = writer->text->length;

	writer->what = what;
	struct prof_error *error = write_type(writer, type, &layout);
	if (error)
		return error;
	prof_text_print(letters, "%c", prof_text_get(writer->text)[begin]);
	return prof_text_error(letters);
}

/* The position in SHOWN of the bracket that closes the one at OPEN, or of the end. */
static size_t find_close(const char *shown, size_t open)
{
	size_t at = open;
	unsigned depth = 0;

	for (; shown[at]; at++) {
		depth += shown[at] == '(';
		depth -= shown[at] == ')';
		if (!depth)
			break;
	}
	return at;
}

/*
 * Does the function type SHOWN, as GDB prints it, accept variable arguments?  Only its own list of
 * arguments counts, not those of functions that it takes or returns: that list begins where SHOWN
 * begins to differ from TARGET, the return type, as in "int (*(char, ...))(short)".
 */
static bool takes_more(const char *shown, const char *target)
{
	static const char more[] = "...";
	size_t at = 0;

	while (shown[at] && shown[at] == target[at])
		at++;
	size_t open = at + strcspn(shown + at, "(");
	size_t close = shown[open] ? find_close(shown, open) : open;
	return close - open >= sizeof more &&
		!memcmp(shown + close - (sizeof more - 1), more, sizeof more - 1);
}

/* The result of Python's str () for OBJECT, to be freed, or NULL; no exception. */
static char *show(PyObject *object)
{
	AUTO_PY PyObject *text = PyObject_Str(object);
	AUTO_PY PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
	const char *shown = bytes ? PyBytes_AsString(bytes) : NULL;

	host_drop();
	return shown ? strdup(shown) : NULL;
}

/* Writes all of TYPE, a function type. */
static struct prof_error *write_function(
	struct writer *writer, PyObject *type, struct prototype *prototype)
{
	AUTO_PY PyObject *fields = PyObject_CallMethod(type, "fields", NULL);
	AUTO_PY PyObject *target = PyObject_CallMethod(type, "target", NULL);
	AUTO_FREE char *shown = show(type);
	AUTO_FREE char *returned = target ? show(target) : NULL;
	Py_ssize_t count = fields ? PyList_Size(fields) : 0;
	char what[64];

	host_drop();
	if (!shown || !returned)
		return refuse(writer, "is not known");
	struct prof_error *error =
		write_value(writer, "its return value", target, &prototype->letters);
	prof_text_print(writer->text, "(");
	for (Py_ssize_t i = 0; !error && i < count; i++) {
		AUTO_PY PyObject *argument = host_attribute(PyList_GetItem(fields, i), "type");
		snprintf(what, sizeof what, "its argument %zd", i + 1);
		writer->what = what;
		error = argument ? write_value(writer, what, argument, &prototype->letters)
				 : refuse(writer, "is not known");
	}
	/* Only GDB's text shows that arguments are variable. */
	prof_text_print(writer->text, "%s)", takes_more(shown, returned) ? "." : "");
	prototype->arguments = (size_t)count;
	return error ? error : prof_text_error(writer->text);
}

/* Sets GDB's language to LANGUAGE; prints nothing. */
static void set_language(const char *language)
{
	PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text printed = {0};

	prof_text_print(&command, "set language %s", language);
	host_forget(host_execute(prof_text_get(&command), &printed));
}

/* The value of EXPRESSION in GDB's current language, or in C; NULL with an exception. */
static PyObject *evaluate(const char *expression)
{
	AUTO_FREE char *language = NULL;
	PyObject *gdb = host_gdb();
	PyObject *value = gdb ? PyObject_CallMethod(gdb, "parse_and_eval", "s", expression) : NULL;

	if (!gdb || value)
		return value;
	PyErr_Clear();
	struct prof_error *error = host_parameter("language", &language);
	if (!error)
		set_language("c");
	value = PyObject_CallMethod(gdb, "parse_and_eval", "s", expression);
	if (!error && !value) {
		/*
		 * The error in C is the one to report: it must survive the change of the setting.
		 */
		PyObject *type, *thrown, *trace;
		PyErr_Fetch(&type, &thrown, &trace);
		set_language(language);
		PyErr_Restore(type, thrown, trace);
	} else if (!error) {
		set_language(language);
	}
	host_forget(error);
	return value;
}

/* The function type that GIVEN names, a new reference. */
static struct prof_error *parse_type(const char *given, PyObject **ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	const char *open = strchr(given, '(');

	if (!open)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a prototype: give one such as 'int (void *, size_t)'.",
			given);
	prof_text_print(&text, "(%.*s(*)%s)0", (int)(open - given), given, open);
	struct prof_error *error = prof_text_error(&text);
	if (error)
		return error;
	AUTO_PY PyObject *value = evaluate(prof_text_get(&text));
	AUTO_PY PyObject *pointer = value ? PyObject_GetAttrString(value, "type") : NULL;
	AUTO_PY PyObject *type = pointer ? PyObject_CallMethod(pointer, "target", NULL) : NULL;
	if (!type)
		return host_error();
	if (!is_code(host_number(type, "code"), "TYPE_CODE_FUNC"))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is not a prototype: give one such as 'int (void *, size_t)'.",
			given);
	*ret = steal(&type);
	return NULL;
}

/* Does TEXT begin with PART or, if END, end with it? */
static bool has_part(const char *text, const char *part, bool end)
{
	size_t length = strlen(text), size = strlen(part);

	return length >= size && !memcmp(end ? text + length - size : text, part, size);
}

/*
 * Was the function of SYMBOL written in assembler?  Assemblers give each function the type void
 * (void), whatever it takes.
 */
static bool is_assembled(PyObject *symbol)
{
	static const char *const producers[] = {"GNU AS", "NASM", "yasm"};
	static const char *const endings[] = {".s", ".S", ".sx", ".asm", ".nasm"};
	AUTO_PY PyObject *table = host_attribute(symbol, "symtab");
	AUTO_FREE char *producer = table ? host_string(table, "producer") : NULL;
	AUTO_FREE char *file = table ? host_string(table, "filename") : NULL;
	bool found = false;

	for (size_t i = 0; producer && i < PROF_COUNT(producers); i++)
		found |= has_part(producer, producers[i], false);
	for (size_t i = 0; file && i < PROF_COUNT(endings); i++)
		found |= has_part(file, endings[i], true);
	return found;
}

struct prof_error *prototype_read(
	const char *name, PyObject *symbol, const char *given, struct prototype *ret)
{
	struct writer writer = {&ret->signature, name, "its type", false};
	AUTO_PY PyObject *type = NULL;
	AUTO_FREE char *linkage = symbol ? host_string(symbol, "linkage_name") : NULL;
	struct prof_error *error = NULL;

	*ret = (struct prototype){0};
	if (given)
		error = parse_type(given, &type);
	else
		type = symbol && !is_assembled(symbol) ? host_attribute(symbol, "type") : NULL;
	if (error)
		return error;
	if (!type)
		return prof_error_create(PROF_ERROR_USAGE,
			"GDB does not know the arguments and the return type of %s: give its prototype, such as --prototype='int (void *, size_t)'.",
			name);
	writer.mangled = linkage && !strncmp(linkage, "_Z", 2);
	error = write_function(&writer, type, ret);
	if (error)
		prototype_deinit(ret);
	return error;
}
