{ Counts the ways to place n queens on a board of n rows. }
program queens;

function place(rows: integer; columns, down, up: cardinal): integer;
var
	rest, bit, all: cardinal;
begin
	all := (1 shl rows) - 1;
	if columns = all then
		exit(1);
	place := 0;
	rest := all and not (columns or down or up);
	while rest <> 0 do begin
		bit := rest and (not rest + 1);
		place := place + place(rows, columns or bit, (down or bit) shl 1, (up or bit) shr 1);
		rest := rest and (rest - 1);
	end;
end;

begin
	writeln(place(8, 0, 0, 0));
end.
