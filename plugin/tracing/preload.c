/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/preload.h"

#include "base/file.h"
#include "base/text.h"
#include "plugin/gdb/host.h"

#include <stdlib.h>
#include <string.h>

/* There is one GDB, so one way in which it starts programs. */
static struct {
	bool armed;
	bool variable; /* there is no shell, and so no wrapper: the variable is in the environment
			*/
	char *before;  /* the user's value there; NULL: none */
	char *ours;    /* our value */
} preload;

static const char setting[] = "LD_PRELOAD=";

/* Executes the command "FIRST SECOND", or FIRST alone if SECOND is NULL. */
static struct prof_error *execute(const char *first, const char *second)
{
	AUTO_TEXT struct prof_text command = {0};
	AUTO_TEXT struct prof_text said = {0};

	prof_text_print(&command, "%s%s%s", first, second ? " " : "", second ? second : "");
	struct prof_error *error = prof_text_error(&command);
	return error ? error : host_execute(prof_text_get(&command), &said);
}

/* LD_PRELOAD of the program, NULL for none: GDB prints "LD_PRELOAD = VALUE". */
static struct prof_error *read_variable(char **ret)
{
	static const char before[] = "LD_PRELOAD = ";
	AUTO_TEXT struct prof_text said = {0};
	struct prof_error *error = host_execute("show environment LD_PRELOAD", &said);

	if (error)
		return error;
	const char *value = prof_text_get(&said);
	if (strncmp(value, before, sizeof before - 1) != 0) {
		*ret = NULL;
		return NULL;
	}
	value += sizeof before - 1;
	*ret = strndup(value, strcspn(value, "\n"));
	return *ret ? NULL : prof_error_nomem();
}

/* The linker splits LD_PRELOAD at blanks and colons, and a shell expands more than these. */
static struct prof_error *check_path(const char *agent)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,@%=";

	for (const char *c = agent; *c; c++) {
		if ((unsigned char)*c < 0x80 && !strchr(plain, *c))
			return prof_error_create(PROF_ERROR_UNSUPPORTED,
				"gdbprof cannot start a program with the agent, because the file name %s contains \"%c\": start tracing when the program runs.",
				agent, *c);
	}
	return NULL;
}

/* Adds "'AGENT:VALUE'" for a shell; only AGENT if VALUE is NULL. */
static void add_quoted(struct prof_text *text, const char *agent, const char *value)
{
	prof_text_print(text, "'%s%s", agent, value ? ":" : "");
	for (; value && *value; value++) {
		if (*value == '\'')
			prof_text_print(text, "'\\''");
		else
			prof_text_bytes(text, value, 1);
	}
	prof_text_print(text, "'");
}

/*
 * Writes the wrapper that does what the user's own, BEFORE, does, and preloads AGENT.
 *
 * GDB expects that a wrapper executes one program: `env' is that program if the user has no
 * wrapper. If the user has one, the shell itself sets the variable: GDB makes it execute "exec
 * WRAPPER PROGRAM", and an exec that only redirects goes on with the line.
 */
static void compose(
	struct prof_text *text, const char *before, const char *agent, const char *value)
{
	const char *theirs = before ? strstr(before, setting) : NULL;

	if (theirs) {
		theirs += sizeof setting - 1;
		prof_text_bytes(text, before, (size_t)(theirs - before));
		prof_text_print(text, "%s:%s", agent, theirs);
		return;
	}
	prof_text_print(text, "%s%s", before ? "2>&2; " : "env ", setting);
	add_quoted(text, agent, value);
	if (before)
		prof_text_print(text, " exec %s", before);
}

/* The user's wrapper, NULL for none. */
static struct prof_error *read_wrapper(char **ret)
{
	AUTO_FREE char *wrapper = NULL;
	struct prof_error *error = host_parameter("exec-wrapper", &wrapper);

	if (error)
		return error;
	*ret = *wrapper ? steal(&wrapper) : NULL;
	return NULL;
}

/* Some shells have another syntax, in which GDB's line cannot express this. */
static struct prof_error *check_shell(void)
{
	static const char *const known[] = {"sh", "bash", "dash", "ksh", "mksh", "zsh", "ash"};
	const char *shell = getenv("SHELL");
	const char *name = shell && *shell ? prof_file_base_name(shell) : "sh";

	for (size_t i = 0; i < PROF_COUNT(known); i++) {
		if (!strcmp(name, known[i]))
			return NULL;
	}
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"gdbprof cannot have the shell %s load the agent after an exec-wrapper: set SHELL to /bin/sh, or start tracing when the program runs.",
		shell);
}

static struct prof_error *arm_wrapper(const char *agent, const char *value)
{
	AUTO_TEXT struct prof_text wrapper = {0};
	struct prof_error *error = read_wrapper(&preload.before);

	if (!error && preload.before && !strstr(preload.before, setting))
		error = check_shell();
	if (error)
		return error;
	compose(&wrapper, preload.before, agent, value);
	error = prof_text_error(&wrapper);
	if (error)
		return error;
	preload.ours = strdup(prof_text_get(&wrapper));
	return preload.ours ? execute("set exec-wrapper", preload.ours) : prof_error_nomem();
}

/* Without a shell there is no wrapper either, but only the program gets the environment. */
static struct prof_error *arm_variable(const char *agent, char **value)
{
	AUTO_TEXT struct prof_text both = {0};

	prof_text_print(&both, "%s%s%s", agent, *value ? ":" : "", *value ? *value : "");
	struct prof_error *error = prof_text_error(&both);
	if (error)
		return error;
	preload.before = steal(value);
	preload.ours = strdup(prof_text_get(&both));
	return preload.ours ? execute("set environment LD_PRELOAD", preload.ours)
			    : prof_error_nomem();
}

static void forget(void)
{
	free(preload.before);
	free(preload.ours);
	memset(&preload, 0, sizeof preload);
}

/* Does GDB start programs through a shell? */
static struct prof_error *read_shell(bool *ret)
{
	AUTO_FREE char *shell = NULL;
	struct prof_error *error = host_parameter("startup-with-shell", &shell);

	*ret = !error && !strcmp(shell, "True");
	return error;
}

struct prof_error *preload_arm(const char *agent)
{
	AUTO_FREE char *value = NULL;
	bool shell = false;

	if (preload.armed)
		return NULL;
	struct prof_error *error = check_path(agent);
	if (!error)
		error = read_shell(&shell);
	if (!error)
		error = read_variable(&value);
	if (error)
		return error;
	preload.variable = !shell;
	error = preload.variable ? arm_variable(agent, &value) : arm_wrapper(agent, value);
	if (error)
		forget();
	else
		preload.armed = true;
	return error;
}

static void disarm_wrapper(void)
{
	AUTO_FREE char *now = NULL;
	struct prof_error *error = read_wrapper(&now);

	/* What the user has set since then is kept. */
	if (!error && now && !strcmp(now, preload.ours))
		error = execute(
			preload.before ? "set exec-wrapper" : "unset exec-wrapper", preload.before);
	host_forget(error);
}

static void disarm_variable(void)
{
	AUTO_FREE char *now = NULL;
	struct prof_error *error = read_variable(&now);

	if (!error && now && !strcmp(now, preload.ours))
		error = execute(preload.before ? "set environment LD_PRELOAD"
					       : "unset environment LD_PRELOAD",
			preload.before);
	host_forget(error);
}

void preload_disarm(void)
{
	if (!preload.armed)
		return;
	if (preload.variable)
		disarm_variable();
	else
		disarm_wrapper();
	forget();
}

bool preload_is_outdated(void)
{
	bool shell = false;
	struct prof_error *error = preload.armed ? read_shell(&shell) : NULL;
	bool outdated = preload.armed && !error && shell == preload.variable;

	host_forget(error);
	return outdated;
}

bool preload_is_armed(void)
{
	return preload.armed;
}
