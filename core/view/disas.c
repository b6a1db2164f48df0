/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Annotated disassembly of functions. */
#include "view/print.h"

#include "model/contents.h"
#include "model/experiment.h"
#include "view/code.h"
#include "view/listing.h"
#include "view/wanted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS, OFFSET, FILE_, LINE, TEXT, WIDTH };

static const struct prof_listing_column columns[WIDTH] = {
	[ADDRESS] = {"address", {{NULL, NULL, "Address"}, false}, false},
	[OFFSET] = {"offset", {{NULL, NULL, "Offset"}, true}, false},
	[FILE_] = {"file", {{NULL, NULL, NULL}, false}, true},
	[LINE] = {"line", {{NULL, NULL, "Line"}, true}, false},
	[TEXT] = {"instruction", {{NULL, NULL, "Instruction"}, false}, false},
};

/* An address that has metrics. */
struct place {
	uint32_t frame;
	bool listed;
};

/* A source file, and which of its lines were printed. */
struct file {
	const char *name; /* borrowed from an instruction */
	struct prof_code_source source;
	bool *shown;
};

struct disas {
	const struct prof_sheet *sheet;
	struct prof_code *code;
	struct prof_wanted wanted;
	struct prof_listing listing;
	PROF_ARRAY(struct place) places;           /* by module and address */
	PROF_ARRAY(struct prof_code_block) blocks; /* these own the names that the listing shows */
	PROF_ARRAY(struct file) files;
	bool text;   /* print the source between the instructions */
	bool screen; /* addresses have no zeros before them */
};

static void disas_deinit(struct disas *disas)
{
	for (size_t i = 0; i < disas->files.count; i++) {
		prof_code_source_deinit(&disas->files.items[i].source);
		free(disas->files.items[i].shown);
	}
	for (size_t i = 0; i < disas->blocks.count; i++)
		prof_code_block_deinit(&disas->blocks.items[i]);
	free(disas->files.items);
	free(disas->blocks.items);
	free(disas->places.items);
	prof_wanted_deinit(&disas->wanted);
	prof_listing_deinit(&disas->listing);
}

static const struct prof_frame *frame_at(const struct disas *disas, uint32_t frame)
{
	static const struct prof_frame none;
	const struct prof_experiment *experiment = disas->sheet->experiment;

	return frame < experiment->frames.count ? &experiment->frames.items[frame] : &none;
}

/* The function whose code FRAME is, not one that is only inlined there. */
static uint32_t outermost(const struct disas *disas, uint32_t frame)
{
	const struct prof_experiment *experiment = disas->sheet->experiment;
	const struct prof_frame *at = frame_at(disas, frame);

	return at->locations
		? experiment->locations.items[at->first_location + at->locations - 1].function
		: prof_experiment_unknown(experiment);
}

/* The function to whose inclusive metric FRAME contributes if that is shown, or PROF_NONE. */
static uint32_t function_of(const struct disas *disas, uint32_t frame)
{
	const struct prof_experiment *experiment = disas->sheet->experiment;
	const struct prof_frame *at = frame_at(disas, frame);
	uint32_t unknown = prof_experiment_unknown(experiment);
	uint32_t first = disas->sheet->items.inlined || !at->locations ? 0 : at->locations - 1;

	for (uint32_t i = first; i < at->locations; i++) {
		uint32_t function = experiment->locations.items[at->first_location + i].function;
		if (disas->wanted.functions[function])
			return function;
	}
	bool is_empty = frame == experiment->frames.count;
	return is_empty && disas->wanted.functions[unknown] ? unknown : PROF_NONE;
}

/* Gives the last row, of GROUPING, the metrics of FRAME. */
static void assign(struct disas *disas, struct prof_grouping *grouping, uint32_t frame)
{
	uint32_t row = prof_listing_last(&disas->listing);
	uint32_t function = prof_items_function(&disas->sheet->items, frame);

	grouping->within[frame] = row;
	/* Inlined code belongs to another function. */
	if (disas->wanted.functions[function])
		grouping->own[frame] = row;
}

static int compare_places(const void *left, const void *right, void *context)
{
	const struct prof_frame *a = frame_at(context, ((const struct place *)left)->frame);
	const struct prof_frame *b = frame_at(context, ((const struct place *)right)->frame);

	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static bool find_places(struct disas *disas)
{
	size_t count = prof_items_count(&disas->sheet->items);

	for (uint32_t i = 0; i < count; i++) {
		if (function_of(disas, i) == PROF_NONE)
			continue;
		struct place *place = prof_array_push(&disas->places);
		if (!place)
			return false;
		*place = (struct place){.frame = i};
	}
	if (disas->places.count)
		qsort_r(disas->places.items, disas->places.count, sizeof *disas->places.items,
			compare_places, disas);
	return true;
}

/* Adds the rows of the functions themselves. */
static bool add_functions(struct disas *disas)
{
	const struct prof_experiment *experiment = disas->sheet->experiment;
	size_t functions = prof_experiment_functions(experiment);

	for (uint32_t i = 0; i < functions; i++) {
		const char *name = prof_experiment_function_name(experiment, i);
		if (!disas->wanted.functions[i])
			continue;
		struct prof_listing_row *row = prof_listing_row(&disas->listing, PROF_LISTING_SUM);
		if (!row)
			return false;
		row->cells[TEXT] = prof_listing_cell(
			&disas->listing, name[0] == '<' ? "%s" : "<Function: %s>", name);
		for (size_t j = 0; j < disas->places.count; j++) {
			uint32_t frame = disas->places.items[j].frame;
			if (function_of(disas, frame) == i)
				assign(disas, &disas->listing.sums, frame);
		}
	}
	return true;
}

/* The source file NAME, read if it is new; errors go to *ERROR. */
static struct file *find_file(struct disas *disas, const char *name, struct prof_error **error)
{
	for (size_t i = 0; i < disas->files.count; i++) {
		if (!strcmp(disas->files.items[i].name, name))
			return &disas->files.items[i];
	}
	struct file *file = prof_array_push(&disas->files);
	if (!file) {
		*error = prof_error_nomem();
		return NULL;
	}
	*file = (struct file){.name = name};
	*error = disas->code->source(disas->code, disas->sheet->experiment, name, &file->source);
	if (*error)
		return NULL;
	file->shown = calloc(file->source.lines.count + 1, sizeof *file->shown);
	if (!file->shown)
		*error = prof_error_nomem();
	return file->shown ? file : NULL;
}

/* Adds the source line of INSTRUCTION, unless it was printed before. */
static struct prof_error *add_source(
	struct disas *disas, const struct prof_code_instruction *instruction)
{
	struct prof_error *error = NULL;
	uint32_t line = instruction->line;

	if (!instruction->file || !line || !disas->text)
		return NULL;
	struct file *file = find_file(disas, instruction->file, &error);
	if (!file || line > file->source.lines.count || file->shown[line])
		return error;
	file->shown[line] = true;
	const struct prof_code_line *at = &file->source.lines.items[line - 1];
	struct prof_listing_row *row = prof_listing_row(&disas->listing, PROF_LISTING_TEXT);
	if (!row)
		return prof_error_nomem();
	row->cells[LINE] = prof_cell_integer(line);
	row->cells[TEXT] = at->styled ? prof_cell_styled(at->styled) : prof_cell_line(at->text);
	return NULL;
}

static struct prof_cell address_cell(struct disas *disas, uint64_t address)
{
	return prof_listing_cell(&disas->listing, "0x%0*" PRIx64, disas->screen ? 1 : 16, address);
}

/* Adds INSTRUCTION, with the metrics of its addresses in MODULE. */
static struct prof_error *add_instruction(
	struct disas *disas, const struct prof_code_instruction *instruction, uint32_t module)
{
	struct prof_error *error = add_source(disas, instruction);
	struct prof_listing_row *row =
		error ? NULL : prof_listing_row(&disas->listing, PROF_LISTING_CODE);

	if (!row)
		return error ? error : prof_error_nomem();
	row->cells[ADDRESS] = address_cell(disas, instruction->low);
	row->cells[OFFSET] = prof_listing_cell(&disas->listing, "%c0x%" PRIx64,
		instruction->offset < 0 ? '-' : '+',
		instruction->offset < 0 ? -(uint64_t)instruction->offset
					: (uint64_t)instruction->offset);
	if (instruction->file)
		row->cells[FILE_] = prof_cell_name(instruction->file);
	if (instruction->line)
		row->cells[LINE] = prof_cell_integer(instruction->line);
	row->cells[TEXT] = prof_cell_name(instruction->text);
	for (size_t i = 0; i < disas->places.count; i++) {
		struct place *place = &disas->places.items[i];
		const struct prof_frame *frame = frame_at(disas, place->frame);
		if (place->listed || frame->module != module || frame->address < instruction->low ||
			frame->address >= instruction->high)
			continue;
		place->listed = true;
		assign(disas, &disas->listing.code, place->frame);
	}
	return NULL;
}

/* Prints the functions into which the following code, around FRAME, is inlined, if it is. */
static bool add_container(struct disas *disas, uint32_t frame)
{
	const struct prof_experiment *experiment = disas->sheet->experiment;
	uint32_t function = function_of(disas, frame);
	uint32_t container = outermost(disas, frame);

	if (function == container)
		return true;
	struct prof_listing_row *row = prof_listing_row(&disas->listing, PROF_LISTING_TEXT);
	if (row)
		row->cells[TEXT] =
			prof_listing_cell(&disas->listing, "<Function: %s, inlined in %s>",
				prof_experiment_function_name(experiment, function),
				prof_experiment_function_name(experiment, container));
	return row;
}

/* Is ADDRESS within one of BLOCK's instructions? */
static bool covers(const struct prof_code_block *block, uint64_t address)
{
	for (size_t i = 0; i < block->instructions.count; i++) {
		const struct prof_code_instruction *at = &block->instructions.items[i];
		if (address >= at->low && address < at->high)
			return true;
	}
	return false;
}

/* Adds the instructions of the function around PLACE; *KNOWN: they are known. */
static struct prof_error *add_block(struct disas *disas, const struct place *place, bool *known)
{
	struct prof_code_block *block = prof_array_push(&disas->blocks);

	if (!block)
		return prof_error_nomem();
	*block = (struct prof_code_block){0};
	uint32_t frame = place->frame;
	struct prof_error *error =
		disas->code->block(disas->code, disas->sheet->experiment, frame, block);
	*known = !error && covers(block, frame_at(disas, frame)->address);
	if (*known && !add_container(disas, frame))
		error = prof_error_nomem();
	for (size_t i = 0; *known && !error && i < block->instructions.count; i++)
		error = add_instruction(
			disas, &block->instructions.items[i], frame_at(disas, frame)->module);
	return error;
}

/* Adds PLACE by itself, because its instruction is unknown. */
static bool add_place(struct disas *disas, struct place *place)
{
	struct prof_listing_row *row = prof_listing_row(&disas->listing, PROF_LISTING_CODE);
	uint64_t address = frame_at(disas, place->frame)->address;

	if (!row)
		return false;
	place->listed = true;
	if (address)
		row->cells[ADDRESS] = address_cell(disas, address);
	row->cells[TEXT] = prof_cell_name(prof_items_name(&disas->sheet->items, place->frame));
	assign(disas, &disas->listing.code, place->frame);
	return true;
}

/* Adds all code with metrics, by address. */
static struct prof_error *add_code(struct disas *disas)
{
	uint32_t unknown = PROF_NONE; /* a function whose instructions are unknown */
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < disas->places.count; i++) {
		struct place *place = &disas->places.items[i];
		uint32_t function = outermost(disas, place->frame);
		if (place->listed)
			continue;
		bool known = false;
		if (disas->code && frame_at(disas, place->frame)->address && function != unknown)
			error = add_block(disas, place, &known);
		if (!known)
			unknown = function;
		if (!error && !place->listed && !add_place(disas, place))
			error = prof_error_nomem();
	}
	return error;
}

static struct prof_error *fill(struct disas *disas)
{
	struct prof_listing_row *row = prof_listing_row(&disas->listing, PROF_LISTING_TOTAL);

	if (!row)
		return prof_error_nomem();
	row->cells[TEXT] = prof_cell_name(PROF_SHEET_TOTAL);
	if (!find_places(disas) || !add_functions(disas))
		return prof_error_nomem();
	return add_code(disas);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(disas_deinit)
	struct disas disas = {
		.sheet = sheet,
		.code = choice->code,
		.text = choice->format == PROF_FORMAT_TEXT,
		.screen = choice->format == PROF_FORMAT_TEXT && choice->markup.screen,
	};

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = prof_listing_init(&disas.listing, sheet);
	if (!error)
		error = prof_wanted_find(&disas.wanted, sheet, choice->function);
	if (!error)
		error = fill(&disas);
	if (error)
		return error;
	return prof_listing_print(&disas.listing, "disas", columns, WIDTH, choice, text);
}

const struct prof_view prof_view_disas = {
	.name = "disas",
	.usage = "[FUNCTION]",
	.describe =
		"Show instructions with their exclusive and inclusive metrics.\n"
		"FUNCTION is a function of the experiment; the default is the one with the largest exclusive metric, or with \"set prof annotate on\" that of the selected frame.  "
		"An instruction is marked with ## if it has at least 75 percent of the largest value of a metric.",
	.here = true,
	.options = &prof_listing_options,
	.print = print_view,
	.kind = PROF_KIND_PCS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
