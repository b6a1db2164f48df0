/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/schema.h"

#include "model/experiment.h"

#include <string.h>

/* What is read must be these very texts: any change needs a new PROF_SCHEMA_OLDEST. */
const struct prof_schema prof_schema[PROF_TABLES] = {
	[PROF_TABLE_INFO] = {"info", 3, 3,
		"CREATE TABLE info (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value ANY NOT NULL)"
		" STRICT",
		true},
	[PROF_TABLE_STRING] = {"string", 2, 3,
		"CREATE TABLE string (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT", false},
	[PROF_TABLE_MODULE] = {"module", 3, 3,
		"CREATE TABLE module (id INTEGER PRIMARY KEY, path INTEGER NOT NULL REFERENCES "
		"string,"
		" build_id INTEGER NOT NULL REFERENCES string) STRICT",
		false},
	[PROF_TABLE_RANGE] = {"module_range", 5, 3,
		"CREATE TABLE module_range (id INTEGER PRIMARY KEY,"
		" module INTEGER NOT NULL REFERENCES module, low INTEGER NOT NULL,"
		" high INTEGER NOT NULL, file_offset INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_THREAD] = {"thread", 3, 3,
		"CREATE TABLE thread (id INTEGER PRIMARY KEY, tid INTEGER NOT NULL,"
		" name INTEGER NOT NULL REFERENCES string) STRICT",
		true},
	[PROF_TABLE_FUNCTION] = {"function", 3, 3,
		"CREATE TABLE function (id INTEGER PRIMARY KEY,"
		" name INTEGER NOT NULL REFERENCES string,"
		" module INTEGER NOT NULL REFERENCES module) STRICT",
		false},
	[PROF_TABLE_FRAME] = {"frame", 3, 3,
		"CREATE TABLE frame (id INTEGER PRIMARY KEY,"
		" module INTEGER NOT NULL REFERENCES module, address INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_LOCATION] = {"location", 6, 3,
		"CREATE TABLE location (id INTEGER PRIMARY KEY,"
		" frame INTEGER NOT NULL REFERENCES frame,"
		" function INTEGER NOT NULL REFERENCES function,"
		" file INTEGER NOT NULL REFERENCES string, line INTEGER NOT NULL,"
		" function_offset INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_PATH] = {"path", 3, 3,
		"CREATE TABLE path (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL,"
		" frame INTEGER NOT NULL REFERENCES frame) STRICT",
		false},
	[PROF_TABLE_SAMPLE] = {"sample", 19, 3,
		"CREATE TABLE sample (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
		" thread INTEGER NOT NULL REFERENCES thread, path INTEGER NOT NULL,"
		" state INTEGER NOT NULL,"
		" samples INTEGER NOT NULL, samples_millionths INTEGER NOT NULL,"
		" user INTEGER NOT NULL, user_millionths INTEGER NOT NULL,"
		" system INTEGER NOT NULL, system_millionths INTEGER NOT NULL,"
		" runqueue INTEGER NOT NULL, runqueue_millionths INTEGER NOT NULL,"
		" lock INTEGER NOT NULL, lock_millionths INTEGER NOT NULL,"
		" fault INTEGER NOT NULL, fault_millionths INTEGER NOT NULL,"
		" other INTEGER NOT NULL, other_millionths INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_MARK] = {"mark", 18, 3,
		"CREATE TABLE mark (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
		" label INTEGER NOT NULL REFERENCES string, kind INTEGER NOT NULL,"
		" running INTEGER NOT NULL, user INTEGER NOT NULL, system INTEGER NOT NULL,"
		" minor_faults INTEGER NOT NULL, major_faults INTEGER NOT NULL,"
		" voluntary_switches INTEGER NOT NULL, involuntary_switches INTEGER NOT NULL,"
		" block_input INTEGER NOT NULL, block_output INTEGER NOT NULL,"
		" char_input INTEGER NOT NULL, char_output INTEGER NOT NULL,"
		" resident INTEGER NOT NULL, peak INTEGER NOT NULL,"
		" threads INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_COUNTED] = {"counted", 6, 5,
		"CREATE TABLE counted (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
		" callee INTEGER NOT NULL REFERENCES frame,"
		" caller INTEGER NOT NULL REFERENCES frame,"
		" calls INTEGER NOT NULL, kind INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_OBJECT] = {"object", 3, 6,
		"CREATE TABLE object (id INTEGER PRIMARY KEY, address INTEGER NOT NULL,"
		" name INTEGER NOT NULL REFERENCES string) STRICT",
		true},
	[PROF_TABLE_TRACED] = {"traced", 15, 6,
		"CREATE TABLE traced (id INTEGER PRIMARY KEY,"
		" sample INTEGER NOT NULL REFERENCES sample,"
		" object INTEGER REFERENCES object, holder INTEGER REFERENCES thread,"
		" longest INTEGER NOT NULL,"
		" allocations INTEGER NOT NULL, bytes INTEGER NOT NULL,"
		" leaks INTEGER NOT NULL, leaked INTEGER NOT NULL,"
		" peak INTEGER NOT NULL, temporary INTEGER NOT NULL,"
		" delays INTEGER NOT NULL, waited INTEGER NOT NULL,"
		" calls INTEGER NOT NULL, inside INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_ARGUMENT] = {"argument", 9, 6,
		"CREATE TABLE argument (id INTEGER PRIMARY KEY,"
		" traced INTEGER NOT NULL REFERENCES traced,"
		" name INTEGER NOT NULL REFERENCES string,"
		" sum INTEGER NOT NULL, sum_millionths INTEGER NOT NULL,"
		" least INTEGER NOT NULL, least_millionths INTEGER NOT NULL,"
		" most INTEGER NOT NULL, most_millionths INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_HELD] = {"held", 5, 6,
		"CREATE TABLE held (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
		" traced INTEGER NOT NULL REFERENCES traced,"
		" blocks INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_HEAP] = {"heap", 9, 6,
		"CREATE TABLE heap (id INTEGER PRIMARY KEY, process INTEGER NOT NULL,"
		" peak INTEGER NOT NULL, peak_time INTEGER NOT NULL,"
		" unmatched INTEGER NOT NULL, smallest INTEGER NOT NULL,"
		" largest INTEGER NOT NULL, leak_smallest INTEGER NOT NULL,"
		" leak_largest INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_HEAP_CLASS] = {"heap_class", 5, 6,
		"CREATE TABLE heap_class (id INTEGER PRIMARY KEY,"
		" heap INTEGER NOT NULL REFERENCES heap, class INTEGER NOT NULL,"
		" allocations INTEGER NOT NULL, leaks INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_OWNER] = {"owner", 3, 7,
		"CREATE TABLE owner (id INTEGER PRIMARY KEY,"
		" thread INTEGER NOT NULL REFERENCES thread, process INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_CPU] = {"cpu", 2, 7,
		"CREATE TABLE cpu (id INTEGER PRIMARY KEY, cpu INTEGER NOT NULL) STRICT", false},
	[PROF_TABLE_TEXT] = {"text_fault", 4, 7,
		"CREATE TABLE text_fault (id INTEGER PRIMARY KEY, now INTEGER NOT NULL,"
		" time INTEGER NOT NULL, time_millionths INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_TRACED_LAST] = {"traced_last", 2, 7,
		"CREATE TABLE traced_last (id INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_EVENT] = {"event", 2, 7,
		"CREATE TABLE event (id INTEGER PRIMARY KEY,"
		" name INTEGER NOT NULL REFERENCES string) STRICT",
		false},
	[PROF_TABLE_EVENT_SAMPLE] = {"event_sample", 3, 7,
		"CREATE TABLE event_sample (id INTEGER PRIMARY KEY,"
		" event INTEGER NOT NULL REFERENCES event, samples INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_SOURCE] = {"archived_source", 6, 7,
		"CREATE TABLE archived_source (id INTEGER PRIMARY KEY,"
		" file INTEGER NOT NULL REFERENCES string,"
		" path INTEGER NOT NULL REFERENCES string, newer INTEGER NOT NULL,"
		" size INTEGER NOT NULL, text BLOB NOT NULL) STRICT",
		false},
	[PROF_TABLE_EXTENT] = {"archived_extent", 5, 7,
		"CREATE TABLE archived_extent (id INTEGER PRIMARY KEY,"
		" function INTEGER NOT NULL REFERENCES function,"
		" file INTEGER NOT NULL REFERENCES string,"
		" first_line INTEGER NOT NULL, last_line INTEGER NOT NULL) STRICT",
		false},
	[PROF_TABLE_BLOCK] = {"archived_block", 4, 7,
		"CREATE TABLE archived_block (id INTEGER PRIMARY KEY,"
		" frame INTEGER NOT NULL REFERENCES frame,"
		" size INTEGER NOT NULL, text BLOB NOT NULL) STRICT",
		false},
	[PROF_TABLE_COUNTER] = {"counter", 6, 8,
		"CREATE TABLE counter (id INTEGER PRIMARY KEY, unit INTEGER NOT NULL,"
		" clock INTEGER NOT NULL, interval INTEGER NOT NULL,"
		" overflows INTEGER NOT NULL, lost INTEGER NOT NULL) STRICT",
		true},
	[PROF_TABLE_SAMPLE_BLOCK] = {"sample_block", 3, 9,
		"CREATE TABLE sample_block (id INTEGER PRIMARY KEY, samples INTEGER NOT NULL,"
		" packed BLOB NOT NULL) STRICT",
		true},
	[PROF_TABLE_DATA] = {"data", 6, 10,
		"CREATE TABLE data (id INTEGER PRIMARY KEY,"
		" sample INTEGER NOT NULL REFERENCES sample, trigger INTEGER NOT NULL,"
		" access INTEGER NOT NULL, skid INTEGER NOT NULL, address INTEGER) STRICT",
		false},
};

#define OFFSET(field) offsetof(struct prof_recording, field)

const struct prof_schema_info prof_schema_info[] = {
	{"program", PROF_SCHEMA_TEXT, OFFSET(program), 3},
	{"source", PROF_SCHEMA_TEXT, OFFSET(source), 3},
	{"engine", PROF_SCHEMA_TEXT, OFFSET(engine), 3},
	{"unwinder", PROF_SCHEMA_TEXT, OFFSET(unwinder), 3},
	{"clock", PROF_SCHEMA_TEXT, OFFSET(clock), 3},
	{"date", PROF_SCHEMA_TIME, OFFSET(date), 3},
	{"start", PROF_SCHEMA_TIME, OFFSET(start), 3},
	{"duration", PROF_SCHEMA_TIME, OFFSET(duration), 3},
	{"rate_asked", PROF_SCHEMA_RATE, OFFSET(rate_asked), 3},
	{"rate_lowest", PROF_SCHEMA_RATE, OFFSET(rate_lowest), 3},
	{"ticks", PROF_SCHEMA_NUMBER, OFFSET(ticks), 3},
	{"ticks_lost", PROF_SCHEMA_NUMBER, OFFSET(ticks_lost), 3},
	{"rounds", PROF_SCHEMA_NUMBER, OFFSET(rounds), 3},
	{"stopped", PROF_SCHEMA_TIME, OFFSET(stopped), 3},
	{"running", PROF_SCHEMA_TIME, OFFSET(running), 3},
	{"blocked", PROF_SCHEMA_TIME, OFFSET(blocked), 3},
	{"looking", PROF_SCHEMA_TIME, OFFSET(looking), 3},
	{"stride", PROF_SCHEMA_NUMBER, OFFSET(stride), 3},
	{"experiments", PROF_SCHEMA_NUMBER, OFFSET(experiments), 3},
	{"extra_ends", PROF_SCHEMA_NUMBER, OFFSET(extra_ends), 4},
	{"open_calls", PROF_SCHEMA_NUMBER, OFFSET(open_calls), 4},
	{"counting", PROF_SCHEMA_TIME, OFFSET(counting), 5},
	{"families", PROF_SCHEMA_NUMBER, OFFSET(families), 6},
	{"events", PROF_SCHEMA_NUMBER, OFFSET(events), 6},
	{"events_lost", PROF_SCHEMA_NUMBER, OFFSET(events_lost), 6},
	{"event_bytes", PROF_SCHEMA_NUMBER, OFFSET(event_bytes), 6},
	{"threshold", PROF_SCHEMA_TIME, OFFSET(threshold), 6},
	{"uncontended", PROF_SCHEMA_TIME, OFFSET(uncontended), 6},
	{"unread", PROF_SCHEMA_NUMBER, OFFSET(unread), 7},
	{"delayed", PROF_SCHEMA_TIME, OFFSET(delayed), 7},
	{"kept", PROF_SCHEMA_TIME, OFFSET(kept), 7},
	{"bursts", PROF_SCHEMA_TIME, OFFSET(bursts), 11},
};
const size_t prof_schema_infos = PROF_COUNT(prof_schema_info);

void prof_schema_print(const struct prof_schema *schema, bool strict, struct prof_text *sql)
{
	static const char suffix[] = " STRICT", any[] = " ANY ";
	const char *begin = schema->sql;
	const char *end = begin + strlen(begin) - (strict ? 0 : strlen(suffix));
	const char *of_any = strict ? NULL : strstr(begin, any);

	if (of_any) {
		prof_text_bytes(sql, begin, (size_t)(of_any - begin));
		prof_text_print(sql, " BLOB ");
		begin = of_any + strlen(any);
	}
	prof_text_bytes(sql, begin, (size_t)(end - begin));
}
