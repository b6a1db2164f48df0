# SPDX-License-Identifier: GPL-3.0-or-later
tbreak main
run >> OUTPUT
info registers rip rsp eflags
display/i $pc
!stepi
!stepi 3
!nexti 2
undisplay 1
tbreak inner
continue
!set $steps = 0
!while $steps < 40
!stepi
!set $steps = $steps + 1
!end
!stepi 5000
!nexti 300
info registers rip
step 30
next 3
finish
until 66
up 2
frame
info frame
thread
list factorial
frame
down
frame
print turn
skip function inner
info skip
advance outer
next
step
step
info locals
skip delete
tbreak outer
continue
next
return
next
print turn
print sum
set var sum = 1000
print sum
call outer(2)
print $
break burn if thousands == 2000
set $burn = $bpnum
call outer(3)
backtrace
finish
backtrace
info breakpoints
continue
print outer(1)
up
info locals
return
info breakpoints
backtrace
delete $burn
frame
dprintf factorial,"factorial of %d\n", n
hbreak count
thbreak take_signals
info breakpoints
continue
finish
delete
tbreak factorial if n == 1
continue
backtrace
up 3
print n
finish
set can-use-hw-watchpoints 0
tbreak 46 if turns == 1
continue
rwatch counter
watch counter
set $watch = $bpnum
watch counter if counter > 8
continue
backtrace
info watchpoints
!stepi 50
delete $watch
delete $bpnum
set can-use-hw-watchpoints 1
start >> OUTPUT
tbreak count
continue
rwatch counter
set $read = $bpnum
awatch counter
continue
continue
info watchpoints
delete $read
delete $bpnum
tbreak take_signals
continue
catch signal SIGUSR1
!catch signal SIGURG
!set $urgent = $bpnum
info breakpoints
info signals SIGUSR1
continue
print $_siginfo.si_signo
tbreak handle
continue
backtrace
finish
signal 0
print users
print $_siginfo.si_signo
tbreak handle
continue
next
next
print number
signal SIGUSR1
backtrace
continue
print $_siginfo.si_signo
signal 0
delete
tbreak make_child
run >> OUTPUT
print users
print urgents
queue-signal SIGUSR1
tbreak handle
next
backtrace
finish
next
next
print users
catch syscall write
catch syscall wait4
catch vfork
catch fork
info breakpoints
continue
continue
backtrace
continue
continue
backtrace 1
continue
info breakpoints
delete
catch exec
catch syscall
tbreak factorial
continue
continue
info breakpoints
delete
jump finished
print $_exitcode
start >> OUTPUT
tbreak factorial
jump 127
up
next
next
next 2
info symbol main
info line main
info scope inner
info source
info sharedlibrary
info inferiors
info threads
info program
!info signals
kill
run >> OUTPUT
print $_exitcode
show values
show convenience
show
