//===- ModelReaderTest.cpp - Variants of model files ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelTestUtil.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Target/Kaldi/TensorData.h"

using namespace mlir::nnet3::test;
using llvm::StringRef;

/// Reads `data` and writes it as a binary raw model.
static std::string rewritten(StringRef data) {
  TestContext test;
  auto module = test.read(data);
  EXPECT_TRUE(module) << test.messages;
  return module ? toRaw(*module) : "";
}

/// Returns a text model with one NoOp and `head` before its nodes.
static std::string smallModel(StringRef head, StringRef lineEnd) {
  std::string text = head.str();
  for (StringRef line :
       {"input-node name=input dim=4",
        "component-node name=c component=c input=input",
        "output-node name=output input=c objective=linear", ""})
    text += (line + lineEnd).str();
  return text + "<NumComponents> 1 \n<ComponentName> c <NoOpComponent> <Dim> 4 "
                "<BackpropScale> 1 </NoOpComponent> \n</Nnet3> ";
}

TEST(ModelReader, TextHeads) {
  std::string plain = rewritten(smallModel("<Nnet3> \n", "\n"));
  ASSERT_NE(plain, "");
  EXPECT_EQ(rewritten(smallModel("<Nnet3>\n\n", "\n")), plain);
  EXPECT_EQ(rewritten(smallModel("<Nnet3> \r\n", "\r\n")), plain);
  EXPECT_EQ(errorOf(smallModel("<Nnet3>\n", "\n")),
            "model:2:1: error: expects a line end after <Nnet3>, but got "
            "'input-node name=input dim=4'\n");
}

TEST(ModelReader, DoubleModelsReadToFloats) {
  for (StringRef name : {"LinearComponent-1", "TdnnComponent-1",
                         "LstmNonlinearityComponent-1"}) {
    SCOPED_TRACE(name.str());
    EXPECT_TRUE(rewritten(readModelFile(("double/" + name + ".raw").str())) ==
                readModelFile(("components/" + name + ".raw").str()));
  }
}

TEST(ModelReader, OlderTokens) {
  const std::pair<StringRef, StringRef> models[] = {
      {"affine-is-gradient.txt", "components/AffineComponent-1.raw"},
      {"block-affine-is-gradient.txt", "components/BlockAffineComponent-1.raw"},
      {"clip-gradient-without-self-repair.txt",
       "older/clip-gradient-without-self-repair.rewritten.raw"},
      {"natural-gradient-affine-max-change-per-sample.raw",
       "components/NaturalGradientAffineComponent-1.raw"},
      {"natural-gradient-affine-max-change-per-sample.txt",
       "components/NaturalGradientAffineComponent-1.raw"},
      {"natural-gradient-per-element-scale-max-change.txt",
       "components/NaturalGradientPerElementScaleComponent-1.raw"},
      {"noop-with-statistics-oldest.txt", "components/NoOpComponent-1.raw"},
      {"noop-with-statistics.txt", "components/NoOpComponent-1.raw"},
      {"normalize-dim.txt", "components/NormalizeComponent-1.raw"},
      {"normalize-with-statistics.txt", "components/NormalizeComponent-1.raw"},
      {"per-element-offset-is-gradient.txt",
       "components/PerElementOffsetComponent-1.raw"},
      {"per-element-offset-without-dim.txt",
       "components/PerElementOffsetComponent-1.raw"},
      {"per-element-scale-is-gradient.txt",
       "components/PerElementScaleComponent-1.raw"},
      {"sigmoid-without-counters.txt", "components/SigmoidComponent-1.raw"},
      {"sigmoid-without-oderiv.txt", "components/SigmoidComponent-1.raw"},
      {"tdnn-alpha.txt", "components/TdnnComponent-1.raw"}};
  for (auto [older, modern] : models) {
    SCOPED_TRACE(older.str());
    EXPECT_TRUE(rewritten(readModelFile(("older/" + older).str())) ==
                readModelFile(modern));
  }
}

/// Returns `text` with the first `from` replaced.
static std::string replaced(std::string text, StringRef from, StringRef to) {
  size_t at = text.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  return at == std::string::npos ? text
                                 : text.replace(at, from.size(), to.str());
}

// Older files lack the learning rate; they have the other header fields, which
// the reference writes but does not read (components.md, Q11).
TEST(ModelReader, HeadersOfConstants) {
  for (StringRef name :
       {"ConstantComponent-1", "ConstantFunctionComponent-1"}) {
    SCOPED_TRACE(name.str());
    std::string path = ("components/" + name).str(), rate = "<LearningRate> ";
    std::string text = readModelFile(path + ".txt");
    EXPECT_TRUE(rewritten(replaced(text, rate + "0.00100000005 ", "")) ==
                readModelFile(path + ".raw"));
    std::string more = replaced(
        text, rate, "<MaxChange> 0.75 <L2Regularize> 0.00999999978 " + rate);
    TestContext test;
    auto module = test.read(more);
    ASSERT_TRUE(module) << test.messages;
    EXPECT_EQ(toRaw(*module, /*binary=*/false), more);
  }
}

// Convolutions have the flag twice (components.md, Q10).
TEST(ModelReader, LastIsGradientOfConvolutionsCounts) {
  std::string text = readModelFile("components/ConvolutionComponent-1-zyx.txt");
  std::string other =
      replaced(text, "<LearningRate>", "<IsGradient> T <LearningRate>");
  EXPECT_TRUE(rewritten(other) == rewritten(text));
  other = replaced(text, "<IsGradient> F", "<IsGradient> T");
  EXPECT_FALSE(rewritten(other) == rewritten(text));
}

/// Returns a binary model with a Permute whose map is encoded as `map`.
static std::string permuteModel(StringRef map) {
  std::string text = smallModel("<Nnet3> \n", "\n");
  text.resize(text.find("<NumComponents>"));
  std::string data = std::string("\0B", 2) + text + "<NumComponents> ";
  data += std::string("\4\1\0\0\0", 5);
  return data + "<ComponentName> c <PermuteComponent> <ColumnMap> " +
         map.str() + "</PermuteComponent> </Nnet3> ";
}

static std::string bytesOf(llvm::ArrayRef<float> values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(float));
}

TEST(ModelReader, OldPermutationsAreFloats) {
  std::string ints("\4\4\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\3\0\0\0", 21);
  std::string floats = std::string("FV \4\4\0\0\0", 8);
  EXPECT_EQ(rewritten(permuteModel(floats + bytesOf({1.9f, 0.1f, 1, 9}))),
            permuteModel(ints));
  EXPECT_NE(errorOf(permuteModel(floats + bytesOf({1e30f, 0, 1, 9})))
                .find("error: expects column numbers in <ColumnMap>"),
            std::string::npos);
}

TEST(ModelReader, AcousticModels) {
  std::string raw = rewritten(readModelFile("acoustic/tdnn.mdl"));
  EXPECT_TRUE(raw == rewritten(readModelFile("acoustic/tdnn.mdl.txt")));
  EXPECT_TRUE(raw == rewritten(readModelFile("acoustic/tdnn.nopriors.mdl")));
  EXPECT_TRUE(raw == rewritten(raw));
}

/// Returns the priors of an acoustic model.
static std::vector<float> priorsOf(StringRef name) {
  TestContext test;
  auto module = test.read(readModelFile(name));
  auto network = mlir::nnet3::getOnlyNetwork(*module);
  std::vector<float> storage;
  if (!network.getPriorsAttr())
    return {};
  auto data = mlir::nnet3::getTensorData(network.getPriorsAttr(), storage);
  return data->vec();
}

TEST(ModelReader, Priors) {
  auto expected =
      ::nnet3::kaldi::readVectorFile(modelPath("acoustic/tdnn.priors.txt"));
  ASSERT_TRUE(bool(expected));
  EXPECT_EQ(expected->size(), 24u);
  EXPECT_EQ(priorsOf("acoustic/tdnn.mdl"), *expected);
  EXPECT_EQ(priorsOf("acoustic/tdnn.mdl.txt"), *expected);
  EXPECT_TRUE(priorsOf("acoustic/tdnn.nopriors.mdl").empty());
}

/// Returns a binary transition model in the extended form: one phone, whose
/// emitting state has two pdf-classes.
static std::string extendedHead() {
  std::string head;
  llvm::raw_string_ostream os(head);
  ::nnet3::kaldi::KaldiWriter writer(os, /*binary=*/true);
  auto writeInts = [&](std::initializer_list<int32_t> values) {
    for (int32_t value : values)
      writer.writeInt32(value);
  };
  writer.writeHeader();
  writer.writeToken("<TransitionModel>");
  writer.writeToken("<Topology>");
  writer.writeIntVector({1});
  writer.writeIntVector({-1, 0});
  // Extended; one entry of two states, the first with classes 0 and 1 and two
  // transitions.
  writeInts({-1, 1, 2, 0, 1, 2, 0});
  writer.writeFloat(0.5);
  writeInts({1});
  writer.writeFloat(0.5);
  writeInts({-1, -1, 0});
  writer.writeToken("</Topology>");
  writer.writeToken("<Tuples>");
  writeInts({1, 1, 0, 0, 1});
  writer.writeToken("</Tuples>");
  writer.writeToken("<LogProbs>");
  writer.writeVector(llvm::ArrayRef<float>({0, -0.5f, -0.5f}));
  writer.writeToken("</LogProbs>");
  writer.writeToken("</TransitionModel>");
  return head;
}

TEST(ModelReader, ExtendedTopologyAndTuples) {
  std::string text = readModelFile("acoustic/tdnn.mdl.txt");
  StringRef tail = StringRef(text).substr(text.find("<Nnet3>"));
  std::string head =
      "<TransitionModel>\n<Topology>\n<TopologyEntry>\n<ForPhones>\n1 2 \n"
      "</ForPhones>\n<State> 0 <ForwardPdfClass> 0 <SelfLoopPdfClass> 1 "
      "<Transition> 0 0.5 <Transition> 1 0.5 </State>\n<State> 1 </State>\n"
      "</TopologyEntry>\n</Topology>\n<Tuples> 2 \n1 0 0 1 \n2 0 2 3 \n"
      "</Tuples>\n<LogProbs>\n [ 0 -1 -1 -1 -1 ]\n</LogProbs>\n"
      "</TransitionModel>\n";
  EXPECT_TRUE(rewritten(head + tail.str()) == rewritten(text));

  std::string binary = readModelFile("acoustic/tdnn.mdl");
  tail = StringRef(binary).substr(binary.find("<Nnet3>"));
  EXPECT_TRUE(rewritten(extendedHead() + tail.str()) == rewritten(text));
}
