//===- ContextTree.cpp - Context-dependent phones to pdfs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/ContextTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

namespace {
/// Visits the leaves of a tree that are reachable for given sets of key values.
class LeafFinder {
public:
  using Node = ContextTree::Node;
  using Values = ContextTree::Values;
  using LeafFn = llvm::function_ref<void(int32_t, const Values &)>;

  LeafFinder(const ContextTree &tree, LeafFn fn) : tree(tree), fn(fn) {}

  void visit(int32_t number, const Values &values);

private:
  /// Visits a child with fewer values for the key, unless there are none.
  void visitWith(int32_t child, const Values &values, int32_t key,
                 std::vector<int32_t> fewer);

  const ContextTree &tree;
  LeafFn fn;
};
} // namespace

void LeafFinder::visitWith(int32_t child, const Values &values, int32_t key,
                           std::vector<int32_t> fewer) {
  if (fewer.empty())
    return;
  Values changed = values;
  changed[key] = std::move(fewer);
  visit(child, changed);
}

void LeafFinder::visit(int32_t number, const Values &values) {
  const Node &node = tree.nodes[number];
  switch (node.kind) {
  case Node::Kind::None:
    return;
  case Node::Kind::Leaf:
    return fn(node.answer, values);
  case Node::Kind::Split: {
    std::vector<int32_t> yes, no;
    auto found = values.find(node.key);
    if (found == values.end())
      return;
    for (int32_t value : found->second)
      (llvm::binary_search(node.values, value) ? yes : no).push_back(value);
    visitWith(node.children[0], values, node.key, std::move(yes));
    visitWith(node.children[1], values, node.key, std::move(no));
    return;
  }
  case Node::Kind::Table:
    auto found = values.find(node.key);
    if (found == values.end())
      return;
    for (int32_t value : found->second)
      if (value >= 0 && size_t(value) < node.children.size())
        visitWith(node.children[value], values, node.key, {value});
    return;
  }
}

void ContextTree::forEachLeaf(
    const Values &values,
    llvm::function_ref<void(int32_t, const Values &)> fn) const {
  LeafFinder(*this, fn).visit(nodes.size() - 1, values);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Exceeds the width of any real tree.
static constexpr int32_t kMaxWidth = 100;
/// Exceeds the depth of any real tree; the reader is recursive.
static constexpr int kMaxDepth = 2000;

static LogicalResult readNode(KaldiReader &reader, ContextTree &tree,
                              int depth);

/// Reads an unsigned 32-bit number, which has its own size byte in binary.
static LogicalResult readSize(KaldiReader &reader, int32_t &size) {
  if (!reader.isBinary())
    return reader.readCount(size);
  StringRef bytes;
  if (failed(reader.readBytes(5, bytes)))
    return failure();
  size = llvm::support::endian::read32le(bytes.data() + 1);
  if (bytes[0] != char(-4) || size < 0)
    return reader.fail("expects an unsigned integer of 4 bytes");
  return success();
}

/// Reads a child and stores its number in the parent.
static LogicalResult readChild(KaldiReader &reader, ContextTree &tree,
                               ContextTree::Node &parent, int depth) {
  if (failed(readNode(reader, tree, depth + 1)))
    return failure();
  parent.children.push_back(tree.nodes.size() - 1);
  return success();
}

static LogicalResult readTable(KaldiReader &reader, ContextTree &tree,
                               ContextTree::Node &node, int depth) {
  int32_t size;
  if (failed(reader.readInt32(node.key)) || failed(readSize(reader, size)) ||
      failed(reader.expectToken("(")))
    return failure();
  for (int32_t i = 0; i < size; ++i)
    if (failed(readChild(reader, tree, node, depth)))
      return failure();
  return reader.expectToken(")");
}

static LogicalResult readSplit(KaldiReader &reader, ContextTree &tree,
                               ContextTree::Node &node, int depth) {
  if (failed(reader.readInt32(node.key)) ||
      failed(reader.readIntVector(node.values)) ||
      failed(reader.expectToken("{")) ||
      failed(readChild(reader, tree, node, depth)) ||
      failed(readChild(reader, tree, node, depth)))
    return failure();
  llvm::sort(node.values);
  return reader.expectToken("}");
}

/// Reads a node and appends it after its children.
static LogicalResult readNode(KaldiReader &reader, ContextTree &tree,
                              int depth) {
  using Kind = ContextTree::Node::Kind;
  ContextTree::Node node;
  LogicalResult result = success();
  if (depth > kMaxDepth) {
    result = reader.fail("expects a tree of at most " + Twine(kMaxDepth) +
                         " levels");
  } else if (reader.consumeToken("NULL")) {
    node.kind = Kind::None;
  } else if (reader.consumeToken("CE")) {
    node.kind = Kind::Leaf;
    result = reader.readInt32(node.answer);
  } else if (reader.consumeToken("TE")) {
    node.kind = Kind::Table;
    result = readTable(reader, tree, node, depth);
  } else {
    node.kind = Kind::Split;
    result = reader.expectToken("SE");
    if (succeeded(result))
      result = readSplit(reader, tree, node, depth);
  }
  if (failed(result))
    return failure();
  tree.nodes.push_back(std::move(node));
  return success();
}

LogicalResult mlir::nnet3::readContextTree(KaldiReader &reader,
                                           ContextTree &tree) {
  if (failed(reader.expectToken("ContextDependency")) ||
      failed(reader.readInt32(tree.width)) ||
      failed(reader.readInt32(tree.central)))
    return failure();
  if (tree.width < 1 || tree.width > kMaxWidth)
    return reader.fail("expects a context of 1 to " + Twine(kMaxWidth) +
                       " phones, but got " + Twine(tree.width));
  if (tree.central < 0 || tree.central >= tree.width)
    return reader.fail("expects a position in the context of " +
                       Twine(tree.width) + " phones, but got " +
                       Twine(tree.central));
  if (failed(reader.expectToken("ToPdf")) ||
      failed(readNode(reader, tree, /*depth=*/0)))
    return failure();
  return reader.expectToken("EndContextDependency");
}
