//===- PeakProbe.h - What the machine can do --------------------*- C++ -*-===//

#ifndef NNET3_BENCHMARKS_PEAKPROBE_H
#define NNET3_BENCHMARKS_PEAKPROBE_H

namespace nnet3::benchmarks {

/// Floating-point operations per second of one core that does nothing but
/// fused multiply-adds of independent vectors of floats in registers, as wide
/// as the CPU has them. Takes about a millisecond.
double measurePeak();

} // namespace nnet3::benchmarks

#endif // NNET3_BENCHMARKS_PEAKPROBE_H
