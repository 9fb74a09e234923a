//===- ComponentCorruptionTest.cpp - Damaged components -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CorruptionTest.cpp: here, what is verified by the components.
//
//===----------------------------------------------------------------------===//

#include "core/ProgramData.h"
#include "test/support/ComponentSamples.h"
#include "test/support/DamagedProgram.h"
#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Properties of a component.
uint32_t propertiesOf(const ComponentSample &sample) {
  ProgramWriter writer;
  writer.component("c", sample.type, sample.attrs);
  const auto program = load(writer);
  return program ? program->data().components[0]->properties() : 0;
}

/// A program of one such component, forward and backward.
std::vector<uint8_t> sampleFile(const ComponentSample &sample) {
  const uint32_t properties = propertiesOf(sample);
  ProgramWriter writer;
  CommandData command{Opcode::Propagate};
  command.component = writer.component("c", sample.type, sample.attrs);
  const int32_t in = writer.input("input", sample.inRows, sample.inCols);
  const int32_t out = writer.zeroed(sample.outRows, sample.outCols);
  if (!sample.precomputed.empty())
    command.precomputed = writer.precomputed(sample.precomputed);
  command.memo = properties & kUsesMemo ? 0 : -1;
  command.src = in;
  command.dst = out;
  writer.command(command);
  command.inValue = in;
  if (properties & kStoresStats) {
    command.opcode = Opcode::StoreStats;
    command.src = out;
    writer.command(command);
  }
  writer.output("output", out);
  writer.command({Opcode::NoOperationMarker});
  command.opcode = Opcode::Backprop;
  command.outValue = out;
  command.src = writer.input("output", sample.outRows, sample.outCols, true);
  command.dst = writer.zeroed(sample.inRows, sample.inCols);
  writer.command(command);
  writer.output("input", command.dst, true);
  return writer.finishFile(/*withChecksums=*/false);
}

TEST(ComponentCorruptionTest, EveryChangedByteIsHarmless) {
  for (const ComponentSample &sample : componentSamples()) {
    const std::vector<uint8_t> file = sampleFile(sample);
    ASSERT_TRUE(loadAndRun(file)) << sample.type;
    for (size_t i = 0; i < file.size(); ++i)
      for (uint8_t change : {0x01, 0x40, 0x80, 0xFF}) {
        std::vector<uint8_t> damaged = file;
        damaged[i] ^= change;
        loadAndRun(damaged);
      }
  }
}

} // namespace
