#!/usr/bin/env escript
%% Count the ways to place N queens on a board of N rows.
-mode(compile).

main([N]) -> io:format("~p~n", [place(list_to_integer(N), 0, [])]).

place(N, N, _) -> 1;
place(N, Row, Columns) ->
	lists:sum([place(N, Row + 1, [Column | Columns])
		   || Column <- lists:seq(1, N), free(Columns, 1, Column)]).

free([], _, _) -> true;
free([Column | _], _, Column) -> false;
free([Other | _], Distance, Column) when abs(Other - Column) =:= Distance -> false;
free([_ | Rest], Distance, Column) -> free(Rest, Distance + 1, Column).
