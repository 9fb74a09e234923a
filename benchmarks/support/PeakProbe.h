//===- PeakProbe.h - What the machine can do --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_PEAKPROBE_H
#define NNET3_BENCHMARKS_PEAKPROBE_H

#include <cstdint>

namespace mlir::nnet3::benchmarks {

/// Floating-point operations per second of one core that does nothing but
/// fused multiply-adds of independent vectors of floats in registers, as wide
/// as the CPU has them. Takes about a millisecond.
double measurePeak();

/// Bytes per second that one core reads, again and again from first to last, of
/// the same `bytes` bytes of memory, with vectors as wide as the CPU has them.
/// Takes a few milliseconds for some megabytes.
double measureReadBandwidth(int64_t bytes);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_PEAKPROBE_H
