//===- NetworkEdits.h - Nodes and components of networks --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several passes of this folder do with a network.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SURGERY_NETWORKEDITS_H
#define LIB_SURGERY_NETWORKEDITS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Whether `name` matches `pattern`, in which `*` stands for any text.
bool matchesPattern(StringRef pattern, StringRef name);

/// The name of a node; null for another operation.
StringAttr getNodeName(Operation *op);

/// The node called `name`; null if there is none.
Operation *findNode(NetworkOp network, StringRef name);

/// The name of a component.
StringRef getComponentName(ComponentOpInterface component);

/// The components of `network` whose names match `pattern`, in their order.
SmallVector<ComponentOpInterface> findComponents(NetworkOp network,
                                                 StringRef pattern);

/// The component called `name`; null if there is none.
ComponentOpInterface findComponent(NetworkOp network, StringRef name);

/// Whether components like this one have an attribute of this name.
bool mayHave(Operation *component, StringRef attribute);

/// Whether a component is batch normalisation: it has a test mode, but is not
/// random.
bool isBatchNorm(ComponentOpInterface component);

/// Creates a component of type `Op` and gives it `attributes` and a name. The
/// builder's insertion point is where it goes.
template <typename Op>
ComponentOpInterface createComponent(OpBuilder &builder, Location loc,
                                     StringRef name,
                                     ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, Op::getOperationName());
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttributes(attributes);
  return cast<ComponentOpInterface>(builder.create(state));
}

/// Sets the insertion point behind the last component, where new ones go.
void setInsertionPointAfterComponents(OpBuilder &builder, NetworkOp network);

/// The attributes of `op` that every updatable component has, to give them to
/// another component.
SmallVector<NamedAttribute> getTrainingAttributes(Operation *op);

/// Removes the nodes and descriptors that no output depends on; input nodes
/// only if `removesInputs`.
void removeOrphanNodes(NetworkOp network, bool removesInputs);

/// Removes the components that no node applies.
void removeOrphanComponents(NetworkOp network);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_NETWORKEDITS_H
