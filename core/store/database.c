/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/database.h"

#include "base/file.h"
#include "store/schema.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The fields of SQLite's file header that say what the file is, big endian. */
enum {
	HEADER_WRITER = 18, /* 1: rollback journal; 2: WAL, which gdbprof never uses */
	HEADER_READER = 19,
	HEADER_ENCODING = 56, /* 1: UTF-8 */
	HEADER_VERSION = 60,
	HEADER_APPLICATION = 68,
	HEADER_SIZE = 100,
};

static const char magic[16] = "SQLite format 3";

/* The end of a journal that names another file, which SQLite then deletes. */
static const unsigned char super_magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

/* How long to wait for another process that is writing. */
enum { BUSY_MS = 2000 };

static uint32_t word(const char *header, size_t at)
{
	const unsigned char *bytes = (const unsigned char *)header + at;

	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
		bytes[3];
}

bool prof_store_probe(const char *bytes, size_t length)
{
	return length >= HEADER_SIZE && !memcmp(bytes, magic, sizeof magic) &&
		word(bytes, HEADER_APPLICATION) == PROF_SCHEMA_APPLICATION;
}

struct prof_error *prof_database_check(int fd, const char *name)
{
	char header[HEADER_SIZE];
	ssize_t length = pread(fd, header, sizeof header, 0);

	if (length < 0)
		return prof_file_unreadable(name);
	if (!prof_store_probe(header, (size_t)length))
		return prof_file_mistaken(name, "an experiment", "it does not begin as one");
	uint32_t version = word(header, HEADER_VERSION);
	if (version > 0 && (version < PROF_SCHEMA_OLDEST || version > PROF_SCHEMA_VERSION))
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The experiment \"%s\" has format %u, of %s gdbprof; this one reads formats %d to %d.  Use that gdbprof.",
			name, version, version > PROF_SCHEMA_VERSION ? "a newer" : "an older",
			PROF_SCHEMA_OLDEST, PROF_SCHEMA_VERSION);
	if (!version || header[HEADER_WRITER] != 1 || header[HEADER_READER] != 1 ||
		word(header, HEADER_ENCODING) != 1)
		return prof_file_damaged("experiment", name, "its header is wrong");
	return NULL;
}

bool prof_database_is_strict(void)
{
	return sqlite3_libversion_number() >= 3037000;
}

/* A stranger's journal could make SQLite delete any file of the user's. */
static struct prof_error *check_journal(const char *file, const char *name)
{
	AUTO_FREE char *journal = NULL;
	unsigned char end[sizeof super_magic];
	struct stat status;

	if (asprintf(&journal, "%s-journal", file) < 0)
		return prof_error_nomem();
	AUTO_CLOSE int fd = open(journal, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return NULL;
	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode))
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The experiment \"%s\" cannot be read without its journal, \"%s\".  Permit reading that.",
			name, journal);
	if (pread(fd, end, sizeof end, status.st_size - (off_t)sizeof end) == sizeof end &&
		!memcmp(end, super_magic, sizeof end))
		return prof_error_create(PROF_ERROR_DAMAGED,
			"The experiment \"%s\" cannot be read: \"%s\" is the journal of another file.  Move that away.",
			name, journal);
	return NULL;
}

static bool configure(sqlite3 *database)
{
	sqlite3_extended_result_codes(database, 1);
	sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 2 * PROF_TABLE_COLUMNS);
	sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 4096);
	sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 20);
	sqlite3_busy_timeout(database, BUSY_MS);
	return !sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) &&
		!sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) &&
		!sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) &&
		!sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) &&
		!sqlite3_exec(database, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", NULL, NULL,
			NULL);
}

struct prof_error *prof_database_open(const char *file, const char *name, sqlite3 **ret)
{
	AUTO_FREE char *full = NULL;
	AUTO_DATABASE sqlite3 *database = NULL;
	struct prof_error *error = check_journal(file, name);

	if (error)
		return error;
	/* Some names mean something else to SQLite (":memory:"). */
	if (asprintf(&full, "%s%s", file[0] == '/' ? "" : "./", file) < 0)
		return prof_error_nomem();
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
	if (sqlite3_open_v2(full, &database, flags, NULL) || !configure(database))
		return prof_database_error(database, name, "opened");
	*ret = database;
	database = NULL;
	return NULL;
}

static const char *reason(sqlite3 *database)
{
	int code = sqlite3_extended_errcode(database);
	int number = sqlite3_system_errno(database);

	/* SQLite often loses the code when it undoes what has failed; the file still has it. */
	if (!number)
		sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);

	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "another process is using it";
	case SQLITE_FULL:
		return "the disk is full";
	case SQLITE_READONLY:
		if (code == SQLITE_READONLY_DBMOVED)
			return "it was removed or renamed";
		return code == SQLITE_READONLY_ROLLBACK
			? "it was left in the middle of a write, which cannot be undone here"
			: "it is read-only";
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return number ? strerror(number) : sqlite3_errmsg(database);
	default:
		return sqlite3_errmsg(database);
	}
}

struct prof_error *prof_database_error(sqlite3 *database, const char *name, const char *action)
{
	int code = database ? sqlite3_errcode(database) : SQLITE_NOMEM;

	switch (code & 0xff) {
	case SQLITE_NOMEM:
		return prof_error_nomem();
	case SQLITE_INTERRUPT:
		return prof_error_interrupted();
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_FULL:
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return prof_error_create(PROF_ERROR_SYSTEM, "The file \"%s\" cannot be %s: %s.",
			name, action, reason(database));
	default:
		if (!prof_database_is_strict() && strstr(reason(database), "STRICT"))
			return prof_error_create(PROF_ERROR_UNSUPPORTED,
				"The experiment \"%s\" needs SQLite 3.37 or later; this is SQLite %s.",
				name, sqlite3_libversion());
		return prof_file_damaged("experiment", name, "%.200s", reason(database));
	}
}

void prof_database_auto(sqlite3 **database)
{
	sqlite3_close(*database);
}

void prof_database_statement_auto(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
