/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/live.h"

#include "base/memory.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/wake.h"
#include "report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* ns between two drawings. */
enum { PERIOD = 500000000 };

/* The line with the cursor: messages of GDB and of the program come there. */
enum { BELOW = 1 };

static struct {
	struct prof_error *(*draw)(struct prof_text *text); /* NULL: nothing is drawn */
	bool drawn;                                         /* once at least */
	bool stopped;                                       /* GDB shows its prompt itself */
	bool typed;                                         /* a key */
	bool interrupts; /* Ctrl-C was a signal before: it is a key now */
} live;

static size_t screen_rows(void)
{
	struct winsize size = {0};

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row <= BELOW
		? 24 - BELOW
		: (size_t)size.ws_row - BELOW;
}

/* Not GDB's pager, which would ask in the middle of it. */
static void put(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

/* Makes Ctrl-C a key, or a signal again if it was one. */
static void take_interrupts(bool take)
{
	struct termios terminal;

	if (tcgetattr(STDIN_FILENO, &terminal))
		return;
	if (take)
		live.interrupts = terminal.c_lflag & ISIG;
	if (!live.interrupts)
		return;
	terminal.c_lflag &= ~(tcflag_t)ISIG;
	if (!take)
		terminal.c_lflag |= ISIG;
	tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
}

/* A key before the prompt: GDB prints no other, since nothing has stopped. */
static void print_prompt(void)
{
	AUTO_FREE char *prompt = NULL;
	AUTO_TEXT struct prof_text text = {0};

	host_forget(host_parameter("prompt", &prompt));
	/* These characters stand around what readline does not count. */
	for (const char *at = prompt ? prompt : ""; *at; at++) {
		if (*at != '\001' && *at != '\002')
			prof_text_bytes(&text, at, 1);
	}
	put(prof_text_get(&text));
}

static const struct event_handler handlers[];

static void end(void)
{
	wake_typed(NULL);
	wake_every(PERIOD, NULL);
	events_disconnect(handlers);
	if (live.drawn)
		take_interrupts(false);
	if (live.drawn && !live.stopped)
		print_prompt();
	live.draw = NULL;
}

/* GDB prints below what was drawn last. */
static void on_stop(const struct event *event)
{
	(void)event;
	live.stopped = true;
	end();
}

static const struct event_handler handlers[] = {
	{"stop", on_stop, true},
	{"exited", on_stop, false},
	{NULL, NULL, false},
};

static void on_typed(void)
{
	live.typed = true;
	wake_soon();
}

/* Moves what the screen shows up, so that a terminal keeps it. */
static void clear(size_t rows)
{
	for (size_t i = 0; i < rows + BELOW; i++)
		fputc('\n', stdout);
	take_interrupts(true);
	live.drawn = true;
}

static void on_due(void)
{
	AUTO_TEXT struct prof_text lines = {0};
	AUTO_TEXT struct prof_text page = {0};
	size_t rows = screen_rows();

	if (live.typed || !live.draw) {
		end();
		return;
	}
	if (!live.drawn)
		clear(rows);
	struct prof_error *error = live.draw(&lines);
	/* Home; no line is wrapped. */
	prof_text_print(&page, "\033[H\033[?7l");
	prof_page_print(error ? prof_error_message(error) : prof_text_get(&lines), rows, &page);
	prof_text_print(&page, "\033[?7h");
	put(prof_text_get(&page));
	if (error)
		end();
	host_forget(error);
}

bool live_can(void)
{
	AUTO_TEXT struct prof_text said = {0};

	if (!isatty(STDIN_FILENO) || !host_obeys_escapes() || !host_any_runs())
		return false;
	/* The TUI draws the whole terminal itself: only then GDB has such a list. */
	struct prof_error *error = host_execute("info win", &said);
	bool drawn = !error && strncmp(prof_text_get(&said), "The TUI is not active", 21) != 0;
	host_forget(error);
	return !drawn;
}

struct prof_error *live_begin(struct prof_error *(*draw)(struct prof_text *text))
{
	struct prof_error *error = events_connect(handlers);

	if (error)
		return error;
	memset(&live, 0, sizeof live);
	live.draw = draw;
	if (!wake_every(PERIOD, on_due)) {
		end();
		return prof_error_create(PROF_ERROR_STATE, "This GDB does not wait by poll().");
	}
	wake_typed(on_typed);
	wake_soon();
	return NULL;
}
