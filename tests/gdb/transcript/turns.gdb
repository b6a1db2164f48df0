# SPDX-License-Identifier: GPL-3.0-or-later
set print thread-events off
break gathered
set $gathered = $bpnum
tbreak work if index == 3
run >> OUTPUT
next
info threads
finish
continue
tbreak work if index == 1
continue
info threads
up
info locals
finish
set scheduler-locking on
next
next
set scheduler-locking off
tbreak work thread 5
continue
info threads
print $_thread
thread name one
thread find one
thread apply 2-3 -q -- print rounds
thread 5
watch rounds[2]
continue
info breakpoints
delete $bpnum
call burn(5000)
print work(0, 7)
continue
print rounds
info threads
finish
next
delete $gathered
continue
print $_exitcode
info threads
