//===- NetworkEdits.h - Nodes and components of networks --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of a network that several passes of this folder share.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SURGERY_NETWORKEDITS_H
#define LIB_SURGERY_NETWORKEDITS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Returns true if `name` matches `pattern`, in which `*` stands for any text.
bool matchesPattern(StringRef pattern, StringRef name);

/// Returns the name of a node; null for other operations.
StringAttr getNodeName(Operation *op);

/// Returns the node called `name`; null if there is none.
Operation *findNode(NetworkOp network, StringRef name);

/// Returns the name of a component.
StringRef getComponentName(ComponentOpInterface component);

/// Returns the components of `network` whose names match `pattern`, in order.
SmallVector<ComponentOpInterface> findComponents(NetworkOp network,
                                                 StringRef pattern);

/// Returns the component called `name`; null if there is none.
ComponentOpInterface findComponent(NetworkOp network, StringRef name);

/// Returns true if components of this type can have an attribute of this name.
bool mayHave(Operation *component, StringRef attribute);

/// Returns true for batch normalisation: a component with a test mode that is
/// not random.
bool isBatchNorm(ComponentOpInterface component);

/// Creates a component of type `Op` with `attributes` and a name at the
/// builder's insertion point.
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

/// Sets the insertion point after the last component.
void setInsertionPointAfterComponents(OpBuilder &builder, NetworkOp network);

/// Returns the attributes of `op` that all updatable components have, for use
/// in another component.
SmallVector<NamedAttribute> getTrainingAttributes(Operation *op);

/// Removes the nodes and descriptors that no output depends on; input nodes
/// only if `removesInputs`.
void removeOrphanNodes(NetworkOp network, bool removesInputs);

/// Removes the components that no node applies.
void removeOrphanComponents(NetworkOp network);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_NETWORKEDITS_H
