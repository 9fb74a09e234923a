//===- HostKernels.h - Kernels for a driver that is not real ----*- C++ -*-===//

#ifndef NNET3_UNITTESTS_PROPERTY_HOSTKERNELS_H
#define NNET3_UNITTESTS_PROPERTY_HOSTKERNELS_H

#include "Execution.h"

#include "FakeCuda.h"
#include "nnet3/Pipelines/RequestRunner.h"
#include "nnet3/Target/Library/LoadedObject.h"

namespace nnet3::property {

/// A module of them alone, ready to be lowered to kernels.
mlir::OwningOpRef<mlir::ModuleOp>
copyNetwork(NetworkOp network, llvm::ArrayRef<RequestOp> requests);

/// The kernels of a network's requests as functions of this machine.
class HostKernels {
public:
  /// `module` has the network and the requests as they were read; it is
  /// lowered.
  explicit HostKernels(mlir::OwningOpRef<mlir::ModuleOp> module);

  void addTo(runtime::test::FakeCuda &cuda);

private:
  /// More places than any kernel has: a callee that has fewer leaves the others
  /// alone.
  static constexpr size_t kMaxPlaces = 24;
  using Function = void (*)(float *, const float *, const int32_t *, void *,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t, int64_t,
                            int64_t, int64_t, int64_t, int64_t);

  template <size_t... i>
  static void call(Function function, float *arena, const float *weights,
                   const int32_t *tables, const int64_t *places,
                   std::index_sequence<i...>) {
    function(arena, weights, tables, nullptr, places[i]...);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::map<std::string, int> numPlaces;
  std::unique_ptr<LoadedObject> object;
};

/// The outputs of three runs, which are equal: launched, recorded, replayed.
Outputs runThreeTimes(const Case &test, RequestInstance &instance);

} // namespace nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_HOSTKERNELS_H
