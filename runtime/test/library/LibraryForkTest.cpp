//===- LibraryForkTest.cpp - Instances in the child of a fork() -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child has the memory of its parent and none of the other threads.
//
//===----------------------------------------------------------------------===//

#include "demo.h"
#include "test/support/DemoNetwork.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nnet3::rt::test;

#if defined(__SANITIZE_THREAD__)
#define NNET3_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NNET3_THREAD_SANITIZER 1
#endif
#endif

namespace {

/// Seconds after which a child that hangs ends.
constexpr unsigned kTimeout = 60;

class LibraryForkTest : public testing::Test {
protected:
  void SetUp() override {
#ifdef NNET3_THREAD_SANITIZER
    GTEST_SKIP() << "ThreadSanitizer has no threads behind a fork()";
#endif
    ASSERT_EQ(demo_model_open(DEMO_ABI_VERSION, nullptr, &model), DEMO_OK);
    demo_instance_options options = {};
    options.struct_size = sizeof(options);
    options.num_threads = 3;
    ASSERT_EQ(demo_instance_create_with(model, 0, &options, &instance),
              DEMO_OK);
  }
  void TearDown() override {
    demo_instance_destroy(instance);
    demo_model_close(model);
  }

  std::vector<float> run() {
    const Matrix in = randomMatrix(3, 4, 5);
    Matrix hidden(3, 5);
    const demo_input input = {in.values.data(), 4, 3, 4};
    const demo_output outputs[] = {{hidden.values.data(), 5, 3, 5},
                                   {nullptr, 0, 2, 2}};
    EXPECT_EQ(demo_instance_run(instance, &input, 1, outputs, 2), DEMO_OK);
    return hidden.values;
  }

  demo_model *model = nullptr;
  demo_instance *instance = nullptr;
};

/// Whether \p isGood is true in a child of this process.
template <typename Function> bool isGoodInChild(Function isGood) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kTimeout);
    _exit(isGood() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status == 0;
}

TEST_F(LibraryForkTest, RunsInTheChild) {
  const std::vector<float> expected = run();
  EXPECT_TRUE(isGoodInChild([&] {
    const bool isGood = run() == expected && run() == expected;
    demo_instance_destroy(instance);
    return isGood;
  }));
  EXPECT_EQ(run(), expected);
}

TEST_F(LibraryForkTest, RunsInAChildOfTheChild) {
  const std::vector<float> expected = run();
  EXPECT_TRUE(isGoodInChild([&] {
    return run() == expected &&
           isGoodInChild([&] { return run() == expected; }) &&
           run() == expected;
  }));
}

TEST_F(LibraryForkTest, EndsInTheChildWithoutARun) {
  EXPECT_TRUE(isGoodInChild([&] {
    demo_instance_destroy(instance);
    return true;
  }));
}

} // namespace
