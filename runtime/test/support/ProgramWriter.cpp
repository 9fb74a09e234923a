//===- ProgramWriter.cpp - Programs for tests -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramWriter.h"
#include "nnet3/runtime/Container.h"

#include <cstring>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

template <typename List, typename Item>
static int32_t append(List &list, Item &&item) {
  list.push_back(std::forward<Item>(item));
  return static_cast<int32_t>(list.size()) - 1;
}

int32_t ProgramWriter::component(const std::string &name,
                                 const std::string &type, const Attrs &attrs) {
  return append(components, ComponentData{name, type, attrs});
}

int32_t ProgramWriter::precomputed(const Attrs &attrs) {
  return append(precomputedList, attrs);
}

int32_t ProgramWriter::matrix(int32_t rows, int32_t cols) {
  const int32_t id = append(matrices, schema::Matrix(rows, cols));
  return append(submatrices,
                schema::Submatrix(id, 0, rows, 0, cols, /*row_step=*/0));
}

int32_t ProgramWriter::part(int32_t submatrix, int32_t rowOffset, int32_t rows,
                            int32_t colOffset, int32_t cols, int32_t rowStep) {
  return append(submatrices,
                schema::Submatrix(submatrices[submatrix].matrix(), rowOffset,
                                  rows, colOffset, cols, rowStep));
}

int32_t ProgramWriter::rowTable(std::vector<int32_t> rows) {
  return loopedRowTable(listCode(rows));
}

int32_t ProgramWriter::loopedRowTable(std::vector<int32_t> code) {
  return append(rowTables, std::move(code));
}

int32_t ProgramWriter::multiTable(std::vector<int32_t> subs,
                                  std::vector<int32_t> rows) {
  return append(multiTables, std::make_pair(listCode(subs), listCode(rows)));
}

int32_t ProgramWriter::rangeTable(std::vector<int32_t> begin,
                                  std::vector<int32_t> end, int32_t step) {
  return append(rangeTables, RangeData{listCode(begin), listCode(end), step});
}

int32_t ProgramWriter::input(const std::string &name, int32_t rows,
                             int32_t cols, bool isDerivative) {
  const int32_t id = matrix(rows, cols);
  CommandData accept{Opcode::AcceptInput};
  accept.dst = id;
  accept.table =
      append(inputs, Io{name, rows, cols, isDerivative, {}, {}, {}, false});
  command(accept);
  return id;
}

void ProgramWriter::output(const std::string &name, int32_t submatrix,
                           bool isDerivative) {
  const schema::Matrix &whole = matrices[submatrices[submatrix].matrix()];
  CommandData provide{Opcode::ProvideOutput};
  provide.src = submatrix;
  provide.table = append(
      outputs,
      Io{name, whole.rows(), whole.cols(), isDerivative, {}, {}, {}, false});
  command(provide);
}

int32_t ProgramWriter::zeroed(int32_t rows, int32_t cols) {
  CommandData alloc{Opcode::AllocMatrixZeroed};
  alloc.dst = matrix(rows, cols);
  command(alloc);
  return alloc.dst;
}

void ProgramWriter::propagate(int32_t component, int32_t src, int32_t dst,
                              int32_t precomputed) {
  CommandData data{Opcode::Propagate};
  data.component = component;
  data.src = src;
  data.dst = dst;
  data.precomputed = precomputed;
  command(data);
}

std::vector<flatbuffers::Offset<schema::IoMatrix>>
ProgramWriter::writeIo(flatbuffers::FlatBufferBuilder &builder,
                       const std::vector<Io> &list) {
  std::vector<flatbuffers::Offset<schema::IoMatrix>> out;
  for (const Io &io : list) {
    const auto n = listCode(io.n), t = listCode(io.t), x = listCode(io.x);
    out.push_back(schema::CreateIoMatrixDirect(
        builder, io.name.c_str(), io.rows, io.cols, io.isDerivative,
        n.empty() ? nullptr : &n, t.empty() ? nullptr : &t,
        x.empty() ? nullptr : &x,
        io.isQuadratic ? schema::Objective::Quadratic
                       : schema::Objective::Linear));
  }
  return out;
}

std::vector<uint8_t> ProgramWriter::finish() {
  flatbuffers::FlatBufferBuilder builder;
  weights.clear();
  std::vector<flatbuffers::Offset<schema::Component>> componentList;
  for (const ComponentData &data : components) {
    AttributeList attrs = writeAttributes(builder, data.attrs, weights);
    componentList.push_back(schema::CreateComponentDirect(
        builder, data.name.c_str(), data.type.c_str(), &attrs));
  }
  std::vector<flatbuffers::Offset<schema::Precomputed>> precomputedOut;
  for (const Attrs &data : precomputedList) {
    AttributeList attrs = writeAttributes(builder, data, weights);
    precomputedOut.push_back(schema::CreatePrecomputedDirect(builder, &attrs));
  }
  std::vector<flatbuffers::Offset<schema::RowTable>> rowOut;
  for (const auto &code : rowTables)
    rowOut.push_back(schema::CreateRowTableDirect(builder, &code));
  std::vector<flatbuffers::Offset<schema::MultiTable>> multiOut;
  for (const auto &[subs, rows] : multiTables)
    multiOut.push_back(schema::CreateMultiTableDirect(builder, &subs, &rows));
  std::vector<flatbuffers::Offset<schema::RangeTable>> rangeOut;
  for (const RangeData &table : rangeTables)
    rangeOut.push_back(schema::CreateRangeTableDirect(builder, &table.begin,
                                                      &table.end, table.step));
  std::vector<schema::Command> commandList;
  for (const CommandData &data : commands)
    commandList.emplace_back(data.opcode, data.alpha, data.dst, data.src,
                             data.table, data.component, data.precomputed,
                             data.memo, data.inValue, data.outValue);
  auto inputList = writeIo(builder, inputs);
  auto outputList = writeIo(builder, outputs);
  schema::FinishProgramBuffer(
      builder, schema::CreateProgramDirect(
                   builder, &componentList, &precomputedOut, &inputList,
                   &outputList, &matrices, &submatrices, &rowOut, &multiOut,
                   &rangeOut, &commandList));
  return {builder.GetBufferPointer(),
          builder.GetBufferPointer() + builder.GetSize()};
}

std::vector<uint8_t> ProgramWriter::finishFile(bool withChecksums) {
  const std::vector<uint8_t> program = finish();
  ContainerHeader header = makeContainerHeader(program.data(), program.size(),
                                               weights.data(), weights.size());
  if (!withChecksums)
    header.programChecksum = header.weightsChecksum = 0;
  std::vector<uint8_t> file(header.weightsOffset + weights.size());
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + header.programOffset, program.data(),
              program.size());
  if (!weights.empty())
    std::memcpy(file.data() + header.weightsOffset, weights.data(),
                weights.size());
  return file;
}

/// The program with weights that live as long as it does.
static Result<std::shared_ptr<const Program>> tryLoad(ProgramWriter &writer) {
  const std::vector<uint8_t> program = writer.finish();
  auto weights = std::make_shared<std::vector<uint8_t>>(writer.weights);
  LoadOptions options;
  options.weights = weights->data();
  options.weightsSize = weights->size();
  options.keepAlive = weights;
  return Program::load(program.data(), program.size(), options);
}

std::shared_ptr<const Program> load(ProgramWriter &writer) {
  auto program = tryLoad(writer);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *program : nullptr;
}

std::string loadError(ProgramWriter &writer) {
  auto program = tryLoad(writer);
  return program.ok() ? "" : program.status().message();
}

Matrix run(ProgramWriter &writer,
           const std::vector<std::pair<std::string, Matrix>> &inputs,
           const InstanceOptions &options) {
  std::shared_ptr<const Program> program = load(writer);
  if (!program)
    return Matrix();
  auto instance = Instance::create(program, options);
  EXPECT_TRUE(instance.ok()) << instance.status().message();
  for (const auto &[name, matrix] : inputs) {
    Status status = (*instance)->setInput(name, matrix.view());
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Status status = (*instance)->run();
  EXPECT_TRUE(status.ok()) << status.message();
  auto output = (*instance)->output("output");
  EXPECT_TRUE(output.ok()) << output.status().message();
  if (!output.ok())
    return Matrix();
  Matrix result(output->rows, output->cols);
  for (int32_t r = 0; r < result.rows; ++r)
    std::memcpy(&result.at(r, 0), output->row(r), result.cols * sizeof(float));
  return result;
}

Matrix propagate(const Trial &trial, const Matrix &input) {
  constexpr int32_t kPad = 3;
  constexpr float kAround = 77;
  ProgramWriter writer;
  const int32_t component = writer.component("c", trial.type, trial.attrs);
  const int32_t precomputed =
      trial.precomputed.empty() ? -1 : writer.precomputed(trial.precomputed);
  const int32_t in =
      writer.input("input", input.rows + kPad, input.cols + kPad);
  const int32_t src = writer.part(in, 1, input.rows, 2, input.cols);
  int32_t out = in, dst = src;
  if (!trial.inPlace) {
    out = writer.zeroed(trial.outRows + kPad, trial.outCols + kPad);
    dst = writer.part(out, 2, trial.outRows, 1, trial.outCols);
    CommandData fill{Opcode::SetConst};
    fill.dst = out;
    fill.alpha = kAround;
    writer.command(fill);
    fill.dst = dst;
    fill.alpha = trial.initial;
    writer.command(fill);
  }
  writer.propagate(component, src, dst, precomputed);
  writer.output("output", out);
  Matrix padded(input.rows + kPad, input.cols + kPad, kAround);
  for (int32_t r = 0; r < input.rows; ++r)
    for (int32_t c = 0; c < input.cols; ++c)
      padded.at(r + 1, c + 2) = input.at(r, c);
  const Matrix whole = run(writer, {{"input", padded}}, trial.options);
  const int32_t rows = trial.inPlace ? input.rows : trial.outRows;
  const int32_t cols = trial.inPlace ? input.cols : trial.outCols;
  Matrix result(rows, cols);
  if (whole.rows == 0)
    return result;
  const int32_t row0 = trial.inPlace ? 1 : 2, col0 = trial.inPlace ? 2 : 1;
  for (int32_t r = 0; r < whole.rows; ++r)
    for (int32_t c = 0; c < whole.cols; ++c)
      if (r >= row0 && r < row0 + rows && c >= col0 && c < col0 + cols)
        result.at(r - row0, c - col0) = whole.at(r, c);
      else
        EXPECT_EQ(whole.at(r, c), kAround) << "written outside of the output";
  return result;
}

} // namespace test
} // namespace rt
} // namespace nnet3
