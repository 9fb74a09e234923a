//===- ComponentAttributes.h - Attributes of each component -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One class for each type of component, with its attributes, their defaults and
// ranges, its dims and property bits. nnet3-tblgen generates them from the ODS
// records of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_COMPONENTATTRIBUTES_H
#define NNET3_RUNTIME_CORE_COMPONENTATTRIBUTES_H

#include "Component.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace nnet3 {
namespace rt {

/// Base of these classes. An accessor reads its attribute when it is called.
/// The accessor of a tensor may be called only once, because it claims the
/// bytes.
struct ComponentAttributes {
  explicit ComponentAttributes(AttributeReader &reader) : reader(reader) {}

  operator AttributeReader &() const { return reader; }
  bool ok() const { return reader.ok(); }
  void fail(const std::string &message) const { reader.fail(message); }

  AttributeReader &reader;

protected:
  void checkDivides(const char *divisorName, int32_t divisor,
                    const char *dimName, int32_t dim) const {
    if (dim % divisor != 0)
      fail(std::string("expects ") + divisorName + " to divide " + dimName +
           ", but got " + std::to_string(divisor) + " and " +
           std::to_string(dim));
  }
  void checkDims(int64_t in, int64_t out) const {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    if (in < 1 || in > kMost || out < 1 || out > kMost)
      fail("has " + std::to_string(in) + " input and " + std::to_string(out) +
           " output columns");
  }
  /// Returns a * b * c, saturated.
  static int64_t multiply(int64_t a, int64_t b, int64_t c) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ||
                   __builtin_mul_overflow(product, c, &product)
               ? std::numeric_limits<int64_t>::max()
               : product;
  }
};

#define GET_COMPONENT_ATTRIBUTES
#include "ComponentAttributes.inc"
#undef GET_COMPONENT_ATTRIBUTES

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENTATTRIBUTES_H
