#!/bin/sh
# Runs one suite in the directory that this is in, and writes what became of each test into outcomes/SUITE.
#
# usage: check.sh tornado|pexpect|psutil
cd "$(dirname "$0")" || exit
root=$PWD
mkdir -p outcomes
export PYTHONPATH="$root/site:$root" PYTHONDONTWRITEBYTECODE=1 OUTCOMES="$root/outcomes/$1" TERM=dumb LANG=C.UTF-8
set -- "$1" -q -p outcomes -p no:cacheprovider --tb=short --rootdir "$root"
case $1 in
    tornado) set -- "$@" -o 'python_files=*_test.py' site/tornado/test ;;
    pexpect) set -- "$@" tests && cd pexpect-4.9.0 || exit ;;
    psutil) set -- "$@" site/psutil/tests/test_process.py site/psutil/tests/test_posix.py site/psutil/tests/test_connections.py ;;
    *) echo "there is no suite $1" >&2 && exit 2 ;;
esac
shift
exec /usr/bin/python3 -m pytest "$@"
