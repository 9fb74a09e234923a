//===- CudaBackwardTest.cpp - Derivatives of a GPU that is not there ------===//
//
// Backward passes on the way of nnet3-run --backend=cuda, as CudaTest has it,
// against those of the interpreter: outputs, derivatives of inputs, gradients.
//
//===----------------------------------------------------------------------===//

#include "BackwardProgram.h"
#include "DeviceExecution.h"
#include "PropertyTest.h"

#include "nnet3/Pipelines/CudaRunner.h"
#include "nnet3/Pipelines/DeviceCode.h"

using namespace nnet3::property;
using namespace mlir::nnet3;
using nnet3::RequestInstance;
using nnet3::runtime::test::FakeCuda;
namespace runtime = nnet3::runtime;

namespace {

class CudaBackwardTest : public PropertyTest {
protected:
  CudaBackwardTest() : PropertyTest(/*training=*/true) {}
};

/// The request without statistics, which the device does not keep.
std::unique_ptr<Case> withoutStatistics(const Case &test) {
  RandomRequest request = test.getRequest();
  request.storesStats = false;
  return test.withRequest(request);
}

/// The kernels of the request; where there are none, `refusal` receives why.
std::unique_ptr<nnet3::test::HostKernels> makeKernels(const Case &test,
                                                      std::string &refusal) {
  auto module =
      nnet3::test::copyNetwork(test.getNetworkOp(), {test.getRequestOp()});
  mlir::ScopedDiagnosticHandler handler(module->getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          refusal += diagnostic.str();
                                          return mlir::success();
                                        });
  auto kernels = nnet3::test::HostKernels::create(std::move(module));
  return mlir::succeeded(kernels) ? std::move(*kernels) : nullptr;
}

/// What the instance's outputs are, as `BackwardProgram` has it.
void readOutputs(const Case &test, const RequestInstance &instance,
                 Derivatives &result) {
  auto read = [&](const RandomIo &io, Tensors &tensors, const char *name) {
    auto view = instance.output(io.node);
    ASSERT_TRUE(view.ok()) << view.status().message();
    tensors[name] = {view->data, view->data + int64_t(view->rows) * view->cols};
  };
  for (const RandomIo &io : test.getRequest().outputs)
    read(io, result.outputs, io.node.c_str());
  for (const RandomIo &io : test.getRequest().inputs)
    if (io.hasDeriv)
      read(io, result.of[io.node], kValue);
}

/// One run of both passes.
Derivatives runOnce(const Case &test, RequestInstance &instance,
                    runtime::Model &gradient) {
  auto nodes = NodeTable::get(test.getNetworkOp());
  for (const RandomIo &io : test.getRequest().inputs)
    EXPECT_TRUE(instance.setInput(io.node, getRows(io, *nodes)).ok());
  for (const RandomIo &io : test.getRequest().outputs)
    if (io.hasDeriv)
      EXPECT_TRUE(instance.setInput(io.node, getRows(io, *nodes)).ok());
  const runtime::Status ran = instance.run();
  EXPECT_TRUE(ran.ok()) << ran.message();
  Derivatives result;
  readOutputs(test, instance, result);
  gradient.setZero();
  const runtime::Status added = instance.addGradient(gradient);
  EXPECT_TRUE(added.ok()) << added.message();
  result.of.merge(readParameters(test, gradient));
  return result;
}

/// Three runs, launched, recorded and replayed, against the interpreter.
void compareRuns(const Case &test, ComputationOp computation,
                 RequestInstance &instance) {
  auto program = BackwardProgram::create(test, computation);
  ASSERT_TRUE(program.ok());
  auto expected = (*program)->run(test.getRequest());
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  auto gradient = runtime::Model::create(*load(test, computation));
  ASSERT_TRUE(gradient.ok());
  const Derivatives first = runOnce(test, instance, **gradient);
  EXPECT_EQ(compareTensors("output", first.outputs, expected->outputs, 1e-4),
            "");
  ASSERT_EQ(first.of.size(), expected->of.size());
  for (const auto &[name, tensors] : expected->of)
    EXPECT_EQ(compareTensors(name, first.of.at(name), tensors, 1e-4), "");
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(runOnce(test, instance, **gradient) == first);
}

} // namespace

TEST_F(CudaBackwardTest, SameNumbers) {
  int numCases = 0, numRefused = 0;
  forEachCase([&](const Case &original) {
    std::unique_ptr<Case> test = withoutStatistics(original);
    if (!nnet3::hasDerivatives(test->getRequestOp()))
      return;
    Compiled compiled = compile(*test);
    if (!compiled.op)
      return;
    std::string refusal;
    auto kernels = makeKernels(*test, refusal);
    if (!kernels) {
      // Other components are left to the interpreter.
      EXPECT_TRUE(llvm::StringRef(refusal).contains("for devices") ||
                  llvm::StringRef(refusal).contains("with a memo"))
          << refusal;
      ++numRefused;
      return;
    }
    FakeCuda cuda;
    kernels->addTo(cuda);
    auto runner =
        nnet3::CudaRunner::create(test->getNetworkOp(), {}, &cuda.getApi());
    ASSERT_TRUE(mlir::succeeded(runner));
    auto instance = (*runner)->makeInstance(test->getRequestOp());
    ASSERT_TRUE(mlir::succeeded(instance));
    compareRuns(*test, compiled.op, **instance);
    ++numCases;
  });
  std::printf("%d cases, %d refused\n", numCases, numRefused);
  EXPECT_GT(numCases, 0);
}
