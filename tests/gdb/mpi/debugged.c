/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks that hand a token to each other five times, and compute before they do: a program to be
 * debugged.
 */
#include <mpi.h>

enum { ROUNDS = 5, UNITS = 20000000 };

struct token {
	int round;
	double sum;
};

static volatile unsigned long work;
static int rank;

static unsigned long compute(int units)
{
	unsigned long before = work;

	for (int i = 0; i < units; i++)
		work += (unsigned long)i;
	return work - before;
}

static void take(struct token *token)
{
	MPI_Recv(token, sizeof *token, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	token->sum += rank;
}

static void pass_on(const struct token *token)
{
	MPI_Send(token, sizeof *token, MPI_BYTE, 1 - rank, 3, MPI_COMM_WORLD);
}

static void hand_on(struct token *token)
{
	if (rank)
		take(token);
	compute(UNITS);
	token->round++;
	pass_on(token);
	if (!rank)
		take(token);
}

int main(int argc, char **argv)
{
	struct token token = {0, 0.5};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS; i++)
		hand_on(&token);
	MPI_Finalize();
	return token.round == 2 * ROUNDS ? 0 : 1;
}
