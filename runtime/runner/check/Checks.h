//===- Checks.h - The checks of a pack --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_CHECKS_H
#define NNET3_RUNTIME_RUNNER_CHECK_CHECKS_H

#include "CasePack.h"
#include "nnet3/runtime/Runtime.h"
#include "runner/library/SharedObject.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace nnet3 {
namespace rt {

enum class Outcome : uint8_t { Passed, Failed, Skipped };

/// The result of a check; `detail` is the error, or the reason for skipping it.
struct CheckResult {
  Outcome outcome = Outcome::Passed;
  std::string detail;
  double seconds = 0;
};

/// A case with one of its backends: the interpreter (-1), or a library of the
/// case.
struct Check {
  uint32_t caseNumber = 0;
  int32_t caseLibrary = -1;
};

/// Returns "interpreter", or the backend of the library.
std::string backendName(const CasePack &pack, const Check &check);

/// Loads the program of a case with its weights.
Result<std::shared_ptr<const Program>> loadProgram(const CasePack &pack,
                                                   const schema::Case &entry);

/// Runs a case's program, forward and backward.
CheckResult checkProgram(const CasePack &pack, const schema::Case &entry);

/// The libraries of a pack, opened on first use.
class PackLibraries {
public:
  explicit PackLibraries(const CasePack &pack) : pack(pack) {}
  Result<std::shared_ptr<SharedObject>> get(uint32_t index);

private:
  const CasePack &pack;
  std::map<uint32_t, std::shared_ptr<SharedObject>> opened;
};

/// Runs a case's model in one of the libraries.
CheckResult checkLibrary(const CasePack &pack, const schema::Case &entry,
                         const schema::CaseLibrary &which,
                         PackLibraries &libraries);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_CHECKS_H
