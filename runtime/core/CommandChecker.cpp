//===- CommandChecker.cpp - Verifying and resolving commands --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything but the row commands, which are in RowCommandChecker.cpp, the
// components', which are in ComponentCommandChecker.cpp, and compression, which
// is in CompressionChecker.cpp.
//
//===----------------------------------------------------------------------===//

#include "CommandChecker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nnet3 {
namespace rt {

using schema::Opcode;

// Commands may share tables, so checking them can take longer than reading the
// file; a file that would take forever is refused.
static constexpr uint64_t kMaxWork = uint64_t(1) << 31;

CommandChecker::CommandChecker(ProgramData &program, uint64_t maxArenaBytes)
    : program(program), root(*program.root),
      maxArenaBytes(std::min(maxArenaBytes, uint64_t(1) << 46)) {}

bool CommandChecker::fail(const std::string &message) {
  if (!error.ok())
    return false;
  std::string where;
  if (source)
    where = "command " + std::to_string(program.commands.size()) + " (" +
            opcodeName(source->opcode()) + "): ";
  error = invalidProgram(where + message);
  return false;
}

bool CommandChecker::charge(uint64_t amount) {
  work += std::min(amount, kMaxWork);
  return work <= kMaxWork || fail("the commands share tables too often");
}

Status CommandChecker::run() {
  prepareTables();
  if (root.matrices())
    matrices.resize(root.matrices()->size());
  accepted.resize(program.inputs.size());
  provided.resize(program.outputs.size());
  program.outputStorage.resize(program.outputs.size());
  program.outputSegment.resize(program.outputs.size());
  if (root.commands()) {
    program.commands.reserve(root.commands()->size());
    for (const schema::Command *next : *root.commands()) {
      source = next;
      command = ExecCommand();
      if (!checkCommand())
        return error;
      program.commands.push_back(std::move(command));
    }
  }
  source = nullptr;
  for (size_t i = 0; i < accepted.size(); ++i)
    if (!accepted[i])
      fail("no command accepts input '" + std::string(program.inputs[i].name) +
           "'");
  for (size_t i = 0; i < provided.size(); ++i)
    if (!provided[i])
      fail("no command provides output '" +
           std::string(program.outputs[i].name) + "'");
  splitSegments();
  if (error.ok())
    planArena();
  return error;
}

/// Sets the offsets in the arena.
void CommandChecker::planArena() {
  program.matrixFloats = placeLifetimes(lifetimes, /*reserved=*/0);
  if (program.arenaBytes() > maxArenaBytes) {
    fail("the program needs " + std::to_string(program.arenaBytes()) +
         " bytes for matrices, but at most " + std::to_string(maxArenaBytes) +
         " are allowed");
    return;
  }
  for (ExecCommand &planned : program.commands) {
    if (planned.storage >= 0)
      planned.storage = lifetimes[planned.storage].offset;
    if (planned.memo >= 0)
      planned.memo = lifetimes[planned.memo].offset;
  }
  for (int64_t &storage : program.outputStorage)
    storage = lifetimes[storage].offset;
}

bool CommandChecker::checkCommand() {
  command.opcode = source->opcode();
  command.alpha = source->alpha();
  if (!std::isfinite(command.alpha))
    return fail("expects a finite alpha");
  switch (command.opcode) {
  case Opcode::AllocMatrixZeroed:
  case Opcode::AllocMatrixUndefined:
    return checkAlloc();
  case Opcode::DeallocMatrix:
    return checkDealloc();
  case Opcode::MoveMatrix:
    return checkMove();
  case Opcode::SetConst:
    return existing(source->dst(), "destination", command.dst);
  case Opcode::Propagate:
    return checkPropagate();
  case Opcode::Backprop:
  case Opcode::BackpropNoModelUpdate:
    return checkBackprop();
  case Opcode::StoreStats:
    return checkStoreStats();
  case Opcode::MatrixCopy:
  case Opcode::MatrixAdd:
    return checkMatrixPair();
  case Opcode::CopyRows:
  case Opcode::AddRows:
    return checkRows();
  case Opcode::CopyRowsMulti:
  case Opcode::AddRowsMulti:
    return checkMulti(/*tableIsTarget=*/false);
  case Opcode::CopyToRowsMulti:
  case Opcode::AddToRowsMulti:
    return checkMulti(/*tableIsTarget=*/true);
  case Opcode::AddRowRanges:
    return checkRowRanges();
  case Opcode::AcceptInput:
    return checkAccept();
  case Opcode::ProvideOutput:
    return checkProvide();
  case Opcode::NoOperationMarker:
    return true;
  case Opcode::CompressMatrix:
    return checkCompress();
  case Opcode::DecompressMatrix:
    return checkDecompress();
  }
  return fail("unknown opcode " +
              std::to_string(static_cast<int>(command.opcode)));
}

bool CommandChecker::window(int32_t id, const char *role, Window &out) {
  if (id < 0 || static_cast<size_t>(id) >= program.windows.size())
    return fail(std::string("expects a ") + role + " among " +
                std::to_string(program.windows.size()) +
                " submatrices, but got " + std::to_string(id));
  out = program.windows[id];
  return true;
}

bool CommandChecker::existing(int32_t id, const char *role, Window &out) {
  if (!window(id, role, out))
    return false;
  return matrices[out.matrix].exists ||
         fail(std::string("expects a ") + role + " that exists, but matrix " +
              std::to_string(out.matrix) + " does not");
}

bool CommandChecker::whole(int32_t id, const char *role, Window &out) {
  if (!window(id, role, out))
    return false;
  const schema::Matrix *matrix = root.matrices()->Get(out.matrix);
  return (out.rows == matrix->rows() && out.cols == matrix->cols()) ||
         fail(std::string("expects a whole matrix as ") + role);
}

bool CommandChecker::begin(const Window &whole) {
  MatrixState &state = matrices[whole.matrix];
  if (state.exists || state.compressed)
    return fail("matrix " + std::to_string(whole.matrix) + " exists already");
  const uint64_t size = uint64_t(whole.rows) * uint64_t(whole.cols);
  if (size > maxArenaBytes / sizeof(float))
    return fail("matrix " + std::to_string(whole.matrix) + " has " +
                std::to_string(size) + " elements, which is more than the " +
                std::to_string(maxArenaBytes) + " bytes that are allowed");
  state.exists = true;
  state.storage = beginStorage(size);
  command.storage = state.storage;
  return checkArenaSize();
}

/// The number of a lifetime that begins with this command.
int64_t CommandChecker::beginStorage(uint64_t floats) {
  const int64_t size = alignPlacement(static_cast<int64_t>(floats));
  lifetimes.push_back({static_cast<int64_t>(program.commands.size()),
                       std::numeric_limits<int64_t>::max(), size});
  liveFloats += size;
  return static_cast<int64_t>(lifetimes.size()) - 1;
}

/// It ends with this command.
void CommandChecker::endStorage(int64_t storage) {
  Lifetime &lifetime = lifetimes[storage];
  lifetime.end = static_cast<int64_t>(program.commands.size());
  liveFloats -= lifetime.size;
}

bool CommandChecker::checkArenaSize() {
  return liveFloats <= maxArenaBytes / sizeof(float) ||
         fail("the matrices need more than the " +
              std::to_string(maxArenaBytes) + " bytes that are allowed");
}

bool CommandChecker::checkAlloc() {
  return whole(source->dst(), "destination", command.dst) && begin(command.dst);
}

bool CommandChecker::checkDealloc() {
  if (!whole(source->dst(), "destination", command.dst) ||
      !existing(source->dst(), "destination", command.dst))
    return false;
  MatrixState &state = matrices[command.dst.matrix];
  if (state.provided)
    return fail("matrix " + std::to_string(command.dst.matrix) +
                " has been provided as an output");
  endStorage(state.storage);
  state = MatrixState();
  return true;
}

bool CommandChecker::checkMove() {
  if (!whole(source->dst(), "destination", command.dst) ||
      !whole(source->src(), "source", command.src))
    return false;
  MatrixState &to = matrices[command.dst.matrix];
  MatrixState &from = matrices[command.src.matrix];
  if (command.dst.rows != command.src.rows ||
      command.dst.cols != command.src.cols)
    return fail("expects equal dims");
  if (command.dst.matrix == command.src.matrix || (!to.exists && !from.exists))
    return fail("expects two matrices, of which one exists");
  if (to.provided || from.provided)
    return fail("a matrix has been provided as an output");
  if (to.compressed || from.compressed)
    return fail("a matrix is compressed");
  std::swap(to, from);
  return true;
}

static std::string dims(int32_t rows, int32_t cols) {
  return std::to_string(rows) + "x" + std::to_string(cols);
}

bool CommandChecker::checkAccept() {
  if (!whole(source->dst(), "destination", command.dst))
    return false;
  command.io = source->table();
  if (command.io < 0 || static_cast<size_t>(command.io) >= accepted.size())
    return fail("there is no input " + std::to_string(command.io));
  const IoInfo &io = program.inputs[command.io];
  if (io.rows != command.dst.rows || io.cols != command.dst.cols)
    return fail("expects a matrix of " + dims(io.rows, io.cols) + ", but got " +
                dims(command.dst.rows, command.dst.cols));
  if (accepted[command.io])
    return fail("input '" + std::string(io.name) + "' is accepted twice");
  accepted[command.io] = true;
  return begin(command.dst);
}

bool CommandChecker::checkProvide() {
  if (!whole(source->src(), "source", command.src) ||
      !existing(source->src(), "source", command.src))
    return false;
  command.io = source->table();
  if (command.io < 0 || static_cast<size_t>(command.io) >= provided.size())
    return fail("there is no output " + std::to_string(command.io));
  const IoInfo &io = program.outputs[command.io];
  if (io.rows != command.src.rows || io.cols != command.src.cols)
    return fail("expects a matrix of " + dims(io.rows, io.cols) + ", but got " +
                dims(command.src.rows, command.src.cols));
  if (provided[command.io])
    return fail("output '" + std::string(io.name) + "' is provided twice");
  provided[command.io] = true;
  MatrixState &state = matrices[command.src.matrix];
  state.provided = true;
  program.outputStorage[command.io] = state.storage;
  return true;
}

/// The forward pass and the backward pass end at a marker; what follows the
/// last one belongs to the part before, if it takes nothing from the caller.
void CommandChecker::splitSegments() {
  program.segments.emplace_back();
  uint32_t index = 0;
  for (const ExecCommand &next : program.commands) {
    Segment &segment = program.segments.back();
    if (next.opcode == Opcode::AcceptInput)
      segment.inputs.push_back(next.io);
    if (next.opcode == Opcode::ProvideOutput)
      program.outputSegment[next.io] =
          static_cast<uint32_t>(program.segments.size()) - 1;
    segment.end = ++index;
    if (next.opcode == Opcode::NoOperationMarker) {
      program.segments.emplace_back();
      program.segments.back().begin = index;
      program.segments.back().end = index;
    }
  }
  while (program.segments.size() > 1 &&
         program.segments.back().inputs.empty()) {
    const uint32_t end = program.segments.back().end;
    program.segments.pop_back();
    program.segments.back().end = end;
  }
  const auto last = static_cast<uint32_t>(program.segments.size()) - 1;
  for (uint32_t &segment : program.outputSegment)
    segment = std::min(segment, last);
}

} // namespace rt
} // namespace nnet3
