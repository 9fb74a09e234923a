//===- DamagedProgram.cpp - Running what may be damaged -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DamagedProgram.h"
#include "ProgramWriter.h"
#include "core/ProgramData.h"
#include "nnet3/runtime/Model.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

static void runAll(const std::shared_ptr<const Program> &program) {
  auto model = Model::create(program);
  auto gradient = Model::create(program);
  InstanceOptions options;
  if (model.ok() && gradient.ok()) {
    options.model = model->get();
    options.gradient = gradient->get();
  }
  auto instance = Instance::create(program, options);
  ASSERT_TRUE(instance.ok());
  std::vector<Matrix> inputs;
  for (const IoInfo &io : program->inputs())
    inputs.emplace_back(io.rows, io.cols, 0.5f);
  for (size_t i = 0; i < inputs.size(); ++i)
    EXPECT_TRUE((*instance)
                    ->setInput(program->inputs()[i].name, inputs[i].view())
                    .ok());
  for (size_t i = 0; i < program->data().segments.size(); ++i)
    EXPECT_TRUE((*instance)->run().ok());
}

bool loadAndRun(const std::vector<uint8_t> &file) {
  // Aligned memory of the very size, so that a sanitizer sees each byte beyond.
  void *bytes = nullptr;
  if (posix_memalign(&bytes, 64, std::max<size_t>(file.size(), 1)) != 0)
    abort();
  std::copy(file.begin(), file.end(), static_cast<uint8_t *>(bytes));
  bool loaded = false;
  {
    LoadOptions options;
    options.maxArenaBytes = 1 << 20;
    auto program = Program::load(bytes, file.size(), options);
    if (program.ok()) {
      loaded = true;
      runAll(*program);
    } else {
      EXPECT_FALSE(program.status().message().empty());
    }
  }
  free(bytes);
  return loaded;
}

} // namespace test
} // namespace rt
} // namespace nnet3
