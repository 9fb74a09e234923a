//===- CommandChecker.cpp - Verifying and resolving commands --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All commands except those of rows (RowCommandChecker.cpp), of components
// (ComponentCommandChecker.cpp) and of compression (CompressionChecker.cpp).
//
//===----------------------------------------------------------------------===//

#include "CommandChecker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nnet3 {
namespace rt {

using schema::Opcode;

// Commands may share tables, so that checking can take much longer than reading
// the file. Files that exceed this number of steps are rejected.
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
      if ((loopEnd != 0 && !checkInLoop()) || !checkCommand())
        return error;
      program.commands.push_back(std::move(command));
      if (program.commands.size() == loopEnd && !endLoop())
        return error;
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

/// Replaces storage numbers by offsets in the arena.
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
  case Opcode::Repeat:
    return checkRepeat();
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
  if (out.rowStep == 0)
    return true;
  if (loopEnd == 0)
    return fail(std::string("expects a ") + role +
                " that does not move outside of a loop");
  const int64_t last = out.rowOffset + int64_t(out.rowStep) *
                                           (program.commands[loop].rounds - 1);
  const schema::Matrix *matrix = root.matrices()->Get(out.matrix);
  return (last >= 0 && last <= matrix->rows() - out.rows) ||
         fail(std::string("the ") + role + " leaves its matrix in a round");
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
  state.begin = program.commands.size();
  state.storage = beginStorage(size);
  command.storage = state.storage;
  return checkArenaSize();
}

/// Starts a lifetime with this command and returns its number.
int64_t CommandChecker::beginStorage(uint64_t floats) {
  const int64_t size = alignPlacement(static_cast<int64_t>(floats));
  lifetimes.push_back({static_cast<int64_t>(program.commands.size()),
                       std::numeric_limits<int64_t>::max(), size});
  liveFloats += size;
  return static_cast<int64_t>(lifetimes.size()) - 1;
}

/// Ends the lifetime \p storage with this command.
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
  if (loopEnd != 0 && state.begin < loop)
    return fail("matrix " + std::to_string(command.dst.matrix) +
                " is from outside of the loop");
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

bool CommandChecker::checkRepeat() {
  if (source->table() < 1)
    return fail("expects a round or more, but got " +
                std::to_string(source->table()));
  loop = program.commands.size();
  const uint64_t behind = root.commands()->size() - loop - 1;
  if (source->memo() < 1 || static_cast<uint64_t>(source->memo()) > behind)
    return fail("expects from 1 to " + std::to_string(behind) +
                " commands, but got " + std::to_string(source->memo()));
  command.rounds = source->table();
  command.end = static_cast<uint32_t>(loop) + 1 + source->memo();
  loopEnd = command.end;
  countsBeforeLoop = counts;
  return true;
}

bool CommandChecker::checkInLoop() {
  switch (source->opcode()) {
  case Opcode::MoveMatrix:
  case Opcode::AcceptInput:
  case Opcode::ProvideOutput:
  case Opcode::NoOperationMarker:
  case Opcode::CompressMatrix:
  case Opcode::DecompressMatrix:
  case Opcode::Repeat:
    return fail("cannot be in a loop");
  default:
    return true;
  }
}

/// Returns the count of the commands that are numbered together with `command`.
uint32_t CommandChecker::countOf(const ExecCommand &command,
                                 const Counts &counts) const {
  switch (command.opcode) {
  case Opcode::Propagate:
    return counts.propagates;
  case Opcode::StoreStats:
    return counts.storeStats;
  case Opcode::Backprop:
  case Opcode::BackpropNoModelUpdate:
    return counts.backprops;
  default:
    return 0;
  }
}

/// Checks that matrices and memos of an iteration end in it, and continues the
/// numbers of commands over all iterations.
bool CommandChecker::endLoop() {
  source = nullptr;
  for (size_t i = 0; i < matrices.size(); ++i)
    if (matrices[i].exists && matrices[i].begin > loop)
      return fail("matrix " + std::to_string(i) +
                  " does not end in its round of a loop");
  for (const auto &[id, memo] : memos)
    if (memo.begin > loop)
      return fail("memo " + std::to_string(id) +
                  " does not end in its round of a loop");
  const Counts perRound = {counts.propagates - countsBeforeLoop.propagates,
                           counts.storeStats - countsBeforeLoop.storeStats,
                           counts.backprops - countsBeforeLoop.backprops};
  for (size_t i = loop + 1; i < loopEnd; ++i)
    program.commands[i].numberStep = countOf(program.commands[i], perRound);
  const auto more = static_cast<uint32_t>(program.commands[loop].rounds - 1);
  counts.propagates += more * perRound.propagates;
  counts.storeStats += more * perRound.storeStats;
  counts.backprops += more * perRound.backprops;
  loopEnd = 0;
  return true;
}

/// Whether windows overlap in any iteration of the loop.
bool CommandChecker::overlap(const Window &a, const Window &b) {
  if (a.rowStep == b.rowStep)
    return a.overlaps(b);
  if (a.matrix != b.matrix)
    return false;
  const int32_t rounds = program.commands[loop].rounds;
  // charge() has failed, so the result does not matter.
  if (!charge(static_cast<uint64_t>(rounds)))
    return true;
  Window first = a, second = b;
  for (int32_t round = 0; round < rounds; ++round) {
    if (first.overlaps(second))
      return true;
    first.rowOffset += a.rowStep;
    second.rowOffset += b.rowStep;
  }
  return false;
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

/// Splits the program at markers into the forward and the backward pass.
/// Commands after the last marker belong to the segment before it if they
/// accept no inputs.
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
