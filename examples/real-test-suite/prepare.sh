#!/bin/sh
# Puts test suites of released packages into a directory, with all that they need but python3 itself.
#
# usage: prepare.sh DIRECTORY      needs python3 with venv and headers, and a C compiler
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3 # check.sh runs the suites with it
mkdir -p "$1"
cd "$1"

echo "source releases of tornado, pexpect and psutil, built here"
"$python" -m venv build
build/bin/pip install -q 'setuptools<80' wheel
build/bin/pip download -q --no-deps --no-build-isolation --no-binary :all: -d releases tornado==6.5 pexpect==4.9.0 psutil==7.0.0
build/bin/pip install -q --no-deps --no-build-isolation --target suite/site releases/*.tar.gz
echo "what they are run with"
build/bin/pip install -q --target suite/site pytest==8.3.5 ptyprocess==0.7.0

tar -C suite -xf releases/pexpect-4.9.0.tar.gz # its tests are beside its package, not in it
cp "$here/outcomes.py" "$here/check.sh" suite
echo "ready: $here/run.sh $PWD"
