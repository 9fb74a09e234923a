//===- CasePackWriter.h - Packs for tests -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_RUNNER_CHECK_CASEPACKWRITER_H
#define NNET3_RUNTIME_TEST_RUNNER_CHECK_CASEPACKWRITER_H

#include "nnet3/runtime/cases_generated.h"
#include "test/support/TestMatrix.h"

#include <functional>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// Bytes with the alignment of a mapped file.
class PackBytes {
public:
  explicit PackBytes(const std::vector<uint8_t> &bytes);
  ~PackBytes();
  PackBytes(const PackBytes &) = delete;
  PackBytes &operator=(const PackBytes &) = delete;

  uint8_t *data() const { return bytes; }
  uint64_t size() const { return length; }

private:
  uint8_t *bytes = nullptr;
  uint64_t length;
};

/// The expected value of an output or of an attribute.
struct ExpectedData {
  std::string name;
  Matrix value;
  float tolerance = 1e-4f;
  bool byRms = false;
  float floor = 0;
  std::vector<int32_t> ignored;
  std::string component; ///< empty: of a matrix
  bool optional = false;
};

struct CaseData {
  std::string name;
  std::vector<uint8_t> program, weights;
  std::vector<std::pair<std::string, Matrix>> inputs;
  std::vector<ExpectedData> outputs, gradient;
  std::vector<std::string> leftOut; ///< of each library, why
};

/// Writes a pack with these cases and, for each of \p backends, an empty
/// library.
std::vector<uint8_t> writeCasePack(const std::vector<CaseData> &cases,
                                   const std::vector<std::string> &backends);

/// Updates the checksum of the description.
void sealDescription(std::vector<uint8_t> &pack);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_RUNNER_CHECK_CASEPACKWRITER_H
