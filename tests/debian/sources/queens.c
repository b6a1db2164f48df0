/* Counts the ways to place n queens on a board of n rows. */
int printf(const char *format, ...);
int atoi(const char *text);

static int place(int rows, unsigned columns, unsigned down, unsigned up)
{
	unsigned all = (1u << rows) - 1;
	int count = 0;

	if (columns == all)
		return 1;
	for (unsigned rest = all & ~(columns | down | up); rest; rest &= rest - 1) {
		unsigned bit = rest & -rest;
		count += place(rows, columns | bit, (down | bit) << 1, (up | bit) >> 1);
	}
	return count;
}

int main(int argc, char **argv)
{
	printf("%d\n", argc > 1 ? place(atoi(argv[1]), 0, 0, 0) : 0);
	return 0;
}
