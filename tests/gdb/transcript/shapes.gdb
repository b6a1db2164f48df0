# SPDX-License-Identifier: GPL-3.0-or-later
info breakpoints
set print object on
tbreak main
run >> OUTPUT
next
next
break shapes::Square::area
set $area = $bpnum
break weigh
tbreak 'weigh(double)'
condition $bpnum value > 10
info breakpoints
continue
print *this
print this->side
ptype this
whatis name
print name
info vtbl this
up
info locals
print sum
down
finish
print $
print $$1
condition $area this->side > 5
commands $area
silent
print side
up
print sum
end
continue
info symbol $pc
print value
print twice<int>(21)
print weigh(7)
print weigh(1.5)
finish
info breakpoints
continue
backtrace
info breakpoints
frame function main
info locals
print counts.size()
print ring
ptype ring
frame 0
info frame
delete
break shapes::Square::scale if factor < 0
tbreak Ring<int, 3>::push
info breakpoints
continue
print *this
display at
display/x item
info display
watch -location at
set $second = $bpnum
rwatch -location items[1]
info watchpoints
continue
continue
backtrace
delete $bpnum
delete $second
undisplay 1
undisplay 2
finish
next
tbreak twice<double>
continue
info symbol $pc
print value
finish
tbreak descend if level == 1
continue
backtrace
print descend
info args
next
next
print local
print local.area()
print all[1]->area()
up
print level
down
watch released
set $third = $bpnum
continue
print *this
print factor
catch throw
catch catch
catch rethrow
info breakpoints
continue
backtrace
next
info watchpoints
continue
backtrace 2
delete $third
finish
up
info locals
next
print error
print error.what()
until
next
continue
backtrace 2
continue
finish
continue
next
up
info locals
advance finished
print sum
next
info line
call released = 100
print released
call burn(3000)
return
next
continue
print $_exitcode
info breakpoints
print $bpnum
show values
show convenience
delete
start >> OUTPUT
tbreak 197
jump finished
print $_siginfo
print $_exitcode
delete
start >> OUTPUT
advance total
print all.size()
next
step
finish
!stepi
!x/i $pc
!nexti
!x/i $pc
!stepi 100
!x/i $pc
tbreak descend
continue
return 5
next
next
print caught
delete
start >> OUTPUT
tbreak descend
continue
~print descend(0, all)
~backtrace
~set unwind-on-terminating-exception off
~print descend(0, all)
~backtrace
info threads
kill
info program
