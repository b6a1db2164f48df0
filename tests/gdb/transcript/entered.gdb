# SPDX-License-Identifier: GPL-3.0-or-later
set print thread-events off
tbreak main
run >> OUTPUT
x/8i leaf
x/8i climb
x/16xb climb
break *climb
continue
info registers rip rsp eflags
backtrace
stepi
stepi
info registers rip rsp rax rcx rdx eflags
x/8i $pc
continue
stepi 5
delete
break *climb+1
continue
info registers rip rsp
backtrace
stepi 3
continue
finish
delete
tbreak *climb+4
continue
stepi
nexti 3
x/16xb climb
tbreak leaf
continue
stepi
stepi
stepi
up
info frame
down
tbreak leaf
continue
finish
tbreak leaf
continue
until *leaf+5
advance climb
advance *climb+1
step
next 3
step 5
tbreak climb if number == 7
continue
return 5
stepi
next
display/i $pc
tbreak climb
continue
stepi 12
nexti 4
undisplay 1
tbreak *climb
continue
set $steps = 0
while $steps < 60
stepi
info registers rip
set $steps = $steps + 1
end
watch accounts[0].leaf
continue
continue
delete
break leaf if number == 0
commands
silent
bt 3
end
continue
continue
disable
tbreak climb
continue
info line
disassemble leaf
find /b leaf, +8, 0xcc
delete
tbreak tell
continue
print accounts[0].climb > 100
finish
continue
print $_exitcode
x/8i leaf
