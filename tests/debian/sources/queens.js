// Count the ways to place N queens on a board of N rows.
"use strict";
const n = Number(process.argv[2]);
function place(row, columns, down, up) {
  if (row === n)
    return 1;
  let count = 0;
  for (let column = 0; column < n; column++) {
    if (columns.has(column) || down.has(row + column) || up.has(row - column))
      continue;
    columns.add(column); down.add(row + column); up.add(row - column);
    count += place(row + 1, columns, down, up);
    columns.delete(column); down.delete(row + column); up.delete(row - column);
  }
  return count;
}
console.log(place(0, new Set(), new Set(), new Set()));
