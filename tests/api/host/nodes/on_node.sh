#!/bin/sh
# on_node.sh [--keep-environment] NODE COMMAND...: runs a command on a node of nodes.py. Launchers take it for rsh, which
# takes next to no environment along, and no working directory.
keep=no
while :; do
  case $1 in
    --keep-environment) keep=yes ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
node=$1
shift
pid=
for each in $FOLDLANE_TEST_NODES; do
  [ "${each%=*}" = "$node" ] && pid=${each#*=}
done
to="--net --uts --ipc --mount --target ${pid:?no such node}"
# shellcheck disable=SC2086 # words
if [ "$keep" = yes ]; then
  exec nsenter $to --wdns="$PWD" "$@"
else
  exec env -i PATH="$PATH" TMPDIR="$TMPDIR" FOLDLANE_TEST_JOB="$FOLDLANE_TEST_JOB" nsenter $to sh -c "$*"
fi
