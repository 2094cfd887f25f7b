#!/bin/sh
# proctor check, as a Job wants it:
# - Results go into the folder RESULTS, which is made if it is not there.
# - Exit code 1, something did not pass, becomes 0. It is a result and no failure of the pod, which
#   Kubernetes would repeat until it passes. Whether it is too much is for `proctor verify` to say.
# - This is process 1 of the container: it has to pass on that the pod is to end, and then to wait
#   until the check has cleaned up.
set -eu
mkdir -p "$RESULTS"
cd "$RESULTS"

trap 'kill -TERM "$!"' TERM
proctor check "$@" &
code=0
wait "$!" || code=$?
# 128 and the number of the signal: it has ended the waiting, and not the check.
if [ "$code" -eq 143 ]; then
  code=0
  wait "$!" || code=$?
fi
if [ "$code" -eq 1 ]; then exit 0; fi
exit "$code"
