//===- Loader.cpp - From bytes to a verified program ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First FlatBuffers' verifier makes the references safe to follow. Then this
// file checks everything but the commands, and CommandChecker checks the
// commands.
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "BufferChecker.h"
#include "CommandChecker.h"
#include "core/Gemm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "programs and weights are read in place, which needs little-endian"
#endif

namespace nnet3 {
namespace rt {

namespace {

/// Checks everything but the commands. Keeps the first error.
class PartLoader : BufferChecker {
public:
  PartLoader(ProgramData &program, uint64_t size)
      : BufferChecker(size), program(program), root(*program.root) {}

  Status run() {
    checkSizes();
    if (error.ok())
      loadIos(root.inputs(), "input", program.inputs);
    if (error.ok())
      loadIos(root.outputs(), "output", program.outputs);
    if (error.ok())
      loadStorage();
    if (error.ok())
      loadComponents(root.components(), program.weights, program.components);
    return error;
  }

  /// Runs after the commands have been checked, which bounds the matrices by
  /// the arena.
  Status runAfterCommands() {
    listIos(root.inputs(), program.inputs);
    listIos(root.outputs(), program.outputs);
    return error;
  }

private:
  void checkSizes();
  void loadIos(const IoList *list, const char *kind, std::vector<IoInfo> &out);
  void listIos(const IoList *list, std::vector<IoInfo> &infos);
  void loadStorage();

  ProgramData &program;
  const schema::Program &root;
};

void PartLoader::checkSizes() {
  claimComponents(root.components());
  if (root.precomputed())
    for (const schema::Precomputed *precomputed : *root.precomputed())
      claimAttributes(precomputed->attributes());
  if (root.row_tables())
    for (const schema::RowTable *table : *root.row_tables())
      claim(table->rows());
  if (root.multi_tables())
    for (const schema::MultiTable *table : *root.multi_tables()) {
      claim(table->submatrices());
      claim(table->rows());
    }
  if (root.range_tables())
    for (const schema::RangeTable *table : *root.range_tables()) {
      claim(table->begin());
      claim(table->end());
    }
}

void PartLoader::loadIos(const IoList *list, const char *kind,
                         std::vector<IoInfo> &out) {
  if (!list)
    return;
  std::vector<std::string_view> names;
  for (const schema::IoMatrix *io : *list) {
    out.push_back(loadIo(*io, kind));
    if (!error.ok())
      return;
    names.push_back(out.back().name);
  }
  checkDistinct(std::move(names), kind);
}

void PartLoader::listIos(const IoList *list, std::vector<IoInfo> &infos) {
  for (size_t i = 0; i < infos.size(); ++i)
    listIndexes(*list->Get(i), infos[i], program.ioIndexes);
}

void PartLoader::loadStorage() {
  const uint32_t numMatrices = root.matrices() ? root.matrices()->size() : 0;
  for (uint32_t i = 0; i < numMatrices; ++i) {
    const schema::Matrix *matrix = root.matrices()->Get(i);
    if (matrix->rows() <= 0 || matrix->cols() <= 0)
      return fail("matrix " + std::to_string(i) + " has dims " +
                  std::to_string(matrix->rows()) + "x" +
                  std::to_string(matrix->cols()));
  }
  if (!root.submatrices())
    return;
  program.windows.reserve(root.submatrices()->size());
  auto inside = [](int32_t offset, int32_t count, int32_t size) {
    return offset >= 0 && count > 0 && offset < size && count <= size - offset;
  };
  for (const schema::Submatrix *from : *root.submatrices()) {
    const std::string what =
        "submatrix " + std::to_string(program.windows.size());
    if (from->matrix() < 0 ||
        static_cast<uint32_t>(from->matrix()) >= numMatrices)
      return fail(what + " is of matrix " + std::to_string(from->matrix()) +
                  ", which does not exist");
    const schema::Matrix *matrix = root.matrices()->Get(from->matrix());
    if (!inside(from->row_offset(), from->num_rows(), matrix->rows()) ||
        !inside(from->col_offset(), from->num_cols(), matrix->cols()))
      return fail(what + " is outside of its matrix");
    Window window;
    window.matrix = from->matrix();
    window.rowOffset = from->row_offset();
    window.rows = from->num_rows();
    window.colOffset = from->col_offset();
    window.cols = from->num_cols();
    window.stride = matrix->cols();
    window.rowStep = from->row_step();
    program.windows.push_back(window);
  }
}

} // namespace

/// Copies the FlatBuffer and runs FlatBuffers' verifier on it.
static Status loadBuffer(const ProgramParts &parts, ProgramData &program) {
  if (parts.programSize < 16 ||
      parts.programSize >= FLATBUFFERS_MAX_BUFFER_SIZE)
    return invalidProgram("a program of " + std::to_string(parts.programSize) +
                          " bytes is not possible");
  program.buffer = AlignedBytes(parts.programSize);
  if (!program.buffer.data())
    return Status(NNET3RT_OUT_OF_MEMORY, "no memory for the program");
  std::memcpy(program.buffer.data(), parts.program, parts.programSize);
  if (!schema::ProgramBufferHasIdentifier(program.buffer.data()))
    return invalidProgram("this is not a program for the nnet3 runtime");
  flatbuffers::Verifier verifier(program.buffer.data(), parts.programSize,
                                 kMaxBufferDepth, kMaxBufferTables);
  if (!schema::VerifyProgramBuffer(verifier))
    return invalidProgram("the program is damaged");
  program.root = schema::GetProgram(program.buffer.data());
  return Status();
}

Result<std::unique_ptr<ProgramData>> loadProgram(const ProgramParts &parts,
                                                 uint64_t maxArenaBytes) {
  if (reinterpret_cast<uintptr_t>(parts.weights) % alignof(float) != 0)
    return invalidArgument("the weights are not aligned to 4 bytes");
  auto program = std::make_unique<ProgramData>();
  program->weights = {parts.weights, parts.weightsSize, parts.weightsSize};
  program->maxArenaBytes = maxArenaBytes;
  if (Status status = loadBuffer(parts, *program); !status.ok())
    return status;
  PartLoader loader(*program, parts.programSize);
  if (Status status = loader.run(); !status.ok())
    return status;
  if (Status status = CommandChecker(*program, maxArenaBytes).run();
      !status.ok())
    return status;
  if (Status status = loader.runAfterCommands(); !status.ok())
    return status;
  if (!prepareBlas())
    return Status(NNET3RT_OUT_OF_MEMORY,
                  "no memory for the buffer of OpenBLAS");
  return program;
}

} // namespace rt
} // namespace nnet3
