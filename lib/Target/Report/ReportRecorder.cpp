//===- ReportRecorder.cpp - Recording passes for a report -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/ReportRecorder.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <ctime>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// Records the IR before passes. The pass manager serialises these calls.
class FirstSeen : public PassInstrumentation {
public:
  explicit FirstSeen(ReportRecorder &recorder) : recorder(recorder) {}

  void runBeforePass(Pass *, Operation *op) override {
    recorder.recordFirst(op);
  }
  void runAfterPass(Pass *, Operation *op) override {
    recorder.recordFirst(op);
  }

private:
  ReportRecorder &recorder;
};

/// Records the IR after all other passes; added last.
class LastSeen : public PassWrapper<LastSeen, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LastSeen)

  explicit LastSeen(ReportRecorder &recorder) : recorder(recorder) {}

  void runOnOperation() override {
    recorder.recordLast(getOperation());
    markAllAnalysesPreserved();
  }

private:
  ReportRecorder &recorder;
};
} // namespace

/// Returns the time in UTC, from SOURCE_DATE_EPOCH if set, so that pages are
/// reproducible.
static std::string getTime() {
  std::time_t now = std::time(nullptr);
  int64_t epoch;
  if (auto text = llvm::sys::Process::GetEnv("SOURCE_DATE_EPOCH");
      text && !StringRef(*text).getAsInteger(10, epoch))
    now = epoch;
  char buffer[64];
  std::tm parts;
  if (!gmtime_r(&now, &parts) ||
      !std::strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M UTC", &parts))
    return "";
  return buffer;
}

ReportRecorder::ReportRecorder(StringRef source, StringRef version) {
  report.source = source == "-" ? "<stdin>" : source.str();
  report.version = version.str();
  report.time = getTime();
}

void ReportRecorder::watch(PassManager &manager) {
  firsts.clear();
  manager.addInstrumentation(std::make_unique<FirstSeen>(*this));
  manager.addPass(std::make_unique<LastSeen>(*this));
}

void ReportRecorder::recordFirst(Operation *op) {
  if (auto module = dyn_cast<ModuleOp>(op))
    for (auto computation : module.getOps<ComputationOp>())
      recordFirst(computation);
  auto computation = dyn_cast<ComputationOp>(op);
  if (!computation)
    return;
  auto isKnown = [&](const ComputationSummary &first) {
    return first.name == computation.getSymName();
  };
  if (llvm::none_of(firsts, isKnown))
    firsts.push_back(ComputationSummary::get(computation));
}

/// Sets the precision of `module`'s packed weights at the boxes of `network`.
static void setPrecisions(NetworkDrawing &network, ModuleOp module) {
  auto resources = kernel::ResourcesOp::find(module);
  if (!resources)
    return;
  llvm::StringMap<std::string> precisions;
  for (auto part : resources.getLayout().getAsRange<kernel::PackedAttr>()) {
    if (part.getPart() != kernel::PackedPart::Panels ||
        part.getPrecision() == Precision::F32 ||
        part.getComponent().getRootReference() != network.name)
      continue;
    std::string text = getPrecisionName(part.getPrecision()).str();
    if (FloatAttr error = part.getError())
      text += llvm::formatv(", error {0:F4}", error.getValueAsDouble()).str();
    precisions[part.getComponent().getLeafReference()] = std::move(text);
  }
  for (NetworkBox &box : network.boxes)
    box.precision = precisions.lookup(box.component);
}

void ReportRecorder::recordLast(Operation *op) {
  auto module = cast<ModuleOp>(op);
  size_t firstNetwork = report.networks.size();
  for (auto network : module.getOps<NetworkOp>()) {
    report.networks.push_back(NetworkDrawing::get(network));
    setPrecisions(report.networks.back(), module);
  }
  for (auto computation : module.getOps<ComputationOp>()) {
    ComputationSummary last = ComputationSummary::get(computation);
    auto first = llvm::find_if(firsts, [&](const ComputationSummary &summary) {
      return summary.name == last.name;
    });
    ComputationSummary before = first == firsts.end() ? last : *first;
    size_t network = firstNetwork;
    while (network < report.networks.size() &&
           report.networks[network].name != last.network)
      ++network;
    report.computations.push_back(
        {std::move(before), std::move(last), network});
  }
}
