//===- CommandChecker.h - Verifying and resolving commands ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits the commands once in order of execution, and checks that each operand
// of each command is inside a matrix that exists at that point, so that the
// executor needs no checks.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_COMMANDCHECKER_H
#define NNET3_RUNTIME_CORE_COMMANDCHECKER_H

#include "LoopedList.h"
#include "ProgramData.h"
#include "nnet3/runtime/Placement.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace nnet3 {
namespace rt {

/// Sets the commands, the arena and the offsets of the outputs of a program
/// whose other parts have been verified.
class CommandChecker {
public:
  CommandChecker(ProgramData &program, uint64_t maxArenaBytes);

  Status run();

private:
  /// Properties of a row table, computed once.
  struct RowTableInfo {
    bool loaded = false;
    int32_t largest = -1;
  };
  struct MultiTableInfo {
    bool loaded = false;
    std::vector<int32_t> submatrices; ///< referenced ones, each once
    bool distinctChecked = false;
  };
  struct RangeTableInfo {
    bool loaded = false;
    int32_t largestEnd = 0;
  };
  /// Whether a matrix or its compressed copy exists, and its storage.
  struct MatrixState {
    bool exists = false;
    bool provided = false;
    bool compressed = false;
    schema::CompressedType elements = schema::CompressedType::Int8;
    float range = 0;
    int64_t storage = 0;
    size_t begin = 0; ///< the allocating command
  };

  /// The memo of a propagate command.
  struct MemoState {
    int32_t component = -1;
    int32_t precomputed = -1;
    int32_t inRows = 0;
    int32_t outRows = 0;
    uint64_t bytes = 0;
    int64_t storage = 0;
    size_t begin = 0; ///< the command
  };

  /// Counts of the commands whose numbers select random numbers.
  struct Counts {
    uint32_t propagates = 0;
    uint32_t storeStats = 0;
    uint32_t backprops = 0;
  };

  bool fail(const std::string &message);
  bool charge(uint64_t work);

  bool chargeList(uint64_t numEntries);
  void prepareTables();
  bool listTable(const ListCode *code, int32_t rows,
                 std::vector<int32_t> &entries);
  bool loadRowTable(uint32_t id, int32_t rows);
  bool loadMultiTable(uint32_t id, int32_t rows);
  bool loadRangeTable(uint32_t id, int32_t rows);

  bool window(int32_t id, const char *role, Window &out);
  bool existing(int32_t id, const char *role, Window &out);
  bool whole(int32_t id, const char *role, Window &out);
  template <typename Vector>
  bool tableId(const Vector *tables, const char *kind);

  bool checkCommand();
  bool checkAlloc();
  bool checkDealloc();
  bool checkMove();
  bool checkCompress();
  bool checkDecompress();
  bool checkMatrixPair();
  bool checkRows();
  bool checkRowRanges();
  bool checkMulti(bool tableIsTarget);
  bool checkMultiSides(const Window &side, const RowLists &table,
                       const MultiTableInfo &info);
  bool checkDistinctTargets(const RowLists &table, MultiTableInfo &info);
  bool checkRepeat();
  bool checkInLoop();
  bool endLoop();
  uint32_t countOf(const ExecCommand &command, const Counts &counts) const;
  bool overlap(const Window &a, const Window &b);
  bool checkAccept();
  bool checkProvide();
  bool checkComponent();
  bool checkDims(const Window &in, const char *role, int32_t dim);
  bool checkPropagate();
  bool checkPropagateAliasing(const Component &component);
  /// The subject of error messages: the command's component.
  ErrorOwner owner(const char *kind) const;
  bool makePlan(const Component &component, int32_t inRows, int32_t outRows);
  bool beginMemo(const Component &component);
  bool findMemo(const Component &component);
  void endMemo();
  bool optionalValue(int32_t id, const char *role, bool isNeeded, Window &out);
  bool checkStoreStats();
  bool checkTraining(const Component &component);
  bool checkBackprop();
  bool checkBackpropValues(const Component &component);
  bool checkBackpropAliasing(const Component &component);

  bool begin(const Window &matrix);
  int64_t beginStorage(uint64_t floats);
  void endStorage(int64_t storage);
  bool checkArenaSize();
  void planArena();
  void splitSegments();

  ProgramData &program;
  const schema::Program &root;
  uint64_t maxArenaBytes;
  Status error;
  uint64_t work = 0;
  uint64_t listBytes = 0; ///< of expanded lists
  Counts counts;
  /// The Repeat command of the current loop, and the loop's end, which is 0
  /// outside of loops.
  size_t loop = 0;
  size_t loopEnd = 0;
  Counts countsBeforeLoop;

  std::vector<RowTableInfo> rowTables;
  std::vector<MultiTableInfo> multiTables;
  std::vector<RangeTableInfo> rangeTables;
  std::vector<MatrixState> matrices;
  std::unordered_map<int32_t, MemoState> memos; ///< by number
  std::vector<bool> accepted;
  std::vector<bool> provided;
  /// Lifetimes of all matrices and memos. Until planArena(), a storage is an
  /// index of this vector.
  std::vector<Lifetime> lifetimes;
  uint64_t liveFloats = 0; ///< total size of those that exist

  // The command being checked.
  const schema::Command *source = nullptr;
  ExecCommand command;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMMANDCHECKER_H
