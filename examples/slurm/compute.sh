#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Computes a corpus with an array of Slurm jobs, each a part of the utterances:
#   sbatch --array=1-64 compute.sh LIBRARY FEATURES-SCP FOLDER [OPTIONS]
# OPTIONS are of nnet3-run, such as --online-ivectors and
# --frame-subsampling-factor. When all jobs are done, FOLDER/*.scp together list
# the outputs. A job that Slurm starts again writes its part anew. To submit some
# parts of 64 once more: PARTS=64 sbatch --array=7,9 compute.sh ...
#SBATCH --job-name=nnet3-compute
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
set -euo pipefail

library=$1 features=$2 folder=$3
shift 3
part=$SLURM_ARRAY_TASK_ID parts=${PARTS:-$SLURM_ARRAY_TASK_COUNT}
if [ -z "${PARTS:-}" ] &&
  [ $((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1)) -ne "$parts" ]; then
  echo "error: expects an array without gaps; for some parts of N, PARTS=N" >&2
  exit 1
fi
stem=$folder/$part
mkdir -p "$folder"
awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts' "$features" \
  >"$stem.features"
if [ -s "$stem.features" ]; then
  nnet3-run "$@" "$library" "scp:$stem.features" "ark,scp:$stem.ark.unfinished,$stem.scp.unfinished"
  mv "$stem.ark.unfinished" "$stem.ark"
  sed "s|$stem.ark.unfinished|$stem.ark|" "$stem.scp.unfinished" >"$stem.scp"
  rm "$stem.scp.unfinished"
else
  : >"$stem.scp"
fi
rm "$stem.features"
