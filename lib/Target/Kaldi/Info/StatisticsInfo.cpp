//===- StatisticsInfo.cpp - Info text of statistics -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InfoWriter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

/// Returns `part` / `whole`, or 0 if `whole` is 0.
static double getProportion(double part, double whole) {
  return whole > 0 ? float(part / whole) : 0.0;
}

static void describeNonlinear(InfoWriter &writer) {
  writer.type().field("dim");
  if (writer.getInt("block_dim") != writer.getInt("dim"))
    writer.field("block-dim");
  writer.fieldIfSet("self-repair-lower-threshold")
      .fieldIfSet("self-repair-upper-threshold");
  writer.fieldUnless(0, "self-repair-scale");
  InfoTensor values = writer.getTensor("value_avg");
  if (writer.getReal("count") > 0 && !values.empty()) {
    writer.number("count", writer.getReal("count"), 3)
        .number("self-repaired-proportion",
                getProportion(writer.getReal("num_dims_self_repaired"),
                              writer.getReal("num_dims_processed")))
        .vector("value-avg", values.values);
    if (InfoTensor derivatives = writer.getTensor("deriv_avg");
        !derivatives.empty())
      writer.vector("deriv-avg", derivatives.values);
  }
  InfoTensor outputs = writer.getTensor("oderiv_rms");
  if (writer.getReal("oderiv_count") > 0 && !outputs.empty())
    writer.vector("oderiv-rms", outputs.values).field("oderiv-count");
}

static void describeBatchNorm(InfoWriter &writer) {
  writer.type().fields(
      {"dim", "block-dim", "epsilon", "target-rms", "count", "test-mode"});
  if (writer.getReal("count") <= 0)
    return;
  InfoTensor deviations = writer.getTensor("stats_var");
  for (float &value : deviations.values)
    value = std::sqrt(std::max(value, 0.0f));
  writer.vector("data-mean", writer.getTensor("stats_mean").values)
      .vector("data-stddev", deviations.values);
}

static void describeClipGradient(InfoWriter &writer) {
  writer.type().fields({"dim", "norm-based-clipping", "clipping-threshold"});
  writer.number("clipped-proportion",
                getProportion(writer.getInt("num_elements_clipped"),
                              writer.getInt("num_elements_processed")));
  if (writer.getReal("self_repair_scale") != 0)
    writer.fields({"self-repair-clipped-proportion-threshold",
                   "self-repair-target", "self-repair-scale"});
}

static void describeBackpropTruncation(InfoWriter &writer) {
  const double count = writer.getReal("num_elements_processed");
  const double boundaries = writer.getReal("num_zeroing_boundaries");
  writer.type()
      .fields({"dim", "scale"})
      .number("count", count, 3)
      .fields({"recurrence-interval", "clipping-threshold"})
      .number("clipped-proportion",
              getProportion(writer.getReal("num_elements_clipped"), count))
      .fields({"zeroing-threshold", "zeroing-interval"})
      .number("zeroed-proportion",
              getProportion(writer.getReal("num_elements_zeroed"), boundaries))
      .number("count-zeroing-boundaries", std::trunc(boundaries), 12);
}

/// Writes about the five nonlinearities of an LSTM cell.
static void writeGates(InfoWriter &writer) {
  static constexpr StringRef names[] = {"i_t_sigmoid", "f_t_sigmoid",
                                        "c_t_tanh", "o_t_sigmoid", "m_t_tanh"};
  InfoTensor repair = writer.getTensor("self_repair_config");
  InfoTensor proportions = writer.getTensor("self_repair_prob");
  InfoTensor values = writer.getTensor("value_avg");
  InfoTensor derivatives = writer.getTensor("deriv_avg");
  const bool hasStatistics = writer.getReal("count") != 0 && !values.empty() &&
                             !derivatives.empty() && !proportions.empty();
  for (auto [gate, name] : llvm::enumerate(names)) {
    raw_ostream &os = writer.getStream();
    os << ", " << name << "={ ";
    if (repair.values.size() == 10)
      os << "self-repair-lower-threshold="
         << llvm::format("%.6g", double(repair.values[gate]))
         << ", self-repair-scale="
         << llvm::format("%.6g", double(repair.values[5 + gate]));
    if (hasStatistics)
      writer.number("self-repaired-proportion", proportions.values[gate])
          .vector("value-avg", values.row(gate))
          .vector("deriv-avg", derivatives.row(gate));
    os << " }";
  }
}

static void describeLstm(InfoWriter &writer) {
  writer.updatable().fields({"cell-dim", "use-dropout"});
  InfoTensor params = writer.getTensor("params");
  if (params.empty())
    return;
  writer.rms("w_ic", params.row(0))
      .rms("w_fc", params.row(1))
      .rms("w_oc", params.row(2));
  if (writer.getReal("count") != 0)
    writer.number("count", writer.getReal("count"), 3);
  writeGates(writer);
}

/// Writes self-repair and statistics of both kinds of GRU.
static void writeGruRepair(InfoWriter &writer) {
  writer.fields({"self-repair-threshold", "self-repair-scale"});
  const double count = writer.getReal("count");
  InfoTensor values = writer.getTensor("value_avg");
  InfoTensor derivatives = writer.getTensor("deriv_avg");
  if (count <= 0 || values.empty() || derivatives.empty())
    return;
  writer.number("count", count, 3)
      .number("self-repaired-proportion",
              getProportion(writer.getReal("self_repair_total"),
                            count * writer.getInt("cell_dim")))
      .vector("value-avg", values.values)
      .vector("deriv-avg", derivatives.values);
}

static void describeGru(InfoWriter &writer) {
  writer.updatable().fields({"cell-dim", "recurrent-dim"}).rms("w_h", "w_h");
  writeGruRepair(writer);
  writer.fields({"alpha", "rank-in", "rank-out", "update-period"});
}

static void describeOutputGru(InfoWriter &writer) {
  writer.updatable().field("cell-dim").rms("w_h", "w_h");
  writeGruRepair(writer);
  writer.fields({"alpha", "rank", "update-period"});
}

/// Writes the averages over frames of each head's attention.
static void writeAttention(InfoWriter &writer) {
  const double count = writer.getReal("stats_count");
  ArrayRef<double> entropy = writer.getDoubles("entropy_stats");
  ArrayRef<double> posteriors = writer.getDoubles("posterior_stats");
  if (count == 0 || entropy.empty() || posteriors.empty())
    return;
  raw_ostream &os = writer.getStream();
  auto writeAverages = [&](ArrayRef<double> sums) {
    for (double sum : sums)
      os << llvm::format("%.6g", sum / count) << ',';
  };
  os << ", entropy=";
  writeAverages(entropy);
  const size_t context = posteriors.size() / entropy.size();
  for (size_t head = 0; head < std::min<size_t>(entropy.size(), 5); ++head) {
    os << " posterior-stats[" << head << "]=";
    writeAverages(posteriors.slice(head * context, context));
  }
  os << " stats-count=" << llvm::format("%.6g", count);
}

static void describeAttention(InfoWriter &writer) {
  writer.dims().fields({"num-heads", "time-stride", "key-dim", "value-dim",
                        "num-left-inputs", "num-right-inputs"});
  writer.number("context-dim", writer.getInt("num_left_inputs") + 1 +
                                   writer.getInt("num_right_inputs"));
  writer.fields({"num-left-inputs-required", "num-right-inputs-required",
                 "output-context", "key-scale"});
  writeAttention(writer);
}

DescribeFn mlir::nnet3::findStatisticsInfo(StringRef type) {
  return llvm::StringSwitch<DescribeFn>(type)
      .Cases({"Sigmoid", "Tanh", "RectifiedLinear", "Softmax", "LogSoftmax"},
             describeNonlinear)
      .Case("BatchNorm", describeBatchNorm)
      .Case("ClipGradient", describeClipGradient)
      .Case("BackpropTruncation", describeBackpropTruncation)
      .Case("LstmNonlinearity", describeLstm)
      .Case("GruNonlinearity", describeGru)
      .Case("OutputGruNonlinearity", describeOutputGru)
      .Case("RestrictedAttention", describeAttention)
      .Default(nullptr);
}
