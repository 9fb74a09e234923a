//===- ComponentTokensTest.cpp - Optional and older tokens ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each component type: the tokens that the writer always writes, the
// optional tokens, and each older form that readers must accept (spec:
// formats.md 5), with its equivalent in the current form.
//
//===----------------------------------------------------------------------===//
#include "ModelTestUtil.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir::nnet3::test;
using llvm::StringRef;

namespace {
/// An older form, and the current tokens that it stands for.
struct Variant {
  std::string older;
  std::string current;
};

struct Component {
  const char *type; ///< without `Component`
  int inputDim;
  bool hasHeader; ///< of updatable components
  /// What comes between the header and the closing token.
  std::string body;
  /// Other bodies that are written as they are read.
  std::vector<std::string> alternatives;
  std::vector<Variant> variants;
};
} // namespace

static std::string model(const Component &component, StringRef tokens) {
  return "<Nnet3> \ninput-node name=input dim=" +
         std::to_string(component.inputDim) +
         "\ncomponent-node name=c component=c input=input\n"
         "output-node name=output input=c objective=linear\n\n"
         "<NumComponents> 1 \n<ComponentName> c " +
         tokens.str() + "\n</Nnet3> ";
}

/// Returns the tokens of `component` with `header` and `body`.
static std::string tokens(const Component &component, StringRef header,
                          StringRef body) {
  std::string type = component.type;
  return "<" + type + "Component> " + header.str() + body.str() + " </" + type +
         "Component> ";
}

/// Reads `text` as a model and writes it as text; returns the errors on
/// failure.
static std::string rewritten(StringRef text) {
  TestContext test;
  auto module = test.read(text);
  return module ? toRaw(*module, /*binary=*/false) : test.messages;
}

/// Joins the words of the text with single blanks.
static std::string squash(StringRef text) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words, " \n");
  return llvm::join(words, " ");
}

static const char *const kRate = "<LearningRate> 0.5 ";

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static std::vector<Component> makeNonlinear() {
  std::vector<Component> components;
  std::string head = "<Dim> 2 ", averages =
                                     "<ValueAvg> [ 0.5 0.25 ] <DerivAvg> "
                                     "[ 0.5 1 ] <Count> 4 ";
  std::string deriv = "<OderivRms> [ 1 2 ] <OderivCount> 2 ",
              none = "<OderivRms> [ ] <OderivCount> 0 ",
              dims = "<NumDimsSelfRepaired> 0 <NumDimsProcessed> 0 ";
  std::string body = head + averages + deriv + dims;
  for (const char *type :
       {"Sigmoid", "Tanh", "RectifiedLinear", "Softmax", "LogSoftmax"})
    components.push_back(
        {type,
         2,
         false,
         body,
         {head + "<BlockDim> 1 " + averages + deriv + dims,
          body + "<SelfRepairLowerThreshold> 0.25 ",
          body + "<SelfRepairUpperThreshold> 0.75 <SelfRepairScale> 0.5 "},
         {{head + averages, head + averages + none + dims},
          {head + averages + deriv, body},
          {head + averages + deriv + "<NumDimsSelfRepaired> 0 ", body},
          {head + averages + dims, head + averages + none + dims}}});
  return components;
}

static std::vector<Component> makeAffine() {
  std::string matrix = "[\n  1 2 \n  3 4 ]\n", vector = "[ 5 6 ]\n";
  std::string affine = "<LinearParams> " + matrix + "<BiasParams> " + vector;
  std::string ranks = "<RankIn> 1 <RankOut> 1 ",
              period = "<UpdatePeriod> 4 <NumSamplesHistory> 2000 <Alpha> 4 ";
  std::string natural = affine + ranks + period;
  std::string linear = "<UseNaturalGradient> T <RankInOut> 1 1 <Alpha> 4 "
                       "<NumSamplesHistory> 2000 <UpdatePeriod> 4 ";
  std::string tdnn = "<TimeOffsets> [ 0 ]\n" + affine +
                     "<OrthonormalConstraint> 0 <UseNaturalGradient> T "
                     "<NumSamplesHistory> 2000 ";
  std::string repeated = "<NumRepeats> 1 " + affine,
              blocks = "<NumBlocks> 1 " + affine;
  std::string flag = "<IsGradient> F ";
  return {
      {"Affine",
       2,
       true,
       affine,
       {affine + "<OrthonormalConstraint> -1 "},
       {{affine + flag, affine},
        {affine + flag + "<OrthonormalConstraint> -1 ",
         affine + "<OrthonormalConstraint> -1 "}}},
      {"NaturalGradientAffine",
       2,
       true,
       natural,
       {affine + ranks + "<OrthonormalConstraint> 0.5 " + period},
       {{natural + "<MaxChangePerSample> 0.5 ", natural},
        {natural + flag, natural},
        {natural + "<MaxChangePerSample> 0.5 " + flag +
             "<UpdateCount> 2 <ActiveScalingCount> 1 <MaxChangeScaleStats> 3 ",
         natural}}},
      {"Linear",
       2,
       true,
       "<Params> " + matrix + linear,
       {"<Params> " + matrix + "<OrthonormalConstraint> 1 " + linear},
       {}},
      {"Tdnn",
       2,
       true,
       tdnn + "<AlphaInOut> 4 4 <RankInOut> 1 1 ",
       {"<TimeOffsets> [ 0 ]\n<LinearParams> " + matrix +
        "<BiasParams> [ ]\n<OrthonormalConstraint> 0 <UseNaturalGradient> F "
        "<NumSamplesHistory> 2000 <AlphaInOut> 4 2 <RankInOut> 1 1 "},
       {{tdnn + "<Alpha> 4 <RankInOut> 1 1 ",
         tdnn + "<AlphaInOut> 4 4 <RankInOut> 1 1 "}}},
      {"FixedAffine", 2, false, affine, {}, {}},
      {"BlockAffine", 2, true, blocks, {}, {{blocks + flag, blocks}}},
      {"RepeatedAffine", 2, true, repeated, {}, {{repeated + flag, repeated}}},
      {"NaturalGradientRepeatedAffine",
       2,
       true,
       repeated,
       {},
       {{repeated + flag, repeated}}},
  };
}

static std::vector<Component> makeConvolutions() {
  std::string filters =
      "<NumFiltersIn> 1 <NumFiltersOut> 1 <HeightIn> 2 <HeightOut> 2 "
      "<HeightSubsampleOut> 1 <Offsets> [ 0,0 ]\n<RequiredTimeOffsets> [ 0 ]\n"
      "</ConvolutionModel> <LinearParams> [\n  1 ]\n<BiasParams> [ 2 ]\n"
      "<MaxMemoryMb> 200 <UseNaturalGradient> T <NumMinibatchesHistory> 4 "
      "<AlphaInOut> 4 4 <RankInOut> 1 1 ";
  std::string model = "<Model> <ConvolutionModel> " + filters;
  std::string image = "<InputXDim> 2 <InputYDim> 1 <InputZDim> 1 ";
  return {
      {"TimeHeightConvolution",
       2,
       true,
       model,
       {},
       {{"<Model> " + filters, model}}},
      {"Convolution",
       2,
       true,
       image + "<FiltXDim> 1 <FiltYDim> 1 <FiltXStep> 1 <FiltYStep> 1 "
               "<InputVectorization> 1 <FilterParams> [\n  1 ]\n<BiasParams> "
               "[ 2 ]\n<IsGradient> F ",
       {},
       {}},
      {"Maxpooling",
       2,
       false,
       image + "<PoolXSize> 1 <PoolYSize> 1 <PoolZSize> 1 <PoolXStep> 1 "
               "<PoolYStep> 1 <PoolZStep> 1 ",
       {},
       {}},
  };
}

static std::vector<Component> makeRandom() {
  std::string general =
      "<Dim> 2 <BlockDim> 2 <TimePeriod> 0 <DropoutProportion> 0.5 ";
  std::string mask = "<OutputDim> 2 <DropoutProportion> 0.5 ";
  std::string time = "<Dim> 2 <ZeroedProportion> 0.25 <TimeMaskMaxFrames> 10 ";
  std::string dropout = "<Dim> 2 <DropoutProportion> 0.5 ";
  std::string regions = general + "<SpecAugmentMaxProportion> 0.25 "
                                  "<SpecAugmentMaxRegions> 2 ";
  return {
      {"GeneralDropout",
       2,
       false,
       general,
       {general + "<SpecAugmentMaxProportion> 0.25 ", regions,
        regions + "<TestMode> ", general + "<TestMode> <Continuous> ",
        general + "<Continuous> "},
       {}},
      {"SpecAugmentTimeMask", 2, false, time, {time + "<TestMode> "}, {}},
      {"DropoutMask",
       2,
       false,
       mask + "<TestMode> F ",
       {mask + "<TestMode> T <Continuous> "},
       {{mask, mask + "<TestMode> F "},
        {mask + "<Continuous> ", mask + "<TestMode> F <Continuous> "}}},
      {"Dropout",
       2,
       false,
       dropout + "<DropoutPerFrame> F <TestMode> F ",
       {dropout + "<DropoutPerFrame> T <TestMode> T "},
       {{dropout, dropout + "<DropoutPerFrame> F <TestMode> F "},
        {dropout + "<DropoutPerFrame> T ",
         dropout + "<DropoutPerFrame> T <TestMode> F "},
        {dropout + "<TestMode> T ",
         dropout + "<DropoutPerFrame> F <TestMode> T "}}},
  };
}

static std::vector<Component> makeElementwise() {
  std::string statistics = "<ValueAvg> [ 0 0 ]\n<DerivAvg> [ 0 0 ]\n<Count> 0 ",
              deriv = "<OderivRms> [ 0 0 ]\n<OderivCount> 0 ",
              dims = "<NumDimsSelfRepaired> 0 <NumDimsProcessed> 0 ";
  std::string noOp = "<Dim> 2 <BackpropScale> 1 ", flag = "<IsGradient> F ";
  std::string params = "<Params> [ 1 2 ]\n",
              natural = params + flag +
                        "<Rank> 1 <UpdatePeriod> 10 "
                        "<NumSamplesHistory> 2000 <Alpha> 4 ";
  std::string offsets = "<Offsets> [ 1 2 ]\n",
              offset = offsets + "<Dim> 2 <UseNaturalGradient> T ";
  std::string norm = "<InputDim> 2 ", rms = "<TargetRms> 0.5 ",
              log = "<AddLogStddev> F ";
  std::string inOut = "<InputDim> 2 <OutputDim> 1 ";
  return {
      {"NoOp",
       2,
       false,
       noOp,
       {"<Dim> 2 <BackpropScale> 0.5 "},
       {{"<Dim> 2 " + statistics, noOp},
        {"<Dim> 2 " + statistics + deriv, noOp},
        {"<Dim> 2 " + statistics + deriv + dims, noOp},
        {"<Dim> 2 " + statistics + dims, noOp}}},
      {"BatchNorm",
       2,
       false,
       "<Dim> 2 <BlockDim> 1 <Epsilon> 0.5 <TargetRms> 1 <TestMode> F <Count> "
       "2 "
       "<StatsMean> [ 1 ]\n<StatsVar> [ 2 ]\n",
       {},
       {}},
      {"Permute", 2, false, "<ColumnMap> [ 1 0 ]\n", {}, {}},
      {"ScaleAndOffset",
       2,
       true,
       "<Dim> 2 <Scales> [ 1 2 ]\n<Offsets> [ 3 4 ]\n<UseNaturalGradient> T "
       "<Rank> 1 ",
       {},
       {}},
      {"ElementwiseProduct", 2, false, inOut, {}, {}},
      {"Pnorm", 2, false, inOut, {}, {}},
      {"PerElementScale", 2, true, params, {}, {{params + flag, params}}},
      {"NaturalGradientPerElementScale",
       2,
       true,
       natural,
       {},
       {{natural + "<MaxChangePerMinibatch> 0.5 ", natural}}},
      {"PerElementOffset",
       2,
       true,
       offset,
       {offsets + "<Dim> 2 <UseNaturalGradient> F "},
       {{offsets, offset},
        {offsets + flag, offset},
        {offsets + flag + "<Dim> 2 <UseNaturalGradient> T ", offset}}},
      {"Normalize",
       2,
       false,
       norm + rms + log,
       {norm + "<BlockDim> 1 " + rms + "<AddLogStddev> T "},
       {{"<Dim> 2 " + rms + log, norm + rms + log},
        {norm + log, norm + "<TargetRms> 1 " + log},
        {norm + rms, norm + rms + log},
        {"<Dim> 2 ", norm + "<TargetRms> 1 " + log},
        {norm + rms + log + statistics, norm + rms + log},
        {"<Dim> 2 " + statistics, norm + "<TargetRms> 1 " + log}}},
      {"FixedScale", 2, false, "<Scales> [ 1 2 ]\n", {}, {}},
      {"FixedBias", 2, false, "<Bias> [ 1 2 ]\n", {}, {}},
      {"SumGroup", 2, false, "<Sizes> [ 1 1 ]\n", {}, {}},
      {"SumBlock", 2, false, inOut + "<Scale> 0.5 ", {}, {}},
      {"ConstantFunction",
       2,
       true,
       "<InputDim> 2 <Output> [ 1 2 ]\n<IsUpdatable> T <UseNaturalGradient> T ",
       {},
       {}},
      {"Constant",
       2,
       true,
       "<Output> [ 1 2 ]\n<IsUpdatable> T <UseNaturalGradient> T ",
       {},
       {}},
  };
}

static std::vector<Component> makeRecurrent() {
  std::string five = "[\n  1 \n  1 \n  1 \n  1 \n  1 ]\n";
  std::string lstm = "<Params> [\n  1 \n  2 \n  3 ]\n<ValueAvg> " + five +
                     "<DerivAvg> " + five +
                     "<SelfRepairConfig> [ 1 1 1 1 1 1 1 1 1 1 ]\n"
                     "<SelfRepairProb> [ 0 0 0 0 0 ]\n";
  std::string gru = "<ValueAvg> [ 0.5 ]\n<DerivAvg> [ 0.5 ]\n"
                    "<SelfRepairTotal> 0 <Count> 2 <SelfRepairThreshold> 0.5 "
                    "<SelfRepairScale> 0.5 <Alpha> 4 ";
  std::string clipping = "<ClippingThreshold> 30 <ZeroingThreshold> 15 "
                         "<ZeroingInterval> 20 <RecurrenceInterval> 1 "
                         "<NumElementsClipped> 0 <NumElementsZeroed> 0 "
                         "<NumElementsProcessed> 0 <NumZeroingBoundaries> 0 ";
  std::string clip = "<Dim> 2 <ClippingThreshold> 15 <NormBasedClipping> T ",
              repair = "<SelfRepairClippedProportionThreshold> 0.5 "
                       "<SelfRepairTarget> 0.25 <SelfRepairScale> 2 ",
              never = "<SelfRepairClippedProportionThreshold> 1 "
                      "<SelfRepairTarget> 0 <SelfRepairScale> 0 ",
              counts = "<NumElementsClipped> 1 <NumElementsProcessed> 2 ",
              repaired = "<NumSelfRepaired> 0 <NumBackpropped> 0 ";
  return {
      {"LstmNonlinearity", 5, true, lstm + "<Count> 2 ", {}, {}},
      {"LstmNonlinearity", 8, true, lstm + "<UseDropout> T <Count> 2 ", {}, {}},
      {"BackpropTruncation",
       2,
       false,
       "<Dim> 2 <Scale> 0.5 " + clipping,
       {},
       {{"<Dim> 2 " + clipping, "<Dim> 2 <Scale> 1 " + clipping}}},
      {"GruNonlinearity",
       4,
       true,
       "<CellDim> 1 <RecurrentDim> 1 <w_h> [\n  1 ]\n" + gru +
           "<RankInOut> 1 1 <UpdatePeriod> 4 ",
       {},
       {}},
      {"OutputGruNonlinearity",
       3,
       true,
       "<CellDim> 1 <w_h> [ 1 ]\n" + gru + "<Rank> 1 <UpdatePeriod> 10 ",
       {},
       {}},
      {"ClipGradient",
       2,
       false,
       clip + repair + counts + repaired,
       {},
       {{clip + counts + repaired, clip + never + counts + repaired},
        {clip + repair + counts, clip + repair + counts + repaired},
        {clip + counts, clip + never + counts + repaired}}},
  };
}

static std::vector<Component> makeContext() {
  return {
      {"Distribute", 2, false, "<InputDim> 2 <OutputDim> 1 ", {}, {}},
      {"StatisticsExtraction",
       2,
       false,
       "<InputDim> 2 <InputPeriod> 1 <OutputPeriod> 1 <IncludeVarinance> T ",
       {},
       {}},
      {"StatisticsPooling",
       3,
       false,
       "<InputDim> 3 <InputPeriod> 1 <LeftContext> 0 <RightContext> 9 "
       "<NumLogCountFeatures> 0 <OutputStddevs> T <VarianceFloor> 0.5 ",
       {},
       {}},
      {"RestrictedAttention",
       5,
       false,
       "<NumHeads> 1 <KeyDim> 1 <ValueDim> 1 <NumLeftInputs> 1 "
       "<NumRightInputs> 0 <TimeStride> 1 <NumLeftInputsRequired> 0 "
       "<NumRightInputsRequired> 0 <OutputContext> F <KeyScale> 1 <StatsCount> "
       "2 <EntropyStats> [ 1 ]\n<PosteriorStats> [\n  1 2 ]\n",
       {},
       {}},
      {"Composite",
       2,
       true,
       "<MaxRowsProcess> 64 <NumComponents> 2 <NoOpComponent> <Dim> 2 "
       "<BackpropScale> 1 </NoOpComponent> <PerElementScaleComponent> "
       "<LearningRate> 0.5 <Params> [ 1 2 ]\n</PerElementScaleComponent> ",
       {},
       {}},
  };
}

static std::vector<Component> getComponents() {
  std::vector<Component> all;
  for (auto make : {makeNonlinear, makeAffine, makeConvolutions, makeRandom,
                    makeElementwise, makeRecurrent, makeContext})
    llvm::append_range(all, make());
  return all;
}

//===----------------------------------------------------------------------===//
// The tests
//===----------------------------------------------------------------------===//

/// Checks that `text` is rewritten as `current`.
static void check(const std::string &text, const std::string &current) {
  EXPECT_EQ(squash(rewritten(text)), squash(current)) << text;
}

TEST(ComponentTokens, AllTypesAreThere) {
  std::set<std::string> types;
  for (const Component &component : getComponents())
    types.insert(component.type);
  EXPECT_EQ(types.size(), 46u);
}

TEST(ComponentTokens, Bodies) {
  for (const Component &component : getComponents()) {
    std::string header = component.hasHeader ? kRate : "";
    auto toModel = [&](StringRef body) {
      return model(component, tokens(component, header, body));
    };
    check(toModel(component.body), toModel(component.body));
    for (const std::string &body : component.alternatives)
      check(toModel(body), toModel(body));
    for (const Variant &variant : component.variants)
      check(toModel(variant.older), toModel(variant.current));
  }
}

/// All combinations of the fields before the learning rate.
TEST(ComponentTokens, Headers) {
  const char *fields[] = {"<LearningRateFactor> 0.25 ", "<IsGradient> T ",
                          "<MaxChange> 0.75 ", "<L2Regularize> 0.125 "};
  for (const Component &component : getComponents()) {
    if (!component.hasHeader)
      continue;
    // These have the flag again, and the last one counts.
    bool hasFlag = StringRef(component.body).contains("<IsGradient>");
    for (int bits = 0; bits < 16; ++bits) {
      if (hasFlag && bits & 2)
        continue;
      std::string header;
      for (int i = 0; i < 4; ++i)
        if (bits >> i & 1)
          header += fields[i];
      std::string text =
          model(component, tokens(component, header + kRate, component.body));
      check(text, text);
    }
  }
}

TEST(ComponentTokens, MissingLearningRates) {
  for (const Component &component : getComponents()) {
    StringRef type = component.type;
    bool mayLack = type == "TimeHeightConvolution" || type == "Constant" ||
                   type == "ConstantFunction" || type == "Composite";
    if (!component.hasHeader)
      continue;
    std::string text = model(component, tokens(component, "", component.body));
    if (mayLack)
      check(text,
            model(component, tokens(component, "<LearningRate> 0.00100000005 ",
                                    component.body)));
    else
      EXPECT_NE(rewritten(text).find("expects <LearningRate>"),
                std::string::npos)
          << text;
  }
}

/// A flag after the parameters has the same meaning as the one in the header.
TEST(ComponentTokens, LateGradientFlags) {
  for (const Component &component : getComponents())
    for (const Variant &variant : component.variants) {
      std::string older = variant.older, flag = "<IsGradient> F ";
      size_t at = older.find(flag);
      if (at == std::string::npos || component.body.find(flag) != older.npos)
        continue;
      older.replace(at, flag.size(), "<IsGradient> T ");
      check(model(component, tokens(component, kRate, older)),
            model(component,
                  tokens(component, std::string("<IsGradient> T ") + kRate,
                         variant.current)));
    }
}

TEST(ComponentTokens, ClosingTokens) {
  for (const Component &component : getComponents()) {
    std::string text =
        model(component, tokens(component, kRate, component.body));
    std::string other = text;
    StringRef type = component.type;
    auto replace = [&](const std::string &from, const std::string &to) {
      other.replace(other.find(from), from.size(), to);
    };
    if (type == "SumGroup") {
      text = other = model(component, tokens(component, "", component.body));
      replace("</SumGroupComponent>", "<SumGroupComponent>");
    } else if (type == "NaturalGradientAffine") {
      replace("</NaturalGradient", "</OnlineNaturalGradient");
    } else {
      continue;
    }
    check(other, text);
  }
}
