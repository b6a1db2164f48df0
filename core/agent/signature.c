/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/signature.h"

/* Passes arguments on: six registers for words, eight for floating point. */
enum { WORD_REGISTERS = 6, FLOAT_REGISTERS = 8, DEEPEST = 8 };

/* A signature while it is read. */
struct reader {
	struct prof_signature *signature;
	const char *at;
	unsigned depth;
};

static ffi_type *const letters[256] = {
	['v'] = &ffi_type_void,
	['b'] = &ffi_type_sint8,
	['B'] = &ffi_type_uint8,
	['h'] = &ffi_type_sint16,
	['H'] = &ffi_type_uint16,
	['i'] = &ffi_type_sint32,
	['I'] = &ffi_type_uint32,
	['l'] = &ffi_type_sint64,
	['L'] = &ffi_type_uint64,
	['p'] = &ffi_type_pointer,
	['f'] = &ffi_type_float,
	['d'] = &ffi_type_double,
	['D'] = &ffi_type_longdouble,
};

static ffi_type *read_type(struct reader *reader);

/*
 * Reads types up to the letter END into a list of their own; *COUNT is their number.  NULL: there
 * is an unknown one.
 */
static ffi_type **read_list(struct reader *reader, char end, unsigned *count)
{
	struct prof_signature *signature = reader->signature;
	ffi_type *read[PROF_SIGNATURE];

	for (*count = 0; *reader->at != end && *reader->at != '.'; (*count)++) {
		ffi_type *type = *count < PROF_SIGNATURE ? read_type(reader) : NULL;
		if (!type || type == &ffi_type_void)
			return NULL;
		read[*count] = type;
	}
	ffi_type **list = &signature->lists[signature->list_used];
	if (signature->list_used + *count + 1 > 2 * PROF_SIGNATURE)
		return NULL;
	signature->list_used += *count + 1;
	for (unsigned i = 0; i < *count; i++)
		list[i] = read[i];
	list[*count] = NULL;
	return list;
}

static ffi_type *read_struct(struct reader *reader)
{
	struct prof_signature *signature = reader->signature;
	unsigned count;

	if (reader->depth == DEEPEST || signature->structs_used == PROF_SIGNATURE / 2)
		return NULL;
	ffi_type *type = &signature->structs[signature->structs_used++];
	reader->depth++;
	ffi_type **members = read_list(reader, '}', &count);
	reader->depth--;
	if (!members || !count || *reader->at++ != '}')
		return NULL;
	*type = (ffi_type){.type = FFI_TYPE_STRUCT, .elements = members};
	return type;
}

static ffi_type *read_type(struct reader *reader)
{
	unsigned char letter = (unsigned char)*reader->at;

	/* Does not step over the NUL at the end. */
	if (!letter)
		return NULL;
	reader->at++;
	return letter == '{' ? read_struct(reader) : letters[letter];
}

/*
 * Adds the variable arguments, of unknown types: the registers that the COUNT named ones leave, and
 * words of the stack, in the order in which the machine passes them.
 */
static unsigned add_any(ffi_type **list, unsigned count)
{
	unsigned words = 0, floats = 0;

	for (unsigned i = 0; i < count; i++) {
		if (list[i]->type == FFI_TYPE_FLOAT || list[i]->type == FFI_TYPE_DOUBLE)
			floats++;
		else
			words++;
	}
	for (; words < WORD_REGISTERS; words++)
		list[count++] = &ffi_type_uint64;
	for (; floats < FLOAT_REGISTERS; floats++)
		list[count++] = &ffi_type_double;
	for (unsigned i = 0; i < PROF_CALL_WORDS; i++)
		list[count++] = &ffi_type_uint64;
	list[count] = NULL;
	return count;
}

/* Are the COUNT types of LIST one word each, all in registers, with no argument on the stack? */
static bool are_plain(ffi_type **list, unsigned count)
{
	unsigned words = 0, floats = 0;

	for (unsigned i = 0; i < count; i++) {
		if (list[i]->type == FFI_TYPE_STRUCT || list[i]->type == FFI_TYPE_LONGDOUBLE)
			return false;
		if (list[i]->type == FFI_TYPE_FLOAT || list[i]->type == FFI_TYPE_DOUBLE)
			floats++;
		else
			words++;
	}
	return words <= WORD_REGISTERS && floats <= FLOAT_REGISTERS;
}

bool prof_signature_read(struct prof_signature *signature, const char *text)
{
	struct reader reader = {signature, text, 0};

	signature->list_used = 0;
	signature->structs_used = 0;
	ffi_type *returned = read_type(&reader);
	if (!returned || *reader.at++ != '(')
		return false;
	ffi_type **list = read_list(&reader, ')', &signature->arguments);
	if (!list)
		return false;
	unsigned count = signature->arguments;
	if (*reader.at == '.') {
		/* A result in memory takes a register for its address. */
		if (!are_plain(list, count) || returned->type == FFI_TYPE_STRUCT)
			return false;
		count = add_any(list, count);
		reader.at++;
	}
	if (reader.at[0] != ')' || reader.at[1])
		return false;
	return ffi_prep_cif(&signature->cif, FFI_DEFAULT_ABI, count, returned, list) == FFI_OK;
}

uint64_t prof_signature_value(const ffi_type *type, const void *value, bool outcome)
{
	union {
		double number;
		uint64_t word;
	} wide;

	/* libffi widens small integers that are returned. */
	if (outcome && type->type != FFI_TYPE_FLOAT && type->type != FFI_TYPE_DOUBLE &&
		type->size <= sizeof(ffi_arg)) {
		type = type->type == FFI_TYPE_SINT8 || type->type == FFI_TYPE_SINT16 ||
				type->type == FFI_TYPE_SINT32
			? &ffi_type_sint64
			: &ffi_type_uint64;
	}
	switch (type->type) {
	case FFI_TYPE_SINT8:
		return (uint64_t) * (const int8_t *)value;
	case FFI_TYPE_UINT8:
		return *(const uint8_t *)value;
	case FFI_TYPE_SINT16:
		return (uint64_t) * (const int16_t *)value;
	case FFI_TYPE_UINT16:
		return *(const uint16_t *)value;
	case FFI_TYPE_SINT32:
		return (uint64_t) * (const int32_t *)value;
	case FFI_TYPE_UINT32:
		return *(const uint32_t *)value;
	case FFI_TYPE_FLOAT:
		wide.number = *(const float *)value;
		return wide.word;
	case FFI_TYPE_LONGDOUBLE:
		wide.number = (double)*(const long double *)value;
		return wide.word;
	case FFI_TYPE_DOUBLE:
	case FFI_TYPE_SINT64:
	case FFI_TYPE_UINT64:
	case FFI_TYPE_POINTER:
		return *(const uint64_t *)value;
	default:
		return 0;
	}
}
