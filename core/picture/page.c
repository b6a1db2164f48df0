/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/page.h"

#include "base/compiler.h"
#include "picture/page_data.h"
#include "picture/page_pack.h"
#include "picture/xml.h"

#include <string.h>

static const char *const styles[] = {
#include "picture/flame.css.inc"
#include "picture/page.css.inc"
};

/* Each uses what those before it define. */
static const char *const scripts[] = {
#include "picture/flame.js.inc"
#include "picture/page_model.js.inc"
#include "picture/page_tree.js.inc"
#include "picture/page_table.js.inc"
#include "picture/page_flame.js.inc"
#include "picture/page_timeline.js.inc"
#include "picture/page_lists.js.inc"
#include "picture/page.js.inc"
};

/* A browser that obeys this asks nobody for anything. */
static const char policy[] =
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";

static void print_lines(const char *const *lines, size_t count, struct prof_text *text)
{
	for (size_t i = 0; i < count; i++)
		prof_text_print(text, "%s", lines[i]);
}

static void print_head(const struct prof_page *page, struct prof_text *text)
{
	prof_text_print(text,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n%s"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta name=\"generator\" content=\"gdbprof\">\n<title>",
		policy);
	prof_xml_name(page->title, text);
	prof_text_print(text, "</title>\n<style>\n");
	print_lines(styles, PROF_COUNT(styles), text);
	prof_text_print(text, "</style>\n</head>\n");
}

/* What is read where no script runs. */
static void print_summary(const struct prof_page *page, struct prof_text *text)
{
	prof_text_print(text, "<noscript><h1>");
	prof_xml_name(page->title, text);
	prof_text_print(text, "</h1>\n<p>The tables of this report need JavaScript.</p>\n<pre>");
	for (const char *at = page->summary; *at;) {
		size_t length = strcspn(at, "\n");
		AUTO_TEXT struct prof_text line = {0};
		prof_text_bytes(&line, at, length);
		prof_xml_name(prof_text_get(&line), text);
		prof_text_print(text, "\n");
		text->failed |= line.failed;
		at += length + (at[length] != '\0');
	}
	prof_text_print(text, "</pre></noscript>\n");
}

struct prof_error *prof_page_print(const struct prof_page *page, struct prof_text *text)
{
	AUTO_TEXT struct prof_text data = {.most = PROF_TEXT_SHOWN};
	struct prof_error *error = prof_page_data_print(page, &data);

	if (error)
		return error;
	print_head(page, text);
	prof_text_print(text, "<body>\n<div id=\"page\"></div>\n");
	print_summary(page, text);
	prof_text_print(text, "<script type=\"application/gzip\" id=\"data\">\n");
	error = prof_page_pack(prof_text_get(&data), data.length, text);
	prof_text_print(text, "</script>\n<script>\n");
	print_lines(scripts, PROF_COUNT(scripts), text);
	prof_text_print(text, "</script>\n</body>\n</html>\n");
	return error ? error : prof_text_error(text);
}
