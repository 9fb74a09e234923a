#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Trains with Slurm on four nodes, one process for each core, and goes on from
# the checkpoint if the job was interrupted:
#   sbatch train.sh MODEL MINIBATCHES TRAINED-MODEL
#SBATCH --job-name=nnet3-train
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@120
set -euo pipefail

export OPENBLAS_NUM_THREADS=$SLURM_CPUS_PER_TASK
# Two minutes before the end of its time the job gets SIGTERM, and writes a
# checkpoint.
srun --mpi=pmix --kill-on-bad-exit=1 nnet3-train --checkpoint="$3.state" --resume \
  --checkpoint-minutes=5 "$1" "ark:$2" "$3"
