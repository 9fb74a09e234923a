//===- HoistSharedInputs.cpp - Hoist matmuls of shared inputs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedInputs.h"
#include "SumOrder.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/Passes.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <set>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3HOISTSHAREDINPUTS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A matmul input: rows of a window and columns of the weights. Matrices and
/// tables are represented by their addresses, which are only compared.
using Factor = std::array<uintptr_t, 7>;

/// Maps that share some inputs and have others of their own.
struct Sharing {
  SmallVector<int32_t> commands;
  SmallVector<Factor> factors;
};

struct HoistSharedInputs
    : public nnet3::impl::Nnet3HoistSharedInputsBase<HoistSharedInputs> {
  void runOnCommands() override;

private:
  FusedAffineOp getMap(int32_t command) const {
    return cast<FusedAffineOp>(analysis->getCommand(command));
  }
  bool isUnchanged(Value input, int32_t first, int32_t last) const;
  std::set<Factor> findShared(ArrayRef<int32_t> commands) const;
  std::vector<Sharing> findSharing(ArrayRef<int32_t> commands);
  void hoist(const Sharing &sharing);

  CommandAnalysis *analysis = nullptr;
  SumOrders *orders = nullptr;
  PassCount numProducts{"products computed once"};
  PassCount numMaps{"maps made shorter"};
};

} // namespace

static Factor getFactor(FusedAffineOp op, unsigned input) {
  MatrixWindow window = MatrixWindow::get(op.getInputs()[input]);
  return {uintptr_t(window.matrix.getAsOpaquePointer()),
          uintptr_t(window.row),
          uintptr_t(window.rows),
          uintptr_t(window.col),
          uintptr_t(window.cols),
          uintptr_t(op.getRows()[input].getAsOpaquePointer()),
          uintptr_t(op.getColumns()[input])};
}

/// Whether no command from `first` to `last` writes to `input`.
bool HoistSharedInputs::isUnchanged(Value input, int32_t first,
                                    int32_t last) const {
  bool unchanged = true;
  analysis->getVariables(input).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      unchanged &=
          !access.writes() || access.command < first || access.command > last;
  });
  return unchanged;
}

/// Returns the inputs that several maps share and that do not change between
/// the first and the last of these maps.
std::set<Factor>
HoistSharedInputs::findShared(ArrayRef<int32_t> commands) const {
  std::map<Factor, SmallVector<std::pair<int32_t, unsigned>>> users;
  for (int32_t c : commands)
    for (unsigned i = 0; i < getMap(c).getInputs().size(); ++i)
      users[getFactor(getMap(c), i)].push_back({c, i});
  std::set<Factor> shared;
  for (const auto &[factor, maps] : users) {
    auto [first, input] = maps.front();
    if (maps.size() > 1 &&
        isUnchanged(getMap(first).getInputs()[input], first, maps.back().first))
      shared.insert(factor);
  }
  return shared;
}

/// Groups maps of one component and shape by their shared inputs.
std::vector<Sharing>
HoistSharedInputs::findSharing(ArrayRef<int32_t> commands) {
  const std::set<Factor> shared = findShared(commands);
  std::vector<Sharing> result;
  std::map<SmallVector<Factor>, size_t> groups;
  for (int32_t c : commands) {
    FusedAffineOp op = getMap(c);
    // Shares whole groups of terms only, starting with the first group, to keep
    // the order of additions.
    const SumOrder &order = orders->get(op);
    SumGroup firstOther = SumGroup::Recurrent;
    for (unsigned i = 0; i < op.getInputs().size(); ++i)
      if (!shared.count(getFactor(op, i)))
        firstOther = std::min(firstOther, order.getGroup(op, i));
    SmallVector<Factor> factors;
    for (unsigned i = 0; i < op.getInputs().size(); ++i)
      if (order.getGroup(op, i) < firstOther)
        factors.push_back(getFactor(op, i));
    if (factors.empty() || factors.size() == op.getInputs().size())
      continue;
    auto [group, isNew] = groups.try_emplace(factors, result.size());
    if (isNew)
      result.push_back({{}, factors});
    result[group->second].commands.push_back(c);
  }
  return result;
}

void HoistSharedInputs::hoist(const Sharing &sharing) {
  FusedAffineOp first = getMap(sharing.commands.front());
  OpBuilder builder(first);
  Value product;
  for (int32_t c : sharing.commands) {
    FusedAffineOp op = getMap(c);
    FusedInputs shared, others;
    for (unsigned i = 0; i < op.getInputs().size(); ++i) {
      FusedInputs &inputs =
          llvm::is_contained(sharing.factors, getFactor(op, i)) ? shared
                                                                : others;
      inputs.add(op.getInputs()[i], op.getRows()[i], op.getColumns()[i]);
    }
    if (op == first)
      product = createMatmul(builder, op, shared, numRows(op.getOutput()));
    beginWith(op, others, product);
  }
  builder.setInsertionPointAfter(getMap(sharing.commands.back()));
  DeallocMatrixOp::create(builder, first.getLoc(), product);
  ++numProducts;
  numMaps += sharing.commands.size();
}

void HoistSharedInputs::runOnCommands() {
  analysis = &getAnalysis<CommandAnalysis>();
  SumOrders known(getOperation());
  orders = &known;
  // Maps of one component and shape that start with the bias, in order.
  llvm::MapVector<std::pair<Attribute, int64_t>, SmallVector<int32_t>> maps;
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c)))
      if (!op.getInit())
        maps[{op.getComponent(), 2 * numRows(op.getOutput()) + op.getBias()}]
            .push_back(c);
  for (auto &[shape, commands] : maps)
    for (const Sharing &sharing : findSharing(commands))
      if (sharing.commands.size() > 1)
        hoist(sharing);
}
