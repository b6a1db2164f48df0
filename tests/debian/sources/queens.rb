# Count the ways to place N queens on a board of N rows.
def place(n, row, columns, down, up)
  return 1 if row == n
  (0...n).sum do |column|
    next 0 if columns[column] || down[row + column] || up[row - column + n]
    columns[column] = down[row + column] = up[row - column + n] = true
    count = place(n, row + 1, columns, down, up)
    columns[column] = down[row + column] = up[row - column + n] = false
    count
  end
end
puts place(ARGV[0].to_i, 0, [], [], [])
