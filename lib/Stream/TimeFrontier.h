//===- TimeFrontier.h - Times up to a last one ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_TIMEFRONTIER_H
#define NNET3_LIB_STREAM_TIMEFRONTIER_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::nnet3 {

/// The times up to a last one, which each residue modulo M has for itself.
class TimeFrontier {
public:
  static constexpr int64_t kNever = INT64_MIN / 2;
  static constexpr int64_t kAlways = INT64_MAX / 2;

  /// The times up to `last` whose residue has it.
  explicit TimeFrontier(int64_t modulus = 1, int64_t last = kNever)
      : last(modulus, last) {}

  friend bool operator==(const TimeFrontier &a, const TimeFrontier &b) {
    return a.last == b.last;
  }

  int64_t getModulus() const { return last.size(); }
  /// The last time of a residue; kNever or kAlways if there is none.
  int64_t &operator[](int64_t residue) { return last[residue]; }
  int64_t operator[](int64_t residue) const { return last[residue]; }
  /// The last time that has the residue of `t`.
  int64_t lastLike(int64_t t) const { return last[getResidue(t)]; }
  bool contains(int64_t t) const { return t <= lastLike(t); }
  /// Whether times that have the residue of `t` are contained, sooner or later.
  bool containsLike(int64_t t) const { return lastLike(t) > kNever; }

  /// Adds a time and those before it that have its residue; false if it was
  /// there.
  bool extend(int64_t t);
  /// Takes another modulus, a multiple of this one.
  void refine(int64_t modulus);
  /// Takes the modulus 1 if that changes nothing.
  void simplify();

  int64_t getResidue(int64_t t) const {
    int64_t residue = t % getModulus();
    return residue < 0 ? residue + getModulus() : residue;
  }

private:
  llvm::SmallVector<int64_t, 1> last;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_TIMEFRONTIER_H
