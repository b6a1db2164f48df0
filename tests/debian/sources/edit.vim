" Change many lines in many ways, and write the result.
for i in range(1, 8)
	silent %s/\<\(\w\+\) \(\w\+\)\>/\2 \1/g
	silent g/stack\d*7/normal! gUU
endfor
silent sort /\d\+/
write! edited.txt
quitall!
