//===- TimeFrontier.h - Sets of times with an upper bound -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_TIMEFRONTIER_H
#define NNET3_LIB_STREAM_TIMEFRONTIER_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::nnet3 {

/// The times up to a last one, which may differ for each residue modulo M.
class TimeFrontier {
public:
  static constexpr int64_t kNever = INT64_MIN / 2;
  static constexpr int64_t kAlways = INT64_MAX / 2;

  /// Contains the times up to `last` for every residue.
  explicit TimeFrontier(int64_t modulus = 1, int64_t last = kNever)
      : last(modulus, last) {}

  friend bool operator==(const TimeFrontier &a, const TimeFrontier &b) {
    return a.last == b.last;
  }

  int64_t getModulus() const { return last.size(); }
  /// The last time of a residue; kNever if there is none, kAlways if there is
  /// no end.
  int64_t &operator[](int64_t residue) { return last[residue]; }
  int64_t operator[](int64_t residue) const { return last[residue]; }
  /// Returns the last time with the same residue as `t`.
  int64_t lastLike(int64_t t) const { return last[getResidue(t)]; }
  bool contains(int64_t t) const { return t <= lastLike(t); }
  /// Returns true if any time with the same residue as `t` is contained.
  bool containsLike(int64_t t) const { return lastLike(t) > kNever; }

  /// Adds `t` and all earlier times with its residue; returns false if they
  /// were contained already.
  bool extend(int64_t t);
  /// Changes to a modulus that is a multiple of the current one.
  void refine(int64_t modulus);
  /// Changes to modulus 1 if the set stays the same.
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
