#!/bin/sh
# Runs the suites that prepare.sh made in several places, and compares what became of each test.
#
# usage: run.sh DIRECTORY [PLACE...]      places: outside, host, namespace, docker; all by default
#
#   ISOBOX   the command, `isobox` by default
#   IMAGE    an image of the same Debian as this machine, debian:12 by default
#   SUITES   which suites, all by default
#
# The machine's /usr is mounted into containers, with what its programs need of /etc, and is what `namespace` shows anyway;
# so are the names of /etc/hosts. So a difference is one of the places. Ends with 1 when there is one.
#
# Outcomes are kept: a place that is run later is compared with those that were run before.
set -u
isobox=${ISOBOX:-isobox}
image=${IMAGE:-debian:12}
suites=${SUITES:-tornado pexpect psutil}
cd "$1" || exit
shift
[ $# -gt 0 ] || set -- outside host namespace docker
hosts="-v /etc/hosts:/etc/hosts:ro"
machine="-v /usr:/usr:ro $hosts"
for path in /etc/alternatives /etc/manpath.config; do
    [ ! -e "$path" ] || machine="$machine -v $path:$path:ro"
done

# `in_place PLACE SUITE` leaves outcomes/PLACE/SUITE, and what pytest wrote beside it.
in_place() {
    log=$PWD/outcomes/$1/$2.log
    case $1 in
        outside)
            copy=$(mktemp -d) && cp -R suite "$copy" && mkdir "$copy/home"
            env -i PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME="$copy/home" \
                sh "$copy/suite/check.sh" "$2" </dev/null >"$log" 2>&1
            cp "$copy/suite/outcomes/$2" "outcomes/$1/$2"
            rm -rf "$copy"
            return
            ;;
        host) flags="--provider host" ;;
        namespace) flags="--provider namespace $hosts" ;;
        docker) flags="--provider docker --image $image $machine" ;;
        *) echo "there is no place $1" >&2 && return 2 ;;
    esac
    # shellcheck disable=SC2086  # several flags
    box=$("$isobox" create --ttl 2h $flags) || return
    "$isobox" cp -q suite "$box:." || return
    "$isobox" exec "$box" sh suite/check.sh "$2" </dev/null >"$log" 2>&1
    "$isobox" cp -q "$box:suite/outcomes/$2" "outcomes/$1/$2"
    "$isobox" rm -f "$box" >/dev/null
}

for place; do
    mkdir -p "outcomes/$place"
    for suite in $suites; do
        rm -f "outcomes/$place/$suite"
        in_place "$place" "$suite" || exit
        echo "$place $suite: $(tail -n 1 "outcomes/$place/$suite.log")"
    done
done

# One line for each test: its name, and its outcome in each place, or `-` where it did not get to an end.
for suite in $suites; do
    set --
    for place in outside host namespace docker; do
        [ ! -e "outcomes/$place/$suite.log" ] || set -- "$@" "$place"
    done
    for place; do sed "s|^|$place |" "outcomes/$place/$suite"; done |
        awk -v places="$*" '
            BEGIN { count = split(places, place, " ") }
            { outcome[$3, $1] = $2; names[$3] }
            END {
                for (name in names) {
                    line = ""; same = "same"
                    for (i = 1; i <= count; i++) {
                        one = ((name, place[i]) in outcome) ? outcome[name, place[i]] : "-"
                        line = line "\t" one
                        if (one != outcome[name, place[1]]) same = "DIFFERS"
                    }
                    print same "\t" name line
                }
            }' | sort >"outcomes/$suite.tsv"
    echo "$suite ($*): $(wc -l <"outcomes/$suite.tsv") tests, $(grep -c ^DIFFERS "outcomes/$suite.tsv") with different outcomes"
    grep ^DIFFERS "outcomes/$suite.tsv"
done
for suite in $suites; do ! grep -q ^DIFFERS "outcomes/$suite.tsv" || exit 1; done
