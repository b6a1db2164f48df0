/*
 * Many threads that are there at the same time and do nothing.
 *
 *	crowd THREADS
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *context)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return context;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	pthread_t *threads = calloc((size_t)count, sizeof *threads);

	if (!threads)
		return 1;
	pthread_mutex_lock(&gate);
	for (long i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, wait_at_gate, NULL))
			return 1;
	}
	pthread_mutex_unlock(&gate);
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
