# Count the ways to place N queens on a board of N rows.
set n [lindex $argv 0]
proc place {row columns down up} {
	global n
	if {$row == $n} { return 1 }
	set count 0
	for {set column 0} {$column < $n} {incr column} {
		set c [expr {1 << $column}]
		set d [expr {1 << ($row + $column)}]
		set u [expr {1 << ($row - $column + $n)}]
		if {$columns & $c || $down & $d || $up & $u} continue
		incr count [place [expr {$row + 1}] [expr {$columns | $c}] \
			[expr {$down | $d}] [expr {$up | $u}]]
	}
	return $count
}
puts [place 0 0 0 0]
