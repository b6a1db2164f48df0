/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text in XML: names are not trusted, and must be text there and nothing else. */
#ifndef PROF_PICTURE_XML_H
#define PROF_PICTURE_XML_H

#include "base/text.h"

/*
 * Adds NAME as prof_text_name() shows it, its marks of XML escaped, for text and for attributes in
 * double quotes.  Characters that XML has not become \uNNNN.
 */
void prof_xml_name(const char *name, struct prof_text *text);

/*
 * The same, but where it takes more than COLUMNS columns its end is cut, and an ellipsis, the last
 * column, stands for it.  COLUMNS is at least 1.
 */
void prof_xml_name_cut(const char *name, size_t columns, struct prof_text *text);

#endif
