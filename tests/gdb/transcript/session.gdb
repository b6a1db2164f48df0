# SPDX-License-Identifier: GPL-3.0-or-later
info breakpoints
break outer
set $outer = $bpnum
tbreak main
run >> OUTPUT
print $bpnum
print $_exitcode
next
step
info breakpoints
continue
info locals
next
info locals
print before
step
backtrace
info args
print *point
up
info locals
print points
print $[1].name
print $$2
down
finish
print $
next
print found + 1
until
continue
next
advance inner
info symbol outer
x/2i $pc
print $_
x/s points[1].name
print $_
condition $outer turn >= 4
ignore $outer 1
continue
print turn
info breakpoints
commands $outer
silent
print turn
backtrace 1
continue
end
tbreak factorial if n == 2
continue
backtrace
display n
display/x n
info display
next
next
finish
undisplay 1
undisplay 2
print factorial(3)
call points[1].x
call burn(3000)
print outer(5)
print counter
delete $outer
continue
tbreak count
continue
set can-use-hw-watchpoints 1
watch counter
set $first = $bpnum
awatch points[0].x
info watchpoints
delete $bpnum
continue
continue
print counter
info watchpoints
finish
delete $first
tbreak count
continue
set can-use-hw-watchpoints 0
watch counter if counter > 8
info watchpoints
continue
info breakpoints
delete $bpnum
set can-use-hw-watchpoints 1
next
finish
tbreak take_signals
continue
handle SIGUSR1 stop print pass
handle SIGALRM nostop noprint pass
!handle SIGURG stop print pass
continue
print $_siginfo.si_signo
backtrace
handle SIGUSR1 nostop print pass
tbreak handle
continue
backtrace
finish
!continue
!print $_siginfo.si_signo
!step
!backtrace
tbreak make_child
continue
catch fork
catch exec
info breakpoints
continue
print users
print alarms
next
info inferiors
continue
info inferiors
tbreak factorial
continue
print $_exitcode
print n
!stepi
x/i $pc
!nexti
x/i $pc
info line
continue
print $_exitcode
info breakpoints
print $bpnum
show convenience
run >> OUTPUT
kill
start >> OUTPUT
next 3
step 4
show values 3
info program
