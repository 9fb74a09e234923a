//===- StateVisitor.h - Save and restore training state ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object with state passes each value to a visitor, which saves or replaces
// it, so that one function serves both.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_STATEVISITOR_H
#define NNET3_RUNTIME_STATEVISITOR_H

#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// Visits named values by reference. Names are unique within one visit. After
/// an error the visited objects must not be used.
class StateVisitor {
public:
  virtual ~StateVisitor() = default;

  virtual Status visit(const std::string &name, int64_t &value) = 0;
  virtual Status visit(const std::string &name, double &value) = 0;
  /// \p count floats; the count cannot change.
  virtual Status visit(const std::string &name, float *values,
                       int64_t count) = 0;
  /// Vectors, which the visitor may resize.
  virtual Status visit(const std::string &name, std::vector<float> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<double> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<int64_t> &values) = 0;
  virtual Status visit(const std::string &name,
                       std::vector<std::string> &values) = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_STATEVISITOR_H
