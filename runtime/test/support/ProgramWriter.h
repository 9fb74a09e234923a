//===- ProgramWriter.h - Programs for tests ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_PROGRAMWRITER_H
#define NNET3_RUNTIME_TEST_SUPPORT_PROGRAMWRITER_H

#include "AttributeData.h"
#include "TestMatrix.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

using schema::Opcode;

/// A command with everything absent.
struct CommandData {
  Opcode opcode;
  float alpha = 1;
  int32_t dst = -1, src = -1, table = -1, component = -1, precomputed = -1,
          memo = -1, inValue = -1, outValue = -1;
};

/// Collects the parts of a program. Functions that add something give its id.
class ProgramWriter {
public:
  int32_t component(const std::string &name, const std::string &type,
                    const Attrs &attrs);
  int32_t precomputed(const Attrs &attrs);
  /// The submatrix that is all of a new matrix.
  int32_t matrix(int32_t rows, int32_t cols);
  /// A part of the matrix of \p submatrix.
  int32_t part(int32_t submatrix, int32_t rowOffset, int32_t rows,
               int32_t colOffset, int32_t cols, int32_t rowStep = 0);
  int32_t rowTable(std::vector<int32_t> rows);
  /// As rowTable(), from the code of a list (core/LoopedList.h).
  int32_t loopedRowTable(std::vector<int32_t> code);
  int32_t multiTable(std::vector<int32_t> submatrices,
                     std::vector<int32_t> rows);
  int32_t rangeTable(std::vector<int32_t> begin, std::vector<int32_t> end,
                     int32_t step = 1);

  void command(const CommandData &data) { commands.push_back(data); }
  /// A new matrix, accepted from the caller.
  int32_t input(const std::string &name, int32_t rows, int32_t cols,
                bool isDerivative = false);
  /// Declares the matrix of \p submatrix as an output.
  void output(const std::string &name, int32_t submatrix,
              bool isDerivative = false);
  /// A new zero-filled matrix.
  int32_t zeroed(int32_t rows, int32_t cols);
  void propagate(int32_t component, int32_t src, int32_t dst,
                 int32_t precomputed = -1);

  /// Returns the FlatBuffer; sets `weights`.
  std::vector<uint8_t> finish();
  /// Returns a whole program file. Without checksums, damage reaches the
  /// verifier.
  std::vector<uint8_t> finishFile(bool withChecksums);

  std::vector<uint8_t> weights;

  // The parts, open to tests that break them.
  struct Io {
    std::string name;
    int32_t rows, cols;
    bool isDerivative;
    std::vector<int32_t> n, t, x;
    bool isQuadratic = false;
  };
  std::vector<Io> inputs, outputs;
  std::vector<schema::Matrix> matrices;
  std::vector<schema::Submatrix> submatrices;
  std::vector<CommandData> commands;

private:
  struct ComponentData {
    std::string name, type;
    Attrs attrs;
  };
  std::vector<flatbuffers::Offset<schema::IoMatrix>>
  writeIo(flatbuffers::FlatBufferBuilder &builder, const std::vector<Io> &list);

  std::vector<ComponentData> components;
  std::vector<Attrs> precomputedList;
  std::vector<std::vector<int32_t>> rowTables;
  std::vector<std::pair<std::vector<int32_t>, std::vector<int32_t>>>
      multiTables;
  struct RangeData {
    std::vector<int32_t> begin, end;
    int32_t step;
  };
  std::vector<RangeData> rangeTables;
};

/// Loads a program and its weights; errors fail the test.
std::shared_ptr<const Program> load(ProgramWriter &writer);

/// Runs a program once with these inputs and returns output "output"; errors
/// fail the test.
Matrix run(ProgramWriter &writer,
           const std::vector<std::pair<std::string, Matrix>> &inputs,
           const InstanceOptions &options = {});

/// Returns the error message of loading; empty if it succeeds.
std::string loadError(ProgramWriter &writer);

/// The description of a test run of a component.
struct Trial {
  std::string type;
  Attrs attrs;
  Attrs precomputed; ///< none where empty
  int32_t outRows = 0;
  int32_t outCols = 0;
  bool inPlace = false;
  float initial = 0; ///< initial value of the output
  InstanceOptions options;
};

/// Runs one propagate command whose operands are parts of larger matrices, so
/// that their strides exceed their columns, and checks that nothing around the
/// output is written.
Matrix propagate(const Trial &trial, const Matrix &input);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_PROGRAMWRITER_H
