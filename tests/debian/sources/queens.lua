-- Count the ways to place N queens on a board of N rows.
local n = tonumber(arg[1])
local function place(row, columns, down, up)
	if row == n then return 1 end
	local count = 0
	for column = 0, n - 1 do
		if not (columns[column] or down[row + column] or up[row - column]) then
			columns[column], down[row + column], up[row - column] = true, true, true
			count = count + place(row + 1, columns, down, up)
			columns[column], down[row + column], up[row - column] = nil, nil, nil
		end
	end
	return count
end
print(place(0, {}, {}, {}))
