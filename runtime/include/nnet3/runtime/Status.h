//===- Status.h - Errors of runtime functions -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No exception leaves the runtime: functions that can fail return a Status or
// a Result. The codes are those of nnet3_runtime.h.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_STATUS_H
#define NNET3_RUNTIME_STATUS_H

#include "nnet3/runtime/nnet3_runtime.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace nnet3 {
namespace rt {

/// Success, or a code of nnet3_runtime.h with a lower-case message.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(nnet3rt_status code, std::string message)
      : code(code), text(std::move(message)) {
    assert(code != NNET3RT_OK && "an error has an error's code");
  }

  bool ok() const { return code == NNET3RT_OK; }
  nnet3rt_status statusCode() const { return code; }
  /// Empty on success.
  const std::string &message() const { return text; }

private:
  nnet3rt_status code = NNET3RT_OK;
  std::string text;
};

/// The program is damaged or inconsistent.
inline Status invalidProgram(std::string message) {
  return Status(NNET3RT_INVALID_PROGRAM, std::move(message));
}
/// The caller's argument is wrong.
inline Status invalidArgument(std::string message) {
  return Status(NNET3RT_INVALID_ARGUMENT, std::move(message));
}

/// A value, or the Status of the error.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status error) : error(std::move(error)) {
    assert(!this->error.ok() && "a result without value needs an error");
  }

  bool ok() const { return held.has_value(); }
  const Status &status() const { return error; }
  T &operator*() { return *held; }
  const T &operator*() const { return *held; }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }

private:
  std::optional<T> held;
  Status error;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_STATUS_H
