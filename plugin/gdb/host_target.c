/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/host_target.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * When SIGTERM ends GDB 13.1 with a process that it has attached to, it drops its own reference to
 * a gdb.TargetConnection whose target still exists, and fails an assertion if that is the last one.
 * So each is held for ever.  (The table of `info connections` has the type, too, but no command can
 * be executed while GDB attaches by extended-remote: it needs a selected thread, and there is
 * none.)
 */
static void hold_for_ever(PyObject *connection)
{
	static PyObject *held;

	if (!held)
		held = PySet_New(NULL);
	if (held)
		PySet_Add(held, connection);
	host_drop();
}

/*
 * Copies the type of the current connection, like "native", from TEXT, the output of `info
 * connections`: the word after the number in the row with the asterisk.  Copies "" if there is
 * none.
 */
static void take_kind(const char *text, char *kind, size_t size)
{
	const char *row = *text == '*' ? text : strstr(text, "\n*");
	const char *from = row ? row + strcspn(row, "*") + 1 : "";

	from += strspn(from, " 0123456789");
	snprintf(kind, size, "%.*s", (int)strcspn(from, " \n"), from);
}

/*
 * The type of the current connection, for GDB 10 and 11, which have no gdb.TargetConnection.  While
 * GDB attaches it has a process without a thread, and no command can be executed: the connection
 * was made before, and its type is known.
 */
static const char *kind_in_table(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	static char kind[32];

	if (host_process() && !host_thread())
		return kind;
	struct prof_error *error = host_execute("info connections", &text);
	if (!error)
		take_kind(prof_text_get(&text), kind, sizeof kind);
	host_forget(error);
	return kind;
}

struct prof_error *host_connection(char **ret)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *selected =
		gdb ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;
	bool known = selected && PyObject_HasAttrString(selected, "connection");
	AUTO_PY PyObject *connection = known ? host_attribute(selected, "connection") : NULL;
	char *kind = connection ? host_string(connection, "type")
				: strdup(!selected || known ? "" : kind_in_table());

	if (connection)
		hold_for_ever(connection);
	if (!kind)
		return prof_error_nomem();
	*ret = kind;
	return NULL;
}

/* The name of THREAD, "" if it has none; *HOLDER keeps it alive. */
static const char *name_of(PyObject *thread, PyObject **holder)
{
	*holder = PyObject_GetAttrString(thread, "name");
	const char *name =
		*holder && *holder != Py_None ? PyUnicode_AsUTF8AndSize(*holder, NULL) : NULL;

	host_drop();
	return name ? name : "";
}

/* The number at INDEX of THREAD's (process, LWP, thread). */
static int64_t number_of(PyObject *thread, Py_ssize_t index)
{
	AUTO_PY PyObject *ids = PyObject_GetAttrString(thread, "ptid");
	PyObject *number = ids ? PyTuple_GetItem(ids, index) : NULL;
	int64_t result = number ? PyLong_AsLongLong(number) : 0;

	host_drop();
	return result;
}

/* The id of THREAD on the target. */
static int64_t id_of(PyObject *thread)
{
	int64_t id = 0;

	for (Py_ssize_t i = 1; i <= 3 && !id; i++)
		id = number_of(thread, i % 3);
	return id;
}

static bool is_running(PyObject *thread)
{
	AUTO_PY PyObject *running = PyObject_CallMethod(thread, "is_running", NULL);
	bool result = running && PyObject_IsTrue(running) == 1;

	host_drop(); /* it may have ended */
	return result;
}

static void report_thread(PyObject *thread,
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	AUTO_PY PyObject *name = NULL;
	const struct host_thread answer = {
		.process = number_of(thread, 0),
		.id = id_of(thread),
		.name = name_of(thread, &name),
		.is_running = is_running(thread),
	};

	visit(context, &answer);
}

static bool select_thread(PyObject *thread)
{
	AUTO_PY PyObject *done = PyObject_CallMethod(thread, "switch", NULL);

	return done != NULL;
}

static bool visit_thread(PyObject *thread, PyObject *selected,
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	/* Selecting one anew would drop its frames. */
	if (selected && !select_thread(thread))
		return false;
	report_thread(thread, visit, context);
	return true;
}

struct prof_error *host_selected_thread(
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *selected = gdb ? PyObject_CallMethod(gdb, "selected_thread", NULL) : NULL;

	if (!selected)
		return host_error();
	if (selected != Py_None)
		report_thread(selected, visit, context);
	return NULL;
}

static void list_inferior(PyObject *inferior,
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	AUTO_PY PyObject *threads = PyObject_CallMethod(inferior, "threads", NULL);
	Py_ssize_t count = threads ? PyTuple_Size(threads) : 0;

	for (Py_ssize_t i = 0; i < count; i++)
		report_thread(PyTuple_GetItem(threads, i), visit, context);
	host_drop();
}

void host_list_threads(pid_t process,
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	AUTO_PY PyObject *inferior = host_inferior(process);

	if (inferior)
		list_inferior(inferior, visit, context);
}

bool host_stops_single(void)
{
	AUTO_FREE char *setting = NULL;
	struct prof_error *error = host_parameter("non-stop", &setting);
	bool nonstop = !error && !strcmp(setting, "True");

	host_forget(error);
	return nonstop;
}

bool host_is_nonstop(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (host_stops_single())
		return true;
	/* "Whether the target is always in non-stop mode is on." */
	host_forget(host_execute("maintenance show target-non-stop", &text));
	return strstr(prof_text_get(&text), "mode is on");
}

struct prof_error *host_each_thread(
	void (*visit)(void *context, const struct host_thread *thread), void *context)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *selected = gdb ? PyObject_CallMethod(gdb, "selected_thread", NULL) : NULL;
	AUTO_PY PyObject *inferior =
		selected ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;
	AUTO_PY PyObject *threads =
		inferior ? PyObject_CallMethod(inferior, "threads", NULL) : NULL;
	Py_ssize_t count = threads ? PyTuple_Size(threads) : 0;
	bool done = threads != NULL;

	for (Py_ssize_t i = 0; i < count && done; i++)
		done = visit_thread(
			PyTuple_GetItem(threads, i), count > 1 ? selected : NULL, visit, context);
	struct prof_error *error = done ? NULL : host_error();
	if (count > 1 && !select_thread(selected))
		host_drop();
	return error;
}

bool host_stands_still(pid_t process)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *frame = gdb && host_process() == process
		? PyObject_CallMethod(gdb, "newest_frame", NULL)
		: NULL;

	host_drop();
	return frame;
}

bool host_read(uint64_t address, void *bytes, size_t size)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *inferior =
		gdb ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;
	AUTO_PY PyObject *memory = inferior ? PyObject_CallMethod(inferior, "read_memory", "Kn",
						      (unsigned long long)address, (Py_ssize_t)size)
					    : NULL;
	AUTO_PY PyObject *copy = memory ? PyBytes_FromObject(memory) : NULL;
	const char *read = copy ? PyBytes_AsString(copy) : NULL;

	if (read)
		memcpy(bytes, read, size);
	host_drop();
	return read != NULL;
}

void host_architecture(struct prof_text *text)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *selected =
		gdb ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;
	AUTO_PY PyObject *arch =
		selected ? PyObject_CallMethod(selected, "architecture", NULL) : NULL;
	AUTO_PY PyObject *name = arch ? PyObject_CallMethod(arch, "name", NULL) : NULL;
	const char *known = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

	prof_text_print(text, "%s", known ? known : "");
	host_drop();
}

bool host_in_system_call(uint64_t pc)
{
	/* The instruction of a Linux system call. */
	static const struct {
		const char *architecture; /* the beginning of GDB's name for it */
		size_t size;
		char bytes[5];
	} calls[] = {
		{"i386:x86-64", 2, "\x0f\x05"},
		{"i386", 2, "\xcd\x80"},
		{"aarch64", 4, "\x01\x00\x00\xd4"},
		{"riscv", 4, "\x73\x00\x00\x00"},
		{"arm", 4, "\x00\x00\x00\xef"},
	};
	PROF_AUTO(prof_text_deinit) struct prof_text name = {0};
	char bytes[8];

	host_architecture(&name);
	for (size_t i = 0; i < PROF_COUNT(calls); i++) {
		const char *call = calls[i].bytes;
		size_t size = calls[i].size;
		if (strncmp(prof_text_get(&name), calls[i].architecture,
			    strlen(calls[i].architecture)) != 0)
			continue;
		/* Linux goes back to a call that it will restart. */
		return host_read(pc - size, bytes, 2 * size) &&
			(!memcmp(bytes, call, size) || !memcmp(bytes + size, call, size));
	}
	return false;
}

/* The build id of the load object FILE, or ""; *HOLDER keeps it alive. */
static const char *build_id_of(const char *file, PyObject **holder)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *object =
		gdb ? PyObject_CallMethod(gdb, "lookup_objfile", "s", file) : NULL;

	*holder = object ? PyObject_GetAttrString(object, "build_id") : NULL;
	const char *id =
		*holder && *holder != Py_None ? PyUnicode_AsUTF8AndSize(*holder, NULL) : NULL;
	host_drop(); /* it may be a file without symbols */
	return id ? id : "";
}

/* The name between the quotes of LINE, "Object file: `target:/lib/libc.so.6', file type ...". */
static bool parse_file(const char *line, size_t length, struct prof_text *file)
{
	const char *open = memchr(line, '`', length);
	const char *close = memchr(line, '\'', length);

	if (!open || !close || close < open || strncmp(line, " [", 2) == 0)
		return false;
	file->length = 0;
	prof_text_bytes(file, open + 1, (size_t)(close - open - 1));
	return true;
}

/* From LINE, " [13]  0x1040->0x11b1 at 0x00001040: .text ALLOC LOAD READONLY CODE HAS_CONTENTS". */
static bool parse_section(const char *line, size_t length, struct host_section *section)
{
	char copy[512];

	if (length >= sizeof copy)
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	return sscanf(copy, " [%*d] 0x%" SCNx64 "->0x%" SCNx64 " at 0x%" SCNx64, &section->low,
		       &section->high, &section->offset) == 3 &&
		strstr(copy, " LOAD ") && strstr(copy, " CODE");
}

struct prof_error *host_each_section(
	void (*visit)(void *context, const struct host_section *section), void *context)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(prof_text_deinit) struct prof_text file = {0};
	AUTO_PY PyObject *holder = NULL;
	struct host_section section = {.file = "", .build_id = ""};
	/* Does not use `info files`, which does not print where a section is in its file. */
	struct prof_error *error =
		host_execute("maintenance info sections -all-objects CODE", &text);

	if (error)
		return error;
	for (const char *line = prof_text_get(&text); *line;) {
		size_t length = strcspn(line, "\n");
		if (parse_file(line, length, &file)) {
			Py_XDECREF(holder);
			holder = NULL;
			section.build_id = build_id_of(prof_text_get(&file), &holder);
			section.file = prof_text_get(&file);
			/* What is on the target's machine may well exist on this one, too. */
			if (!strncmp(section.file, "target:", 7))
				section.file += 7;
		} else if (parse_section(line, length, &section)) {
			visit(context, &section);
		}
		line += length + (line[length] == '\n');
	}
	return prof_text_error(&file);
}

/* Reads the bytes at ADDRESS one by one: the page may end behind the text. */
static void read_text(PyObject *inferior, uint64_t address, char *buffer, size_t size)
{
	size_t length = 0;

	while (length + 1 < size) {
		AUTO_PY PyObject *memory = PyObject_CallMethod(
			inferior, "read_memory", "Ki", (unsigned long long)address + length, 1);
		AUTO_PY PyObject *bytes = memory ? PyBytes_FromObject(memory) : NULL;
		const char *byte = bytes ? PyBytes_AsString(bytes) : NULL;
		if (!byte || !*byte)
			break;
		buffer[length++] = *byte;
	}
	buffer[length] = '\0';
	host_drop();
}

void host_probe_text(int number, char *buffer, size_t size)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *name = PyUnicode_FromFormat("$_probe_arg%d", number);
	AUTO_PY PyObject *value =
		gdb && name ? PyObject_CallMethod(gdb, "parse_and_eval", "O", name) : NULL;
	AUTO_PY PyObject *address = value ? PyNumber_Long(value) : NULL;
	AUTO_PY PyObject *inferior =
		address ? PyObject_CallMethod(gdb, "selected_inferior", NULL) : NULL;

	*buffer = '\0';
	if (inferior)
		read_text(inferior, PyLong_AsUnsignedLongLongMask(address), buffer, size);
	host_drop();
}

bool host_is_native(const char *connection)
{
	return !*connection || !strcmp(connection, "native");
}
