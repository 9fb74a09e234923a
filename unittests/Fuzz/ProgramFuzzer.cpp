//===- ProgramFuzzer.cpp - Any bytes as a program of the runtime ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that the loader accepts access only their own memory, whatever their
// inputs are.
//
//===----------------------------------------------------------------------===//
#include "FuzzTarget.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/Runtime.h"
#include <cstring>
#include <vector>

using namespace ::nnet3::rt;

/// Programs that need more memory or may take long are only loaded.
static constexpr uint64_t maxBytesToRun = 1 << 20;
static constexpr int32_t maxCommandsToRun = 1000;

/// Runs the passes that the program has, on zeros.
static void runOnZeros(std::shared_ptr<const Program> program) {
  auto instance = Instance::create(program);
  if (!instance.ok())
    return;
  std::vector<std::vector<float>> values;
  for (const IoInfo &info : program->inputs()) {
    uint64_t cells = uint64_t(info.rows) * info.cols;
    if (cells > maxBytesToRun)
      return;
    values.emplace_back(cells);
    (void)(*instance)->setInput(
        info.name,
        ConstMatrixView(values.back().data(), info.rows, info.cols, info.cols));
  }
  if ((*instance)->run().ok())
    (void)(*instance)->run();
}

/// Returns the input without its checksums, so that damaged bytes reach the
/// later checks; aligned like a mapped file.
static std::vector<uint64_t> prepare(const uint8_t *data, size_t size) {
  std::vector<uint64_t> words((size + 7) / 8);
  if (size > 0)
    std::memcpy(words.data(), data, size);
  ContainerHeader header;
  if (size < sizeof(header))
    return words;
  std::memcpy(&header, words.data(), sizeof(header));
  if (std::memcmp(header.magic, kContainerMagic, sizeof(header.magic)) == 0) {
    header.programChecksum = header.weightsChecksum = 0;
    std::memcpy(words.data(), &header, sizeof(header));
  }
  return words;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint64_t> words = prepare(data, size);
  auto program = Program::load(words.data(), size);
  if (!program.ok())
    return 0;
  for (int32_t i = 0; i < (*program)->numCommands(); ++i)
    (void)(*program)->commandText(i);
  if ((*program)->arenaBytes() <= maxBytesToRun &&
      (*program)->numCommands() <= maxCommandsToRun)
    runOnZeros(*program);
  return 0;
}
