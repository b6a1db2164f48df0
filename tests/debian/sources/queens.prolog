% Count the ways to place N queens on a board of N rows.
place(N, N, _, 1) :- !.
place(N, Row, Columns, Count) :-
	Next is Row + 1,
	findall(C, (between(1, N, Column), free(Columns, 1, Column),
		    place(N, Next, [Column | Columns], C)), Counts),
	sum_list(Counts, Count).

free([], _, _).
free([Other | Rest], Distance, Column) :-
	Other =\= Column,
	abs(Other - Column) =\= Distance,
	Further is Distance + 1,
	free(Rest, Further, Column).

:- initialization((place(11, 0, [], Count), write(Count), nl, halt)).
