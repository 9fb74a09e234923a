//===- PeakProbe.h - Peak rates of the machine ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_PEAKPROBE_H
#define NNET3_BENCHMARKS_PEAKPROBE_H

#include <cstdint>

namespace mlir::nnet3::benchmarks {

/// Returns the floating-point operations per second of one core that executes
/// only independent fused multiply-adds of the CPU's widest float vectors in
/// registers. Takes about a millisecond.
double measurePeak();

/// Returns the bytes per second at which one core reads the same `bytes` bytes
/// repeatedly from first to last, with the CPU's widest vectors. Takes a few
/// milliseconds for some megabytes.
double measureReadBandwidth(int64_t bytes);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_PEAKPROBE_H
