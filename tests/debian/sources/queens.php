<?php
// Count the ways to place N queens on a board of N rows.
$n = (int)$argv[1];
$columns = $down = $up = array_fill(0, 4 * $n, false);
function place($row)
{
	global $n, $columns, $down, $up;
	if ($row == $n)
		return 1;
	$count = 0;
	for ($column = 0; $column < $n; $column++) {
		if ($columns[$column] || $down[$row + $column] || $up[$row - $column + $n])
			continue;
		$columns[$column] = $down[$row + $column] = $up[$row - $column + $n] = true;
		$count += place($row + 1);
		$columns[$column] = $down[$row + $column] = $up[$row - $column + $n] = false;
	}
	return $count;
}
echo place(0), "\n";
