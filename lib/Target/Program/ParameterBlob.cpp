//===- ParameterBlob.cpp - A network's tensors in one block ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Program/ParameterBlob.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/runtime/Container.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MemAlloc.h"

using namespace mlir;
using namespace mlir::nnet3;
using mlir::nnet3::ComponentOpInterface;
using ::nnet3::rt::alignContainerOffset;
using ::nnet3::rt::kContainerAlignment;

namespace {
/// A tensor and its offset in the block.
struct Placement {
  ComponentOpInterface component;
  StringAttr name; ///< with the prefix of a part
  ElementsAttr values;
  uint64_t offset;
};
} // namespace

/// Assigns offsets to the tensors of `components`, one after another; returns
/// their total number of bytes.
static uint64_t place(ArrayRef<ComponentOpInterface> components,
                      std::vector<Placement> &placements) {
  uint64_t end = 0;
  for (ComponentOpInterface component : components)
    mlir::nnet3::forEachPart(
        component, [&](ComponentOpInterface part, StringRef prefix) {
          for (NamedAttribute attr : part->getAttrDictionary()) {
            auto values = dyn_cast<ElementsAttr>(attr.getValue());
            if (!values || !values.getElementType().isF32())
              continue;
            auto name = StringAttr::get(part->getContext(),
                                        prefix + attr.getName().getValue());
            end = alignContainerOffset(end);
            placements.push_back({component, name, values, end});
            end += uint64_t(values.getNumElements()) * sizeof(float);
          }
        });
  return end;
}

StringAttr(mlir::nnet3::getPath)(ComponentOpInterface component) {
  StringAttr name = SymbolTable::getSymbolName(component);
  auto whole = dyn_cast<ComponentOpInterface>(component->getParentOp());
  return whole ? StringAttr::get(name.getContext(), getPath(whole).getValue() +
                                                        "." + name.getValue())
               : name;
}

LogicalResult mlir::nnet3::copyTensor(ElementsAttr tensor, float *dest) {
  size_t bytes = size_t(tensor.getNumElements()) * sizeof(float);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(tensor)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != bytes)
      return failure();
    std::memcpy(dest, blob->getData().data(), bytes);
    return success();
  }
  auto dense = dyn_cast<DenseElementsAttr>(tensor);
  if (dense && !dense.isSplat() && dense.getRawData().size() == bytes) {
    std::memcpy(dest, dense.getRawData().data(), bytes);
    return success();
  }
  auto range = tensor.tryGetValues<float>();
  if (!range)
    return failure();
  llvm::copy(*range, dest);
  return success();
}

/// If `tensor` is a resource, makes it refer to its copy in `memory` and frees
/// its own bytes.
static void share(ElementsAttr tensor, const char *values,
                  std::shared_ptr<const char> memory) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(tensor);
  if (!resource)
    return;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  *blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      {values, blob->getData().size()}, kContainerAlignment,
      [memory = std::move(memory)](void *, size_t, size_t) {});
}

FailureOr<ParameterBlob> ParameterBlob::create(mlir::nnet3::NetworkOp network) {
  return create(
      llvm::to_vector(network.getBody().front().getOps<ComponentOpInterface>()),
      /*base=*/0);
}

FailureOr<ParameterBlob>
ParameterBlob::create(ArrayRef<ComponentOpInterface> components,
                      uint64_t base) {
  std::vector<Placement> placements;
  ParameterBlob result;
  result.size = place(components, placements);
  size_t allocated = std::max<uint64_t>(result.size, 1);
  auto *memory = static_cast<char *>(
      llvm::allocate_buffer(allocated, kContainerAlignment));
  result.data = std::shared_ptr<const char>(memory, [=](const char *) {
    llvm::deallocate_buffer(memory, allocated, kContainerAlignment);
  });
  uint64_t end = 0;
  for (const Placement &placement : placements) {
    // Padding is zero, so that equal networks give equal bytes.
    std::memset(memory + end, 0, placement.offset - end);
    if (failed(copyTensor(placement.values, reinterpret_cast<float *>(
                                                memory + placement.offset))))
      return placement.component->emitError("tensor '")
             << placement.name.getValue() << "' has no values";
    share(placement.values, memory + placement.offset, result.data);
    end = placement.offset +
          uint64_t(placement.values.getNumElements()) * sizeof(float);
    result.offsets[{getPath(placement.component), placement.name}] =
        base + placement.offset;
  }
  return result;
}

std::optional<uint64_t> ParameterBlob::getOffset(StringAttr component,
                                                 StringAttr tensor) const {
  auto it = offsets.find({component, tensor});
  if (it == offsets.end())
    return std::nullopt;
  return it->second;
}
