\\ Sum the primes that divide numbers of a range.
print(sum(n = 10^12, 10^12 + 150000, factor(n)[1, 1]))
quit
