// SPDX-License-Identifier: Apache-2.0
// The script of every job: one text for all points, whose values are arguments.
//
//   job.sh FOLDER SUBMISSION BEAT PROGRAM [FLAG...]
//
// The point is the line of FOLDER/submissions/SUBMISSION/points that the number of the array's task
// names; its verb, request and key are files of its folder. The job leaves in
// FOLDER/points/POINT/SUBMISSION/ (job_folder.h):
//
//   started       number of the job and name of the node
//   alive         a number that changes every BEAT seconds while ridge runs
//   output, log   standard output and error of ridge
//   runs.db       its run database; made on the node's own disk, and there in full or not at all
//   status        exit status, the last of all
//
// A second start of the same job (a requeue) ends at once, as the folder is there. While
// FOLDER/points/POINT/SUBMISSION.revoked exists the job must not run: it ends, also when Slurm has
// lost sight of it. ridge ends with the script, however that ends (where setpriv of util-linux is).
#pragma once

#include <string_view>

namespace ridge::lab::slurm {

inline constexpr std::string_view kJobScript = R"(#!/bin/sh
folder=$1 submission=$2 beat=$3 program=$4
shift 4
point=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$folder/submissions/$submission/points")
revoked=$folder/points/$point/$submission.revoked
here=$folder/points/$point/$submission
[ -n "$point" ] || exit 1
[ ! -e "$revoked" ] || exit 0
mkdir "$here" 2>/dev/null || { [ ! -d "$here" ] || exit 0; mkdir "$here"; exit 1; }
echo "$SLURM_JOB_ID ${SLURMD_NODENAME:-$(hostname)}" >"$here/started"

verb=$(cat "$folder/points/$point/verb")
request=$(cat "$folder/points/$point/request")
key=$(cat "$folder/points/$point/key")
own=$(mktemp -d "${TMPDIR:-/tmp}/ridge-job-XXXXXX") || exit 1
trap 'rm -rf "$own"' EXIT
set -- "$program" "$verb" --request "$request" "$@" --point "$key" --store "$own/runs.db"
if command -v setpriv >/dev/null; then set -- setpriv --pdeathsig KILL "$@"; fi
"$@" </dev/null >"$here/output" 2>"$here/log" &
ridge=$!
trap 'kill -TERM "$ridge"' TERM INT HUP
(
  trap - TERM INT HUP EXIT
  while kill -0 "$ridge" 2>/dev/null; do
    beats=$((beats + 1))
    echo "$beats" >"$here/alive"
    if [ -e "$revoked" ]; then kill -KILL "$ridge"; fi
    sleep "$beat"
  done
) &
watch=$!
while :; do
  wait "$ridge"
  status=$?
  kill -0 "$ridge" 2>/dev/null || break
done
kill "$watch" 2>/dev/null
if [ -s "$own/runs.db" ]; then
  cp "$own/runs.db" "$here/runs.db.part" && mv "$here/runs.db.part" "$here/runs.db" || status=74
fi
echo "$status" >"$here/status.part" && mv "$here/status.part" "$here/status"
)";

/// Status of a job whose database could not be copied to the folder (EX_IOERR of sysexits.h).
inline constexpr int kNotCopied = 74;

}  // namespace ridge::lab::slurm
