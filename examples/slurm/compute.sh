#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Computes a corpus with an array of Slurm jobs, each a part of the utterances:
#   sbatch --array=1-64 compute.sh LIBRARY FEATURES-SCP FOLDER [OPTIONS]
# OPTIONS are of nnet3-run, such as --online-ivectors and
# --frame-subsampling-factor. When all jobs are done, FOLDER/*.scp together list
# the outputs. A job that is started again writes its part anew.
#SBATCH --job-name=nnet3-compute
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
set -euo pipefail

library=$1 features=$2 folder=$3
shift 3
part=$SLURM_ARRAY_TASK_ID parts=$SLURM_ARRAY_TASK_COUNT
first=${SLURM_ARRAY_TASK_MIN:-1}
stem=$folder/$part
mkdir -p "$folder"
awk -v part=$((part - first)) -v parts="$parts" 'NR % parts == part' "$features" \
  >"$stem.features"
nnet3-run "$@" "$library" "scp:$stem.features" "ark,scp:$stem.unfinished.ark,$stem.unfinished.scp"
mv "$stem.unfinished.ark" "$stem.ark"
sed "s|$stem.unfinished.ark|$stem.ark|" "$stem.unfinished.scp" >"$stem.scp"
rm "$stem.unfinished.scp" "$stem.features"
