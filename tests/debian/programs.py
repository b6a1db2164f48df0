# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs: what each is called here, the package that it comes in, and its command line.

The first word of a command line is looked for in the folders of Debian's programs.  A shell reads
the rest in a folder of the program's own, in which all inputs and sources are, and into which it
writes; its standard output is compared like any other file.
"""

import os
import shlex
from collections import namedtuple

Program = namedtuple("Program", "name package command")

GCC = "/usr/lib/gcc/*/*/"

PROGRAMS = [Program(*row) for row in (
    # Compressors.
    ("xz", "xz-utils", "xz -T2 --block-size=1MiB -2 -c words.txt"),
    ("gzip", "gzip", "gzip -n -7 -c words.txt"),
    ("bzip2", "bzip2", "bzip2 -c words.txt"),
    ("zstd", "zstd", "zstd -T2 -11 -q -c words.txt"),
    ("lz4", "lz4", "lz4 -10 -q -c words.txt"),
    ("brotli", "brotli", "brotli -q 8 -c words.txt"),
    ("lzip", "lzip", "lzip.lzip -2 -c words.txt"),
    ("plzip", "plzip", "plzip -n2 -2 -c words.txt"),
    ("pigz", "pigz", "pigz -n -p2 -9 -c words.txt"),
    ("pbzip2", "pbzip2", "pbzip2 -p2 -c words.txt"),
    ("7zr", "p7zip-full", "/usr/lib/p7zip/7zr a -bd -mx=3 -mmt=2 -mtm=off out.7z words.txt"),
    ("lrzip", "lrzip", "lrzip -Q -l -p 2 -o out.lrz words.txt"),
    ("zopfli", "zopfli", "zopfli -c --i1 words-small.txt"),
    # Interpreters.
    ("perl", "perl", "perl queens.pl 12"),
    ("python3", "python3", "python3 queens.py 12"),
    ("ruby", "ruby", "ruby queens.rb 12"),
    ("php", "php-cli", "php8.2 queens.php 13"),
    ("node", "nodejs", "node queens.js 13"),
    ("java", "default-jdk-headless", "java queens.java 11"),
    ("lua", "lua5.4", "lua5.4 queens.lua 12"),
    ("luajit", "luajit", "luajit queens.lua 13"),
    ("gawk", "gawk", "gawk -v n=12 -f queens.awk"),
    ("mawk", "mawk", "mawk -v n=12 -f queens.awk"),
    ("bc", "bc", "bc -q primes.bc"),
    ("dc", "dc", "dc power.dc"),
    ("tclsh", "tcl8.6", "tclsh8.6 queens.tcl 11"),
    ("guile", "guile-3.0", "guile --no-auto-compile queens.scm"),
    ("csi", "chicken-bin", "csi -q -s queens.scm"),
    ("swipl", "swi-prolog-nox", "swipl queens.prolog"),
    ("gforth", "gforth", "gforth fib.fs"),
    ("ocaml", "ocaml-nox", "ocamlrun /usr/bin/ocaml queens.ml"),
    ("sbcl", "sbcl", "sbcl --script queens.lisp"),
    ("erlang", "erlang-base", "escript queens.erl 13"),
    ("gp", "pari-gp", "gp -q -f primes.gp"),
    ("nickle", "nickle", "nickle queens.5c"),
    ("busybox", "busybox", "busybox awk -v n=11 -f queens.awk"),
    # Compilers.
    ("gcc", "gcc", GCC + "cc1 -quiet -O2 functions.c -o functions.out"),
    ("g++", "g++", GCC + "cc1plus -quiet -imultiarch x86_64-linux-gnu -D_GNU_SOURCE headers.cc -o headers.out"),
    ("tcc", "tcc", "tcc -run queens.c 15"),
    ("fpc", "fp-compiler", "ppcx64 -v0 -O2 functions.pas"),
    ("nasm", "nasm", "nasm -f bin -o jumps.bin jumps.asm"),
    ("as", "binutils", "as -o jumps.o jumps.s"),
    # Sound and pictures.
    ("sox", "sox", "sox -R -V1 sound.wav out.wav rate -v 96000 reverb tempo 1.1"),
    ("flac", "flac", "flac -s -8 -e -o out.flac sound.wav"),
    ("lame", "lame", "lame -S -q 2 sound.wav out.mp3"),
    ("opusenc", "opus-tools", "opusenc --quiet --serial 1 --framesize 5 sound.wav out.opus"),
    ("oggenc", "vorbis-tools", "oggenc -Q -s 1 -q 9 -o out.ogg sound.wav"),
    ("convert", "imagemagick", "convert-im6.q16 picture.ppm -blur 0x9 -resize 150% ppm:out.ppm"),
    ("cwebp", "webp", "cwebp -quiet -lossless -z 8 picture.ppm -o out.webp"),
    ("povray", "povray", "povray +Iscene.pov -D -A +W640 +H480 +WT2 +FB +Oout.bmp 2>/dev/null"),
    ("gnuplot", "gnuplot-nox", "gnuplot-nox plot.gnuplot"),
    ("gs", "ghostscript",
     "gs -q -dBATCH -dNOPAUSE -sDEVICE=ppmraw -r200 -sOutputFile=out.ppm page.ps"),
    # Databases and data.
    ("sqlite3", "sqlite3", "sqlite3 rows.db '.read rows.sql'"),
    ("jq", "jq",
     "jq -c 'group_by(.name) | map({n: .[0].name, s: (map(.size) | add)})' numbers.json"),
    ("xsltproc", "xsltproc", "xsltproc sheet.xsl tree.xml"),
    ("xmllint", "libxml2-utils", "xmllint --format forest.xml"),
    # Editors and text.
    ("vim", "vim", "vim.basic -u NONE -es -n -S edit.vim words-small.txt"),
    ("emacs", "emacs-nox", "emacs-nox -Q --batch -l edit.el"),
    ("ed", "ed", "ed -s words-small.txt <edit.ed"),
    ("sort", "coreutils", "sort --parallel=2 -V words.txt"),
    ("grep", "grep", "grep -E '([a-z]+[0-9]) .*\\1' words.txt"),
    ("groff", "groff-base", "troff -Tascii words.txt"),
    # Others.
    ("git", "git", "git -C list.git blame -s -M main -- list"),
    ("openssl", "openssl", "openssl enc -aes-256-cbc -pbkdf2 -iter 1400000 -S 0102030405060708 -k key -in tree.xml"),
    ("gpg", "gpg", "gpg --homedir . --no-keyring --print-mds" + " words.txt" * 12),
    ("argon2", "argon2", "argon2 saltsalt -id -t 8 -m 16 -p 2 -r <password.txt"),
    ("minisat", "minisat", "minisat -verb=0 formula.cnf out.sat"),
)]

# Those of which others do the work, with the same columns.
REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FAMILIES = [Program(*row) for row in (
    ("gcc-driver", "dash", "dash -c 'for i in 1 2 3 4 5; do gcc -O2 -c functions.c -o functions.o; done'"),
    ("make", "make", "make -j2 -s -C %s BUILD=$PWD/build all" % shlex.quote(os.path.realpath(REPOSITORY))),
    ("tar", "tar", "tar -cJf words.tar.xz words.txt"),
    ("pipeline", "dash", "dash -c 'cat words.txt words.txt | tr a-z A-Z | sed s/STACK/HEAP/ | sort -S 50M | uniq -c'"),
    ("apt-cache", "apt", "dash -c 'for i in 1 2 3; do apt-cache search profiler; done'"),
)]
