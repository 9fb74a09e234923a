//===- ProgramEmitterTest.cpp - Computations as runtime programs ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Program/ProgramEmitter.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/program_generated.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using mlir::nnet3::ComputationOp;
using mlir::nnet3::NetworkOp;
using mlir::nnet3::RequestOp;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
namespace schema = ::nnet3::rt::schema;

namespace {

/// y(t) = relu(W [x(t - 1); x(t)] + b) for t = 0, 1, where x(-1) is missing and
/// counts as zero.
constexpr const char *kExample = R"mlir(
nnet3.network @net {
  nnet3.affine @affine {bias_params = dense<[0.5, -10.0]> : tensor<2xf32>,
      input_dim = 2 : i64, output_dim = 2 : i64,
      linear_params = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}
  nnet3.rectified_linear @relu {dim = 2 : i64}
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %prev = nnet3.offset %in, t = -1 : !nnet3.rows<1>
  %opt = nnet3.if_defined %prev : !nnet3.rows<1>
  %x = nnet3.append %opt, %in : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %a = nnet3.component_node "a" @affine(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %r = nnet3.component_node "r" @relu(%a) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %r : !nnet3.rows<2>
}
nnet3.request @r for @net {
  nnet3.request_input "input" <t = 0:1>
  nnet3.request_output "output" <t = 0:1>
}
nnet3.computation @c for @net {
  %in = nnet3.accept_input "input" : memref<2x1xf32>
  %x = nnet3.alloc_matrix_zeroed : memref<2x2xf32>
  %rows = nnet3.sub_matrix %x[0, 0] : memref<2x2xf32> to memref<2x2xf32, strided<[2, 1], offset: 0>>
  %left = nnet3.sub_matrix %rows[0, 0] : memref<2x2xf32, strided<[2, 1], offset: 0>> to memref<2x1xf32, strided<[2, 1], offset: 0>>
  %right = nnet3.sub_matrix %x[0, 1] : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1], offset: 1>>
  %again = nnet3.sub_matrix %x[0, 1] : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1], offset: 1>>
  nnet3.copy_rows %in <_, 0> into %left : memref<2x1xf32> into memref<2x1xf32, strided<[2, 1], offset: 0>>
  nnet3.matrix_copy %in into %right : memref<2x1xf32> into memref<2x1xf32, strided<[2, 1], offset: 1>>
  nnet3.matrix_copy %again into %again alpha 2.0 : memref<2x1xf32, strided<[2, 1], offset: 1>> into memref<2x1xf32, strided<[2, 1], offset: 1>>
  %y = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.propagate @net::@affine ins(%x : memref<2x2xf32>) outs(%y : memref<2x2xf32>)
  nnet3.propagate @net::@relu ins(%y : memref<2x2xf32>) outs(%y : memref<2x2xf32>)
  nnet3.provide_output "output", %y : memref<2x2xf32>
  nnet3.dealloc_matrix %in : memref<2x1xf32>
  nnet3.dealloc_matrix %x : memref<2x2xf32>
}
)mlir";

class ProgramEmitterTest : public ::testing::Test {
protected:
  ProgramEmitterTest() {
    context.loadDialect<mlir::nnet3::Nnet3Dialect, memref::MemRefDialect>();
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }
  template <typename OpTy> OpTy first() {
    return *module->getOps<OpTy>().begin();
  }
  FailureOr<std::string> emit(const ParameterBlob &parameters) {
    return emitProgram(first<ComputationOp>(), parameters, first<RequestOp>());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Runs a program of the example on x = (3, 1).
std::vector<float> runExample(std::shared_ptr<const rt::Program> program) {
  auto instance = rt::Instance::create(program);
  EXPECT_TRUE(instance.ok()) << instance.status().message();
  float input[2] = {3, 1};
  EXPECT_TRUE((*instance)->setInput("input", {input, 2, 1, 1}).ok());
  rt::Status status = (*instance)->run();
  EXPECT_TRUE(status.ok()) << status.message();
  auto output = (*instance)->output("output");
  EXPECT_TRUE(output.ok());
  std::vector<float> values;
  for (int32_t r = 0; r < output->rows; ++r)
    values.insert(values.end(), output->row(r), output->row(r) + output->cols);
  return values;
}

// Rows (0, 6) and (3, 2): 0.5 + 12, -10 + 24; 0.5 + 3 + 4, -10 + 9 + 8.
const std::vector<float> kExpected = {12.5, 14, 7.5, 7};

TEST_F(ProgramEmitterTest, RunsWithBorrowedWeights) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  ASSERT_TRUE(succeeded(parameters));
  auto bytes = emit(*parameters);
  ASSERT_TRUE(succeeded(bytes));
  rt::LoadOptions options;
  options.weights = parameters->getData().get();
  options.weightsSize = parameters->getSize();
  auto program = rt::Program::load(bytes->data(), bytes->size(), options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(runExample(*program), kExpected);
}

TEST_F(ProgramEmitterTest, RunsFromAFile) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  auto bytes = emit(*parameters);
  ASSERT_TRUE(succeeded(bytes));
  std::string file;
  llvm::raw_string_ostream os(file);
  writeProgramFile(*bytes, *parameters, os);
  auto program = rt::Program::load(file.data(), file.size());
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(runExample(*program), kExpected);
}

TEST_F(ProgramEmitterTest, SaysWhatTheRowsAre) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  auto bytes = emit(*parameters);
  ASSERT_TRUE(succeeded(bytes));
  const schema::Program *program = schema::GetProgram(bytes->data());
  const schema::IoMatrix *input = program->inputs()->Get(0);
  EXPECT_EQ(input->name()->str(), "input");
  EXPECT_FALSE(input->is_derivative());
  ASSERT_TRUE(input->t());
  // A loop: two times, 1 apart, from 0 on (core/LoopedList.h).
  EXPECT_EQ(std::vector<int32_t>(input->t()->begin(), input->t()->end()),
            (std::vector<int32_t>{2, 2, 1, 2, 0, 0}));
  EXPECT_FALSE(program->outputs()->Get(0)->is_derivative());
}

TEST_F(ProgramEmitterTest, NestedAndEqualViewsShareWindows) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  auto bytes = emit(*parameters);
  ASSERT_TRUE(succeeded(bytes));
  const schema::Program *program = schema::GetProgram(bytes->data());
  EXPECT_EQ(program->matrices()->size(), 3u);
  // Three whole matrices, the left and the right column.
  EXPECT_EQ(program->submatrices()->size(), 5u);
}

TEST_F(ProgramEmitterTest, IsDeterministic) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  auto again = ParameterBlob::create(first<NetworkOp>());
  ASSERT_EQ(parameters->getSize(), again->getSize());
  EXPECT_EQ(std::memcmp(parameters->getData().get(), again->getData().get(),
                        parameters->getSize()),
            0);
  EXPECT_EQ(*emit(*parameters), *emit(*again));
}

TEST_F(ProgramEmitterTest, TensorsAreAligned) {
  parse(kExample);
  auto parameters = ParameterBlob::create(first<NetworkOp>());
  auto name = [&](StringRef text) { return StringAttr::get(&context, text); };
  auto bias = parameters->getOffset(name("affine"), name("bias_params"));
  auto linear = parameters->getOffset(name("affine"), name("linear_params"));
  ASSERT_TRUE(bias && linear);
  EXPECT_EQ(*bias % 64, 0u);
  EXPECT_EQ(*linear % 64, 0u);
  EXPECT_NE(*bias, *linear);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(parameters->getData().get()) % 64, 0u);
  EXPECT_FALSE(parameters->getOffset(name("relu"), name("bias_params")));
}

TEST_F(ProgramEmitterTest, ResourcesAreInMemoryOnce) {
  auto network = parseSourceString<ModuleOp>(R"mlir(
nnet3.network @net {
  nnet3.fixed_bias @bias {bias = dense_resource<b> : tensor<2xf32>, dim = 2 : i64}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %c = nnet3.component_node "c" @bias(%in) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %c : !nnet3.rows<2>
}
{-# dialect_resources: {builtin: {b: "0x040000000000803F00000040"}} #-}
)mlir",
                                             &context);
  ASSERT_TRUE(network);
  NetworkOp op = *network->getOps<NetworkOp>().begin();
  auto tensor = SymbolTable::lookupSymbolIn(op, "bias")
                    ->getAttrOfType<DenseResourceElementsAttr>("bias");
  AsmResourceBlob *resource = tensor.getRawHandle().getBlob();
  {
    auto parameters = ParameterBlob::create(op);
    ASSERT_TRUE(succeeded(parameters));
    EXPECT_EQ(resource->getData().data(), parameters->getData().get());
  }
  // The resource keeps the memory.
  EXPECT_EQ(
      ArrayRef(reinterpret_cast<const float *>(resource->getData().data()), 2),
      ArrayRef<float>({1, 2}));
}

/// Emits a computation with the given commands; returns the first error.
std::string emitAndFail(MLIRContext &context, StringRef component,
                        StringRef commands) {
  std::string text =
      ("nnet3.network @net {\n" + component +
       "\n  %in = nnet3.input_node \"input\" : !nnet3.rows<2>\n"
       "  %c = nnet3.component_node \"c\" @c(%in) : (!nnet3.rows<2>) -> "
       "!nnet3.rows<2>\n"
       "  nnet3.output_node \"output\", %c : !nnet3.rows<2>\n}\n"
       "nnet3.computation @f for @net {\n"
       "  %m = nnet3.accept_input \"input\" : memref<2x2xf32>\n" +
       commands + "\n}\n")
          .str();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << message;
  if (!module)
    return message;
  auto parameters = ParameterBlob::create(*module->getOps<NetworkOp>().begin());
  EXPECT_TRUE(succeeded(parameters));
  EXPECT_TRUE(failed(
      emitProgram(*module->getOps<ComputationOp>().begin(), *parameters)));
  return message;
}

TEST_F(ProgramEmitterTest, RejectsComponentsWithoutParameters) {
  EXPECT_EQ(
      emitAndFail(context,
                  "nnet3.affine @c {input_dim = 2 : i64, output_dim = 2 : i64}",
                  "%y = nnet3.alloc_matrix_undefined : memref<2x2xf32>\n"
                  "nnet3.propagate @net::@c ins(%m : memref<2x2xf32>) outs(%y "
                  ": memref<2x2xf32>)"),
      "component 'c' has no values for 'linear_params': the network is not "
      "initialised");
}

} // namespace
