//===- CasePack.h - A pack of test cases ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_CASEPACK_H
#define NNET3_RUNTIME_RUNNER_CHECK_CASEPACK_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Status.h"
#include "nnet3/runtime/cases_generated.h"

#include <cstdint>
#include <string>

namespace nnet3 {
namespace rt {

constexpr char kCasePackMagic[4] = {'N', '3', 'C', 'P'};
constexpr uint32_t kCasePackVersion = 1;

/// Whether the bytes begin with the magic of a pack.
bool isCasePack(const void *data, uint64_t size);

/// A verified pack: all references are valid, and every byte is covered by a
/// checksum or zero. Borrows the bytes.
class CasePack {
public:
  /// \p data is aligned to 64 bytes. Error messages have the byte offset.
  static Result<CasePack> open(const void *data, uint64_t size);

  const schema::CasePack &description() const { return *root; }
  uint32_t numCases() const {
    return root->cases() ? root->cases()->size() : 0;
  }
  const schema::Case &getCase(uint32_t index) const {
    return *root->cases()->Get(index);
  }

  const unsigned char *chunkData(uint32_t chunk) const {
    return data + root->chunks()->Get(chunk)->offset();
  }
  uint64_t chunkSize(uint32_t chunk) const {
    return root->chunks()->Get(chunk)->size();
  }
  ConstMatrixView values(const schema::CaseMatrix &matrix) const {
    return ConstMatrixView(
        reinterpret_cast<const float *>(chunkData(matrix.chunk())),
        matrix.rows(), matrix.cols(), matrix.cols());
  }

private:
  const schema::CasePack *root = nullptr;
  const unsigned char *data = nullptr; ///< start of the chunks
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_CASEPACK_H
