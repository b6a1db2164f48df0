// Count the ways to place N queens on a board of N rows; objects are made for each, to be collected.
import java.util.HashSet;
import java.util.Set;

class Queens {
    static int n;

    static int place(int row, Set<Integer> columns, Set<Integer> down, Set<Integer> up) {
        if (row == n)
            return 1;
        int count = 0;
        for (int column = 0; column < n; column++) {
            if (columns.contains(column) || down.contains(row + column) || up.contains(row - column))
                continue;
            Set<Integer> c = new HashSet<>(columns), d = new HashSet<>(down), u = new HashSet<>(up);
            c.add(column);
            d.add(row + column);
            u.add(row - column);
            count += place(row + 1, c, d, u);
        }
        return count;
    }

    public static void main(String[] arguments) {
        n = Integer.parseInt(arguments[0]);
        System.out.println(place(0, new HashSet<>(), new HashSet<>(), new HashSet<>()));
    }
}
