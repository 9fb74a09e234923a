//===- AllocationTest.cpp - A run allocates nothing -----------------------===//
//
// malloc and its relatives are replaced for the whole process and counted.
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

static std::atomic<bool> counting{false};
static std::atomic<int> allocations{0};

static void count() {
  if (counting)
    ++allocations;
}

extern "C" {
void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
}

using namespace nnet3::runtime;
using namespace nnet3::runtime::test;

namespace {

TEST(AllocationTest, RunAllocatesNothing) {
  ProgramWriter writer;
  const int32_t affine = writer.component(
      "a", "NaturalGradientAffineComponent",
      {{"input_dim", 40},
       {"output_dim", 64},
       {"linear_params", tensor(randomMatrix(64, 40, 1))},
       {"bias_params", vectorTensor(randomMatrix(1, 64, 2).values)}});
  const int32_t norm =
      writer.component("b", "BatchNormComponent", {{"dim", 64}});
  const int32_t drop =
      writer.component("g", "GeneralDropoutComponent", {{"dim", 64}});
  const int32_t softmax =
      writer.component("l", "LogSoftmaxComponent", {{"dim", 64}});
  const int32_t in = writer.input("input", 50, 40);
  const int32_t h = writer.zeroed(50, 64), out = writer.zeroed(50, 64);
  writer.propagate(affine, in, h);
  writer.propagate(norm, h, h);
  writer.propagate(
      drop, h, h,
      writer.precomputed(
          {{"num_mask_rows", 1}, {"indexes", std::vector<int64_t>(50, 0)}}));
  writer.propagate(softmax, h, out);
  writer.output("output", out);
  auto instance = Instance::create(load(writer));
  ASSERT_TRUE(instance.ok());
  const Matrix input = randomMatrix(50, 40, 3);
  // The first product makes BLAS set up its own buffers.
  for (bool counted : {false, true}) {
    ASSERT_TRUE((*instance)->setInput("input", input.view()).ok());
    counting = counted;
    const Status status = (*instance)->run();
    counting = false;
    ASSERT_TRUE(status.ok());
  }
  EXPECT_EQ(allocations, 0);
  // The counter counts.
  counting = true;
  char *volatile observed = new char[1000];
  counting = false;
  delete[] observed;
  EXPECT_EQ(allocations, 1);
}

} // namespace
