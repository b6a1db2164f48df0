# Count the ways to place n queens on a board of n rows.
function place(row, column, count) {
	if (row == n)
		return 1
	for (column = 0; column < n; column++) {
		if (columns[column] || down[row + column] || up[row - column])
			continue
		columns[column] = down[row + column] = up[row - column] = 1
		count += place(row + 1)
		columns[column] = down[row + column] = up[row - column] = 0
	}
	return count + 0
}
BEGIN { print place(0) }
