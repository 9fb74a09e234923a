//===- TrainedModelTest.cpp - From training to a raw model ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Compile.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Program/ProgramEmitter.h"
#include "nnet3/runtime/Trainer.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace ::nnet3::rt;

namespace {

/// y = 2 x + 1, and a request that trains it.
constexpr const char *kModule = R"mlir(
nnet3.network @net {
  nnet3.affine @affine {input_dim = 1 : i64, output_dim = 1 : i64, learning_rate = 0.125 : f32,
      linear_params = dense<2.0> : tensor<1x1xf32>, bias_params = dense<1.0> : tensor<1xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %y = nnet3.component_node "y" @affine(%in) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %y objective quadratic : !nnet3.rows<1>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = 0>
  nnet3.request_output "output" <t = 0> deriv
}
)mlir";

/// Compiles the request for the runtime.
std::shared_ptr<const Program> compile(ModuleOp module,
                                       const mlir::nnet3::ParameterBlob &blob) {
  auto network = *module.getOps<NetworkOp>().begin();
  auto request = *module.getOps<RequestOp>().begin();
  auto nodes = NodeTable::get(network);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto computation = compileRequest(builder, network, *nodes, request);
  auto bytes = mlir::nnet3::emitProgram(*computation, blob, request);
  LoadOptions options;
  options.weights = blob.getData().get();
  options.weightsSize = blob.getSize();
  options.keepAlive = blob.getData();
  auto program = Program::load(bytes->data(), bytes->size(), options);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return *program;
}

float numberOf(NetworkOp network, StringRef tensor) {
  Operation &affine = network.getBody().front().front();
  float value = 0;
  EXPECT_TRUE(succeeded(mlir::nnet3::copyTensor(
      affine.getAttrOfType<ElementsAttr>(tensor), &value)));
  return value;
}

/// Runs one step of stochastic gradient ascent; the updated model is written
/// and read as a raw model.
TEST(TrainedModelTest, IsWrittenAsARawModel) {
  MLIRContext context;
  context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  auto module = parseSourceString<ModuleOp>(kModule, &context);
  auto network = *module->getOps<NetworkOp>().begin();
  auto blob = mlir::nnet3::ParameterBlob::create(network);
  ASSERT_TRUE(succeeded(blob));
  auto program = compile(*module, *blob);
  auto trainer = std::move(*Trainer::create(program));

  // y = 7, so its derivative is 3, and the gradient is (9, 3): at a rate of
  // 0.125 a change of (1.125, 0.375), whose norm is below the limit of 2.
  const float x = 3, target = 10;
  Minibatch minibatch;
  minibatch.inputs.push_back({"input", ConstMatrixView(&x, 1, 1, 1)});
  minibatch.supervision.push_back(
      {"output", ConstMatrixView(&target, 1, 1, 1)});
  auto step = trainer->train(program, minibatch);
  ASSERT_TRUE(step.ok()) << step.status().message();
  EXPECT_FLOAT_EQ(step->objectives[0].objective.value, -4.5);

  for (bool binary : {false, true}) {
    auto updated = mlir::nnet3::exportModel(trainer->model(), network);
    std::string raw;
    llvm::raw_string_ostream stream(raw);
    ASSERT_TRUE(succeeded(mlir::nnet3::writeModel(*updated, stream, binary)));
    auto read = mlir::nnet3::readModel(raw, "updated.raw", &context);
    ASSERT_TRUE(read);
    NetworkOp again = mlir::nnet3::getOnlyNetwork(*read);
    EXPECT_FLOAT_EQ(numberOf(again, "linear_params"), 3.125f);
    EXPECT_FLOAT_EQ(numberOf(again, "bias_params"), 1.375f);
  }
  // The network itself is as before.
  EXPECT_EQ(numberOf(network, "linear_params"), 2.0f);
}

} // namespace
