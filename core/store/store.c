/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"
#include "store/blocks.h"
#include "store/private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static void store_auto(struct prof_store **store)
{
	prof_store_close(*store);
}
#define AUTO_STORE PROF_AUTO(store_auto)

/*
 * SQLite would take a file of that name for its own.  An empty one was left by a writer that was
 * killed.
 */
static struct prof_error *check_no_journal(const char *file, const char *name)
{
	AUTO_FREE char *journal = NULL;
	struct stat status;

	if (asprintf(&journal, "%s-journal", file) < 0)
		return prof_error_nomem();
	if (lstat(journal, &status) == 0 &&
		(!S_ISREG(status.st_mode) || status.st_size || unlink(journal)))
		return prof_error_create(PROF_ERROR_STATE,
			"The file \"%s\" cannot be created: \"%s\" is in the way.  Move that away, or name another file.",
			name, journal);
	return NULL;
}

static struct prof_error *create_file(const char *file, const char *name)
{
	AUTO_CLOSE int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno == EEXIST)
		return prof_error_create(PROF_ERROR_STATE,
			"The file \"%s\" exists already: delete it, or name another.", name);
	if (fd < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"The file \"%s\" cannot be created: %s.", name, strerror(errno));
	return NULL;
}

static struct prof_error *prepare_insert(struct prof_store *store, enum prof_schema_table table)
{
	AUTO_TEXT struct prof_text sql = {0};

	prof_schema_print_insert(&prof_schema[table], &sql);
	struct prof_error *error = prof_text_error(&sql);
	if (!error &&
		sqlite3_prepare_v3(store->database, prof_text_get(&sql), -1,
			SQLITE_PREPARE_PERSISTENT, &store->insert[table], NULL))
		error = prof_database_error(store->database, store->name, "written");
	return error;
}

struct prof_error *prof_store_tables(struct prof_store *store, int before, int version)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < PROF_TABLES && !error; i++) {
		const struct prof_schema *schema = &prof_schema[i];
		if (schema->version <= before || schema->version > version)
			continue;
		AUTO_TEXT struct prof_text sql = {0};
		prof_schema_print(schema, prof_database_is_strict(), &sql);
		error = prof_text_error(&sql);
		if (!error && sqlite3_exec(store->database, prof_text_get(&sql), NULL, NULL, NULL))
			error = prof_database_error(store->database, store->name, "written");
		/* If a transaction was undone, the statement exists already. */
		if (!error && !store->insert[i])
			error = prepare_insert(store, (enum prof_schema_table)i);
	}
	return error;
}

static struct prof_error *create_tables(struct prof_store *store)
{
	sqlite3 *database = store->database;
	char pragmas[128];

	/*
	 * Without fsync() a loss of power can damage the file, but it ends the recording anyway.
	 * When the host is killed, the kernel has all that was written, and the journal undoes what
	 * was left unfinished.
	 */
	int code = sqlite3_exec(database, "PRAGMA synchronous=OFF; BEGIN", NULL, NULL, NULL);
	snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%d",
		PROF_SCHEMA_APPLICATION, PROF_SCHEMA_OLDEST);
	if (!code)
		code = sqlite3_exec(database, pragmas, NULL, NULL, NULL);
	struct prof_error *error = code ? NULL : prof_store_tables(store, 0, PROF_SCHEMA_OLDEST);
	if (error)
		return error;
	if (code || sqlite3_exec(database, "COMMIT", NULL, NULL, NULL))
		return prof_database_error(database, store->name, "written");
	return NULL;
}

static struct prof_error *fill_file(struct prof_store *store)
{
	struct prof_error *error = prof_database_open(store->file, store->name, &store->database);

	if (error)
		return error;
	error = create_tables(store);
	/*
	 * From now on the caller must not wait: while another process reads, a write is left to the
	 * next turn.
	 */
	sqlite3_busy_timeout(store->database, 0);
	return error;
}

static struct prof_error *create(const char *file, const char *name, struct prof_store **ret)
{
	AUTO_FILE_GUARD struct prof_file_guard guard = prof_file_guard();
	AUTO_STORE struct prof_store *store = calloc(1, sizeof *store);

	if (!store)
		return prof_error_nomem();
	store->file = strdup(file);
	store->name = strdup(name);
	if (!store->file || !store->name)
		return prof_error_nomem();
	store->version = PROF_SCHEMA_OLDEST;
	/* The path 0 of the empty experiment, which has no row. */
	store->done.entries[PROF_TABLE_PATH] = store->done.rows[PROF_TABLE_PATH] = 1;

	struct prof_error *error = check_no_journal(file, name);
	if (!error)
		error = create_file(file, name);
	if (error)
		return error;
	error = fill_file(store);
	if (error) {
		unlink(file);
		return error;
	}
	*ret = steal(&store);
	return NULL;
}

struct prof_error *prof_store_create(const char *path, struct prof_store **ret)
{
	return create(path, path, ret);
}

void prof_store_close(struct prof_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < PROF_TABLES; i++)
		sqlite3_finalize(store->insert[i]);
	sqlite3_close(store->database);
	free(store->ranges.items);
	free(store->file);
	free(store->name);
	free(store);
}

/* Has packed rows of what was traced beside the file, which has them in another form. */
static void file_traced_rows(const struct prof_store *store, struct prof_experiment *experiment)
{
	const char *slash = strrchr(store->file, '/');
	size_t length = slash && slash > store->file ? (size_t)(slash - store->file) : 1;

	if (experiment->traced.filed || !experiment->traced.count)
		return;
	AUTO_FREE char *folder = slash ? strndup(store->file, length) : strdup(".");
	if (folder)
		prof_traced_rows_file(&experiment->traced, folder);
}

void prof_store_release(const struct prof_store *store, struct prof_experiment *experiment)
{
	struct prof_samples *samples = &experiment->samples;
	size_t written = store->done.entries[PROF_TABLE_SAMPLE_BLOCK];
	sqlite3 *database;

	file_traced_rows(store, experiment);
	if (written == samples->released)
		return;
	if (!samples->source.read) {
		AUTO_ERROR struct prof_error *error =
			prof_database_open(store->file, store->name, &database);
		if (!error)
			error = prof_store_blocks_attach(samples, database, store->name);
		if (error)
			return;
	}
	prof_samples_release(samples, written);
}

uint64_t prof_store_size(const struct prof_store *store)
{
	struct stat status;

	return stat(store->file, &status) ? 0 : (uint64_t)status.st_size;
}

/*
 * Lets SQLite undo what a killed writer left, so that its journal does not apply to the new file.
 */
static struct prof_error *settle(const char *path)
{
	AUTO_DATABASE sqlite3 *database = NULL;
	struct prof_error *error = prof_database_open(path, path, &database);

	if (error)
		return error;
	if (sqlite3_exec(database, "BEGIN IMMEDIATE; ROLLBACK", NULL, NULL, NULL))
		return prof_database_error(database, path, "replaced");
	return NULL;
}

/* Does PATH not exist, or is it an experiment that may be replaced? */
static struct prof_error *check_replaceable(const char *path)
{
	struct stat status;

	if (stat(path, &status)) {
		if (errno == ENOENT)
			return check_no_journal(path, path);
		return prof_file_unwritable(path, errno);
	}
	AUTO_CLOSE int fd =
		S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	AUTO_ERROR struct prof_error *foreign = fd < 0 ? NULL : prof_database_check(fd, path);
	if (fd < 0 || foreign)
		return prof_error_create(PROF_ERROR_STATE,
			"The file \"%s\" exists and is not an experiment: gdbprof does not replace it.  Name another file.",
			path);
	struct prof_error *error = settle(path);
	return error ? error : check_no_journal(path, path);
}

static struct prof_error *sync_file(const char *file, const char *name)
{
	AUTO_CLOSE int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fsync(fd))
		return prof_file_unwritable(name, errno);
	return NULL;
}

/* Removes the new FILE, and the journal that SQLite leaves if undoing fails like writing. */
static void discard(const char *file)
{
	AUTO_FREE char *journal = NULL;

	unlink(file);
	if (asprintf(&journal, "%s-journal", file) >= 0)
		unlink(journal);
}

/* Writes EXPERIMENT to the new FILE, which will replace PATH. */
static struct prof_error *write_whole(const char *file, const char *path,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	struct prof_store *store;
	struct prof_error *error = create(file, path, &store);

	if (error)
		return error;
	error = prof_store_write(store, experiment, progress);
	if (!error && prof_store_pending(store, experiment))
		error = prof_error_create(PROF_ERROR_SYSTEM,
			"The file \"%s\" cannot be written: another process is using it.  Try again, or name another file.",
			path);
	prof_store_close(store);
	if (!error)
		error = sync_file(file, path);
	if (!error && rename(file, path))
		error = prof_error_create(PROF_ERROR_SYSTEM,
			"The file \"%s\" cannot be replaced: %s.", path, strerror(errno));
	if (error)
		discard(file);
	return error;
}

struct prof_error *prof_store_save(const char *path, const struct prof_experiment *experiment,
	const struct prof_progress *progress)
{
	AUTO_FREE char *file = NULL;
	uint64_t number;
	struct prof_error *error = check_replaceable(path);

	if (error)
		return error;
	/* Uses a name that nobody can guess, so that nobody can put another file there. */
	if (getrandom(&number, sizeof number, 0) != sizeof number)
		return prof_file_unwritable(path, errno);
	if (asprintf(&file, "%s.%016" PRIx64, path, number) < 0)
		return prof_error_nomem();
	return write_whole(file, path, experiment, progress);
}
