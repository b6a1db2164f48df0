/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The messages between the ranks of a parallel job, as a list or as a matrix. */
#include "view/print.h"

#include "base/file.h"
#include "metric/exchanges.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "picture/matrix.h"
#include "report/grid.h"
#include "report/number.h"
#include "view/message_waits.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct messages_choice {
	uint64_t limit; /* pairs of ranks; 0: all */
	bool matrix, waits;
};

enum { SENDER, RECEIVER, SENDS, SENT, RECEIVES, RECEIVED, WIDTH };

static const char *const columns[WIDTH] = {
	[SENDER] = "sender",
	[RECEIVER] = "receiver",
	[SENDS] = "mpi_sends",
	[SENT] = "mpi_sent",
	[RECEIVES] = "mpi_receives",
	[RECEIVED] = "mpi_received",
};

enum {
	RANK_TEXT = 24,
	MATRIX_MOST = 64, /* ranks: a wider matrix does not fit on a screen */
};

/* Prints RANK into BUFFER; "" if it is unknown. */
static const char *rank_text(int64_t rank, char buffer[RANK_TEXT])
{
	*buffer = '\0';
	if (rank >= 0)
		snprintf(buffer, RANK_TEXT, "%" PRId64, rank);
	return buffer;
}

static struct prof_error *print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_exchanges *exchanges, size_t count,
	struct prof_text *text)
{
	AUTO_TABLE struct prof_table table = {
		.key = "rows", .columns = columns, .width = WIDTH, .units = 1};

	for (size_t i = 0; i < count; i++) {
		const struct prof_exchange *exchange = &exchanges->list.items[i];
		struct prof_cell *row = prof_table_row(&table);
		if (!row)
			return prof_error_nomem();
		if (exchange->sender >= 0)
			row[SENDER] = prof_cell_integer(exchange->sender);
		if (exchange->receiver >= 0)
			row[RECEIVER] = prof_cell_integer(exchange->receiver);
		row[SENDS] = prof_cell_count(exchange->sends);
		row[SENT] = prof_cell_count(exchange->sent);
		row[RECEIVES] = prof_cell_count(exchange->receives);
		row[RECEIVED] = prof_cell_count(exchange->received);
	}
	return prof_print_table("messages", sheet, &table, choice->format, text);
}

static void add_count(struct prof_grid *grid, prof_value value)
{
	prof_grid_number(grid, value, 1, 0);
}

static void add_row(struct prof_grid *grid, const struct prof_exchange *exchange)
{
	add_count(grid, exchange->sends);
	add_count(grid, exchange->sent);
	add_count(grid, exchange->receives);
	add_count(grid, exchange->received);
}

/* "rank 3", or PROF_UNKNOWN. */
static void add_rank(struct prof_text *line, const char *before, int64_t rank)
{
	if (rank >= 0)
		prof_text_print(line, "%srank %" PRId64, before, rank);
	else
		prof_text_print(line, "%s%s", before, PROF_UNKNOWN);
}

static void print_list(const struct prof_exchanges *exchanges, size_t count, struct prof_text *text)
{
	static const struct prof_grid_column heads[] = {
		{{"MPI", "Sends", NULL}, true},
		{{"Bytes", "Sent", NULL}, true},
		{{"MPI", "Receives", NULL}, true},
		{{"Bytes", "Received", NULL}, true},
		{{NULL, "Messages", NULL}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};

	add_row(&grid, &exchanges->total);
	prof_grid_cell(&grid, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count; i++) {
		const struct prof_exchange *exchange = &exchanges->list.items[i];
		AUTO_TEXT struct prof_text line = {0};
		add_rank(&line, "from ", exchange->sender);
		add_rank(&line, " to ", exchange->receiver);
		add_row(&grid, exchange);
		prof_grid_cell(&grid, prof_text_get(&line));
	}
	prof_grid_print(&grid, text);
}

/* Fills in CELLS, RANKS by RANKS: the bytes from one to another. */
static void fill_matrix(const struct prof_exchanges *exchanges, prof_value *cells, size_t ranks)
{
	for (size_t i = 0; i < exchanges->list.count; i++) {
		const struct prof_exchange *exchange = &exchanges->list.items[i];
		if (exchange->sender >= 0 && exchange->receiver >= 0)
			cells[(size_t)exchange->sender * ranks + (size_t)exchange->receiver] =
				prof_exchange_bytes(exchange);
	}
}

/* A row for each sender, a column for each receiver; 0 bytes are left out. */
static struct prof_error *print_matrix(
	const struct prof_exchanges *exchanges, struct prof_text *text)
{
	struct prof_grid_column heads[MATRIX_MOST + 1];
	char names[MATRIX_MOST][RANK_TEXT];
	size_t ranks = (size_t)exchanges->ranks;

	if (exchanges->ranks > MATRIX_MOST)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"A matrix of %" PRId64
			" ranks is too wide: use prof-messages without --matrix, or --format=csv.",
			exchanges->ranks);
	AUTO_FREE prof_value *cells = calloc(ranks * ranks + 1, sizeof *cells);
	if (!cells)
		return prof_error_nomem();
	fill_matrix(exchanges, cells, ranks);
	for (size_t i = 0; i < ranks; i++)
		heads[i] = (struct prof_grid_column){
			{NULL, "to", rank_text((int64_t)i, names[i])}, true};
	heads[ranks] = (struct prof_grid_column){{NULL, NULL, "Bytes"}, false};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = ranks + 1};
	for (size_t i = 0; i < ranks; i++) {
		AUTO_TEXT struct prof_text line = {0};
		for (size_t j = 0; j < ranks; j++) {
			if (cells[i * ranks + j])
				add_count(&grid, cells[i * ranks + j]);
			else
				prof_grid_cell(&grid, "");
		}
		add_rank(&line, "from ", (int64_t)i);
		prof_grid_cell(&grid, prof_text_get(&line));
	}
	prof_grid_print(&grid, text);
	return prof_text_error(text);
}

#define NO_MESSAGES "No messages between ranks: prof-start --mpi records them.\n"

/* Adds what the picture of EXCHANGES cannot show. */
static void print_left_out(const struct prof_exchanges *exchanges, struct prof_text *text)
{
	prof_value bytes = 0, messages = 0;
	char number[2][PROF_NUMBER_TEXT];

	for (size_t i = 0; i < exchanges->list.count; i++) {
		const struct prof_exchange *exchange = &exchanges->list.items[i];
		if (exchange->sender >= 0 && exchange->receiver >= 0)
			continue;
		bytes += prof_exchange_bytes(exchange);
		messages += prof_exchange_messages(exchange);
	}
	if (messages)
		prof_text_print(text,
			"Left out: messages from or to unknown ranks: %s, bytes: %s.\n",
			prof_number_fixed(messages, 1, 0, number[0]),
			prof_number_fixed(bytes, 1, 0, number[1]));
}

/* Draws the matrix as SVG. */
static struct prof_error *print_picture(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_exchanges *exchanges,
	struct prof_text *text)
{
	const struct prof_recording *recording = &sheet->experiment->recording;
	const char *path = *recording->program ? recording->program : recording->source;
	AUTO_TEXT struct prof_text title = {0}, notes = {0};

	prof_text_print(&title, "%s%sBytes Sent", prof_file_base_name(path), *path ? ": " : "");
	prof_view_filter(sheet, &choice->filter, &notes);
	prof_view_heading(sheet->experiment, &notes);
	if (!exchanges->list.count)
		prof_text_print(&notes, NO_MESSAGES);
	print_left_out(exchanges, &notes);
	if (title.failed || notes.failed)
		return prof_error_nomem();
	const struct prof_matrix matrix = {
		.exchanges = exchanges,
		.title = prof_text_get(&title),
		.notes = prof_text_get(&notes),
	};
	return prof_matrix_print(&matrix, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct messages_choice *own = choice->own;
	AUTO_EXCHANGES struct prof_exchanges exchanges = {0};
	struct prof_error *error = NULL;

	if (own->waits && choice->format == PROF_FORMAT_PICTURE)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-messages draws the matrix, not waits: leave out --waits, or choose another --format.");
	error = prof_exchanges_init(&exchanges, sheet->experiment, sheet->selection);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_PICTURE)
		return print_picture(sheet, choice, &exchanges, text);
	bool is_text = choice->format == PROF_FORMAT_TEXT;
	bool any = own->waits ? sheet->experiment->operations.count : exchanges.list.count;
	if (own->waits && (any || !is_text))
		return prof_message_waits_print(sheet, choice, own->limit, text);
	size_t count = prof_rows_limited(own->limit, exchanges.list.count);
	if (!is_text)
		return print_data(sheet, choice, &exchanges, count, text);
	if (!any)
		prof_text_print(text, NO_MESSAGES);
	else if (own->matrix)
		return print_matrix(&exchanges, text);
	else
		print_list(&exchanges, count, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {
	{.name = "matrix",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct messages_choice, matrix),
		.describe =
			"Print a matrix of bytes, with a row for each sender and a column for each receiver.  "
			"As text it is for at most 64 ranks; --format=svg draws it for any number."},
	PROF_DRAWN_FORMAT_OPTION("the matrix"),
	{.name = "waits",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct messages_choice, waits),
		.describe =
			"List instead how long ranks waited for each other, and why: Late Sender, Late Receiver, and waits in collective operations.  It needs the files of all ranks, recorded from the beginning."},
	PROF_OUTPUT_OPTION, PROF_NAMES_OPTION, PROF_LIMIT_OPTION(struct messages_choice),
	PROF_FILTER_OPTIONS{.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct messages_choice);

const struct prof_view prof_view_messages = {
	.name = "messages",
	.describe =
		"List the messages that the ranks of an MPI job exchanged.\n"
		"The pair of ranks with the most bytes comes first.  Ranks are those in MPI_COMM_WORLD.  "
		"Load the files of all ranks to see what each of them sent and received.  "
		"Record with prof-start --mpi.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_COSTS,
};
