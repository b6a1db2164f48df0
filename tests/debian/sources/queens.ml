(* Count the ways to place n queens on a board of n rows. *)
let rec free columns distance column =
  match columns with
  | [] -> true
  | other :: rest ->
    other <> column && abs (other - column) <> distance && free rest (distance + 1) column

let rec place n row columns =
  if row = n then 1
  else begin
    let count = ref 0 in
    for column = 1 to n do
      if free columns 1 column then count := !count + place n (row + 1) (column :: columns)
    done;
    !count
  end

let () = Printf.printf "%d\n" (place 12 0 [])
