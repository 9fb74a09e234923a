//===- MergeRowKernels.cpp - Fewer launches of small kernels --------------===//

#include "MergeRowKernels.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Most places of a sequence: parameters of a function of a device have room
/// for hundreds, but each is read by all threads.
static constexpr size_t kMostPlaces = 16;

namespace {
/// Neighbouring calls that become one.
struct Group {
  RowSequence sequence;
  SmallVector<ArrayRef<int64_t>> places; ///< of each kernel

  bool takes(const RowKernel &next, ArrayRef<int64_t> nextPlaces) const {
    size_t numPlaces = nextPlaces.size();
    for (ArrayRef<int64_t> one : places)
      numPlaces += one.size();
    if (numPlaces > kMostPlaces)
      return false;
    return llvm::all_of(
        llvm::zip_equal(sequence.kernels, places), [&](auto each) {
          auto [kernel, kernelPlaces] = each;
          return RowSequence::canFollow(kernel, kernelPlaces, next, nextPlaces);
        });
  }
};
} // namespace

std::vector<KernelCall> mlir::nnet3::mergeRowKernels(ArrayRef<KernelCall> calls,
                                                     KernelTable &kernels) {
  std::vector<KernelCall> result;
  Group group;
  auto finish = [&] {
    if (group.places.size() > 1) {
      KernelCall &call = result.back();
      call.kernel = kernels.get(group.sequence);
      call.places.clear();
      for (ArrayRef<int64_t> places : group.places)
        llvm::append_range(call.places, places);
    }
    group = Group();
  };
  for (const KernelCall &call : calls) {
    // A copy: the table grows.
    const Kernel kernel = kernels.getKernels()[call.kernel];
    auto *rows = std::get_if<RowKernel>(&kernel);
    if (!rows || (!group.places.empty() && !group.takes(*rows, call.places)))
      finish();
    if (group.places.empty())
      result.push_back(call);
    if (!rows)
      continue;
    group.sequence.kernels.push_back(*rows);
    group.places.push_back(call.places);
  }
  finish();
  return result;
}
