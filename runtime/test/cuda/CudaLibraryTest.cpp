//===- CudaLibraryTest.cpp - Libraries on a fake GPU ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCuda.h"
#include "library/CudaBackend.h"
#include "nnet3/runtime/cuda/AlgorithmTable.h"
#include "nnet3/runtime/cuda/DeviceMemory.h"
#include "test/library/LibraryTesting.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

FakeCuda *fake = nullptr;

Result<const cuda::CudaApi *> loadFake() {
  if (!fake)
    return Status(NNET3RT_NO_DEVICE, "needs a GPU: there is none");
  return &fake->getApi();
}

constexpr nnet3lib_backend kBackend = {
    [](const nnet3lib_model &model, std::unique_ptr<BackendModel> &loaded) {
      return loadCudaModel(model, loadFake, loaded);
    }};

/// Request 0: y = 2 (x W^T), where x is 2 x 3, W is 2 x 3, and y is 2 x 2.
/// Request 1: the same for one row.
LibraryWriter makeLibrary() {
  LibraryWriter writer;
  writer.network = "net";
  writer.codeWeights = {1, 0, 0, 1, 1, 1};
  cuda::Kernel product, single, twice;
  product.numPlaces = single.numPlaces = 3;
  product.product = {2, 2, 3, 3, 3, 2, 1, 0, 0, 0};
  single.product = {1, 2, 3, 3, 3, 2, 1, 0, 0, 0};
  twice.name = "twice";
  twice.numPlaces = 2;
  writer.device.ptx = {{80, "// kernels"}};
  writer.device.kernels = {product, single, twice};
  writer.rowTables = {0, 2};
  writer.requests = {{"two",
                      32,
                      {{"input", 2, 3, 0, 3, {}, {}, {}}},
                      {{"output", 2, 2, 16, 2, {}, {}, {}}},
                      {0, 0, 0, 8, /**/ 2, 8, 16, /**/ 2, 10, 18}},
                     {"one",
                      32,
                      {{"input", 1, 3, 0, 3, {}, {}, {}}},
                      {{"output", 1, 2, 16, 2, {}, {}, {}}},
                      {1, 0, 0, 8, /**/ 2, 8, 16}}};
  return writer;
}

void noCode(float *, const float *, const int32_t *, void *) {}

class CudaLibraryTest : public testing::Test {
protected:
  CudaLibraryTest() {
    fake = &cuda;
    cuda.kernels["twice"] = {[](const KernelLaunch &launch) {
                               for (int i = 0; i < launch.tables[0]; ++i)
                                 launch.arena[launch.places[1] + i] =
                                     2 * launch.arena[launch.places[0] + i];
                             },
                             2};
  }
  ~CudaLibraryTest() override { fake = nullptr; }

  static Opened openLibrary(LibraryWriter writer) {
    static std::vector<std::unique_ptr<TestImage>> images;
    images.push_back(std::make_unique<TestImage>(writer, noCode));
    images.back()->image.runs = nullptr;
    images.back()->image.backend = &kBackend;
    return open(images.back()->get());
  }

  static nnet3lib_status create(const Opened &opened, int32_t request,
                                InstanceHandle &instance,
                                std::string *message = nullptr) {
    char text[256] = "not set";
    auto options = sized<nnet3lib_instance_options>();
    options.message = text;
    options.message_size = sizeof(text);
    nnet3lib_instance *created = nullptr;
    const nnet3lib_status status = nnet3lib_instance_create_with(
        opened.model.get(), request, &options, &created);
    instance.reset(created);
    if (message)
      *message = text;
    return status;
  }

  static nnet3lib_status run(nnet3lib_instance *instance, const Matrix &in,
                             Matrix &out) {
    const nnet3lib_input input = inputOf(in);
    const nnet3lib_output output = outputOf(out);
    return nnet3lib_instance_run(instance, &input, 1, &output, 1);
  }

  FakeCuda cuda;
};

Matrix makeInput(int32_t rows, float first) {
  Matrix in(rows, 3);
  for (float &value : in.values)
    value = first++;
  return in;
}

} // namespace

TEST_F(CudaLibraryTest, RunsBothRequests) {
  {
    const Opened opened = openLibrary(makeLibrary());
    ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
    const char *target = nullptr;
    EXPECT_EQ(nnet3lib_get_target(opened.model.get(), &target), NNET3LIB_OK);
    EXPECT_STREQ(target, "cuda");
    InstanceHandle two, one, again;
    ASSERT_EQ(create(opened, 0, two), NNET3LIB_OK);
    ASSERT_EQ(create(opened, 1, one), NNET3LIB_OK);
    ASSERT_EQ(create(opened, 1, again), NNET3LIB_OK);
    // Weights and row tables are there once.
    EXPECT_EQ(cuda.calls,
              (std::vector<std::string>{"to device 24", "to device 4"}));
    for (float first : {1.0f, 10.0f, 100.0f}) {
      Matrix out(2, 2);
      ASSERT_EQ(run(two.get(), makeInput(2, first), out), NNET3LIB_OK);
      EXPECT_EQ(out.values,
                (std::vector<float>{2 * first, 6 * first + 6, 2 * first + 6,
                                    6 * first + 24}));
      Matrix single(1, 2);
      ASSERT_EQ(run(one.get(), makeInput(1, first), single), NNET3LIB_OK);
      EXPECT_EQ(single.values, (std::vector<float>{2 * first, 6 * first + 6}));
    }
    const float *data = nullptr;
    EXPECT_EQ(nnet3lib_instance_get_output(one.get(), 0, &data, nullptr),
              NNET3LIB_OK);
    EXPECT_EQ(data[0], 200);
  }
  EXPECT_EQ(cuda.numAlive, 0);
}

/// Instances in turn, as the header says.
TEST_F(CudaLibraryTest, TwoInTurn) {
  const Opened opened = openLibrary(makeLibrary());
  InstanceHandle a, b;
  ASSERT_EQ(create(opened, 1, a), NNET3LIB_OK);
  ASSERT_EQ(create(opened, 1, b), NNET3LIB_OK);
  auto submit = [](const InstanceHandle &to, float first) {
    const Matrix in = makeInput(1, first);
    const nnet3lib_input input = inputOf(in);
    return nnet3lib_instance_submit(to.get(), &input, 1);
  };
  ASSERT_EQ(submit(a, 0), NNET3LIB_OK);
  for (int chunk = 1; chunk < 6; ++chunk) {
    ASSERT_EQ(submit(b, float(chunk)), NNET3LIB_OK);
    EXPECT_EQ(submit(b, float(chunk)), NNET3LIB_BUSY);
    Matrix out(1, 2);
    const nnet3lib_output output = outputOf(out);
    ASSERT_EQ(nnet3lib_instance_wait(a.get(), &output, 1), NNET3LIB_OK);
    EXPECT_EQ(out.values[0], 2 * (chunk - 1));
    std::swap(a, b);
  }
}

TEST_F(CudaLibraryTest, DataOnTheDevice) {
  const Opened opened = openLibrary(makeLibrary());
  auto options = sized<nnet3lib_instance_options>();
  cuda::Stream stream = nullptr;
  cuda::Context context = nullptr;
  ASSERT_EQ(cuda.getApi().driver.primaryRetain(&context, 0), 0);
  const cuda::ContextScope scope(cuda.getApi(), context);
  ASSERT_EQ(cuda.getApi().driver.streamCreate(&stream, 0), 0);
  cuda.takesAnyAddress = true;
  options.stream = stream;
  nnet3lib_instance *created = nullptr;
  ASSERT_EQ(
      nnet3lib_instance_create_with(opened.model.get(), 0, &options, &created),
      NNET3LIB_OK);
  InstanceHandle instance(created);
  const Matrix in = makeInput(2, 1);
  Matrix out(2, 2);
  const nnet3lib_input input = inputOf(in);
  const nnet3lib_output output = outputOf(out);
  for (int run = 0; run < 3; ++run) {
    std::fill(out.values.begin(), out.values.end(), 0.0f);
    ASSERT_EQ(nnet3lib_instance_submit_on_device(instance.get(), &input, 1,
                                                 &output, 1),
              NNET3LIB_OK);
    EXPECT_EQ(out.values, (std::vector<float>{2, 12, 8, 30}));
  }
  EXPECT_EQ(cuda.stream, stream);
  EXPECT_EQ(nnet3lib_instance_wait(instance.get(), nullptr, 0), NNET3LIB_OK);
  EXPECT_EQ(nnet3lib_instance_wait(instance.get(), &output, 1),
            NNET3LIB_NOT_READY);
  instance.reset();
  cuda.getApi().driver.streamDestroy(stream);
}

TEST_F(CudaLibraryTest, MemoryOfTheCaller) {
  const Opened opened = openLibrary(makeLibrary());
  auto about = sized<nnet3lib_request_info>();
  ASSERT_EQ(nnet3lib_get_request_info(opened.model.get(), 1, &about),
            NNET3LIB_OK);
  const AlignedCopy memory(std::vector<uint8_t>(about.instance_bytes));
  nnet3lib_instance *created = nullptr;
  ASSERT_EQ(nnet3lib_instance_create_in(opened.model.get(), 1,
                                        const_cast<void *>(memory.data()),
                                        about.instance_bytes, &created),
            NNET3LIB_OK);
  const InstanceHandle instance(created);
  Matrix out(1, 2);
  EXPECT_EQ(run(instance.get(), makeInput(1, 1), out), NNET3LIB_OK);
  EXPECT_EQ(out.values, (std::vector<float>{2, 12}));
}

namespace {
/// Request 1 writes the state of random numbers.
LibraryWriter makeDrawingLibrary() {
  LibraryWriter writer = makeLibrary();
  cuda::Kernel state;
  state.name = "state";
  state.numPlaces = 2;
  writer.device.kernels.push_back(state);
  auto &request = writer.requests[1];
  request.random = 24;
  request.outputs[0].cols = request.outputs[0].stride = 3;
  request.launches = {3, 24, 16};
  return writer;
}

void writeState(const KernelLaunch &launch) {
  for (int i = 0; i < 3; ++i) {
    uint32_t word;
    std::memcpy(&word, &launch.arena[launch.places[0] + i], sizeof(word));
    launch.arena[launch.places[1] + i] = static_cast<float>(word);
  }
}
} // namespace

/// The seed and the count of runs, launched, recorded and replayed.
TEST_F(CudaLibraryTest, StateOfRandomNumbers) {
  cuda.takesAnyAddress = true;
  cuda.kernels["state"] = {writeState, 2};
  const Opened opened = openLibrary(makeDrawingLibrary());
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  const Matrix in = makeInput(1, 1);
  const nnet3lib_input input = inputOf(in);
  for (bool onDevice : {false, true}) {
    auto options = sized<nnet3lib_instance_options>();
    options.seed = uint64_t(7) << 32 | 5;
    nnet3lib_instance *created = nullptr;
    ASSERT_EQ(nnet3lib_instance_create_with(opened.model.get(), 1, &options,
                                            &created),
              NNET3LIB_OK);
    const InstanceHandle instance(created);
    for (float count : {0.0f, 1.0f, 2.0f, 3.0f}) {
      Matrix out(1, 3);
      const nnet3lib_output output = outputOf(out);
      ASSERT_EQ(onDevice ? nnet3lib_instance_submit_on_device(
                               instance.get(), &input, 1, &output, 1)
                         : nnet3lib_instance_run(instance.get(), &input, 1,
                                                 &output, 1),
                NNET3LIB_OK);
      EXPECT_EQ(out.values, (std::vector<float>{5, 7, count}));
    }
  }
}

TEST_F(CudaLibraryTest, StateOutsideOfTheArena) {
  cuda.kernels["state"] = {writeState, 2};
  LibraryWriter writer = makeDrawingLibrary();
  writer.requests[1].random = 29; // of 32, for 4 words
  const Opened opened = openLibrary(writer);
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  InstanceHandle instance;
  std::string message;
  EXPECT_EQ(create(opened, 1, instance, &message), NNET3LIB_DAMAGED);
  EXPECT_NE(message.find("random numbers is outside"), std::string::npos);
}

/// The library opens and tells what it computes; an instance needs a device.
TEST_F(CudaLibraryTest, NoDevice) {
  fake = nullptr;
  const Opened opened = openLibrary(makeLibrary());
  ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
  auto matrix = sized<nnet3lib_matrix_info>();
  EXPECT_EQ(nnet3lib_get_input_info(opened.model.get(), 0, 0, &matrix),
            NNET3LIB_OK);
  EXPECT_EQ(matrix.rows, 2);
  InstanceHandle instance;
  std::string message;
  EXPECT_EQ(create(opened, 0, instance, &message), NNET3LIB_NO_DEVICE);
  EXPECT_EQ(message, "needs a GPU: there is none");
  EXPECT_EQ(nnet3lib_instance_create(opened.model.get(), 0, nullptr),
            NNET3LIB_NULL_ARGUMENT);
  // Another one may come.
  fake = &cuda;
  EXPECT_EQ(create(opened, 0, instance, &message), NNET3LIB_OK);
  EXPECT_EQ(message, "");
}

TEST_F(CudaLibraryTest, NoSuchDevice) {
  const Opened opened = openLibrary(makeLibrary());
  auto options = sized<nnet3lib_instance_options>();
  options.device = 1;
  nnet3lib_instance *created = nullptr;
  EXPECT_EQ(
      nnet3lib_instance_create_with(opened.model.get(), 0, &options, &created),
      NNET3LIB_NO_DEVICE);
  EXPECT_EQ(cuda.numAlive, 0);
}

/// Any call may fail: the error is reported and nothing leaks.
TEST_F(CudaLibraryTest, EveryCallMayFail) {
  int64_t numFailures = 0;
  LibraryWriter writer = makeLibrary();
  writer.requests[0].random = 24;
  for (int64_t call = 0;; ++call) {
    cuda.failingCall = call;
    cuda.numCalls = 0;
    nnet3lib_status status;
    {
      const Opened opened = openLibrary(writer);
      ASSERT_EQ(opened.status, NNET3LIB_OK);
      InstanceHandle instance;
      status = create(opened, 0, instance);
      for (int i = 0; i < 3 && status == NNET3LIB_OK; ++i) {
        Matrix out(2, 2);
        status = run(instance.get(), makeInput(2, 1), out);
        if (status == NNET3LIB_OK)
          EXPECT_EQ(out.values, (std::vector<float>{2, 12, 8, 30}));
        else
          EXPECT_EQ(status, NNET3LIB_DEVICE_FAILED);
      }
      EXPECT_EQ(instance.get() == nullptr,
                status != NNET3LIB_OK && status != NNET3LIB_DEVICE_FAILED);
    }
    EXPECT_EQ(cuda.numAlive, 0) << "call " << call;
    if (cuda.numCalls <= call)
      break;
    numFailures += status != NNET3LIB_OK;
  }
  EXPECT_GT(numFailures, 40);
}

/// The image of later processes has the tuning data.
TEST_F(CudaLibraryTest, Tuned) {
  LibraryWriter writer = makeLibrary();
  TestImage image(writer, noCode);
  std::vector<uint8_t> room(cuda::getAlgorithmBytes(2));
  image.image.runs = nullptr;
  image.image.backend = &kBackend;
  image.image.tuning = room.data();
  image.image.tuning_size = room.size();
  {
    const Opened opened = open(image.get());
    ASSERT_EQ(opened.status, NNET3LIB_OK) << opened.message;
    auto info = sized<nnet3lib_tuning_info>();
    ASSERT_EQ(nnet3lib_get_tuning_info(opened.model.get(), &info), NNET3LIB_OK);
    EXPECT_EQ(info.place, room.data());
    ASSERT_EQ(info.bytes, room.size());
    EXPECT_EQ(nnet3lib_tune(opened.model.get(), nullptr, room.data(),
                            room.size() - 1),
              NNET3LIB_MEMORY_TOO_SMALL);
    EXPECT_EQ(nnet3lib_tune(opened.model.get(), nullptr, nullptr, room.size()),
              NNET3LIB_NULL_ARGUMENT);
    std::vector<uint8_t> measured(room.size());
    ASSERT_EQ(nnet3lib_tune(opened.model.get(), nullptr, measured.data(),
                            measured.size()),
              NNET3LIB_OK);
    room = measured;
  }
  image.image.tuning = room.data();
  const Opened opened = open(image.get());
  InstanceHandle two;
  ASSERT_EQ(create(opened, 0, two), NNET3LIB_OK);
  cuda.calls.clear();
  Matrix out(2, 2);
  ASSERT_EQ(run(two.get(), makeInput(2, 1), out), NNET3LIB_OK);
  EXPECT_EQ(out.values, (std::vector<float>{2, 12, 8, 30}));
  EXPECT_EQ(cuda.calls[1], "matmul 1");
}

TEST_F(CudaLibraryTest, TuningWithoutADevice) {
  const Opened opened = openLibrary(makeLibrary());
  fake = nullptr;
  char text[256] = "";
  auto options = sized<nnet3lib_instance_options>();
  options.message = text;
  options.message_size = sizeof(text);
  char memory[1];
  EXPECT_EQ(nnet3lib_tune(opened.model.get(), &options, memory, 1),
            NNET3LIB_NO_DEVICE);
  EXPECT_STREQ(text, "needs a GPU: there is none");
}

/// Opening a library checks everything that needs no device.
TEST_F(CudaLibraryTest, Damaged) {
  auto expectDamaged = [&](const LibraryWriter &writer, const char *message) {
    const Opened opened = openLibrary(writer);
    EXPECT_EQ(opened.status, NNET3LIB_DAMAGED);
    EXPECT_EQ(opened.message, message);
  };
  LibraryWriter writer = makeLibrary();
  writer.requests[0].outputs[0].stride = 3;
  expectDamaged(writer, "matrix 'output' has gaps between its rows");
  writer = makeLibrary();
  writer.device.kernels.clear();
  expectDamaged(writer, "there is no code for a GPU");
  writer = makeLibrary();
  writer.components = {{"relu", "RectifiedLinearComponent", {}}};
  writer.components[0].attrs = {};
  EXPECT_NE(openLibrary(writer).status, NNET3LIB_OK);

  // The rest when it is on a device.
  writer = makeLibrary();
  writer.requests[0].launches = {0, 1, 0, 8};
  const Opened opened = openLibrary(writer);
  InstanceHandle instance;
  std::string message;
  EXPECT_EQ(create(opened, 0, instance, &message), NNET3LIB_DAMAGED);
  EXPECT_EQ(message, "matmul 0 is outside of the arena or the weights");
}

/// Code for a GPU in a library that is linked without.
TEST(CudaLibraryImageTest, NoBackend) {
  LibraryWriter writer = makeLibrary();
  const TestImage image(writer, noCode);
  const Opened opened = open(image.get());
  EXPECT_EQ(opened.status, NNET3LIB_DAMAGED);
  EXPECT_EQ(opened.message, "the code for a GPU has no backend");
}
