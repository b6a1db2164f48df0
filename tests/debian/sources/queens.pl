# Count the ways to place N queens on a board of N rows.
my $n = shift;
my (@columns, @down, @up);
sub place {
	my $row = shift;
	return 1 if $row == $n;
	my $count = 0;
	for my $column (0 .. $n - 1) {
		next if $columns[$column] || $down[$row + $column] || $up[$row - $column + $n];
		$columns[$column] = $down[$row + $column] = $up[$row - $column + $n] = 1;
		$count += place($row + 1);
		$columns[$column] = $down[$row + $column] = $up[$row - $column + $n] = 0;
	}
	return $count;
}
print place(0), "\n";
