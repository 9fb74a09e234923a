//===- StageMutationTest.cpp - Edited IR gives errors, not crashes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of all stages are edited randomly and run through the later passes.
// Each batch runs in its own process, so that a crash can be attributed to an
// edit.
//
// NNET3_MUTATION_CASES sets the number of texts, NNET3_MUTATION_SEED the first
// one, and NNET3_MUTATION_SECONDS the time after which no text is started.
// Texts that crash are stored in the folder NNET3_MUTATION_OUTPUT, if set.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "OperationMutator.h"
#include "StageText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Signals.h"

#include "gtest/gtest.h"
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::nnet3::mutation;
using mlir::nnet3::property::Random;

namespace {
/// Edits per text.
constexpr int kBatch = 50;
/// Random networks that are tried per text.
constexpr uint64_t kAttempts = 20, kSeedStep = 1000000;
/// Limits of a process; exceeding them is a failure. kMaxSeconds is processor
/// time; kMaxWait ends a process that waits forever.
constexpr rlim_t kMaxSeconds = 60;
constexpr unsigned kMaxWait = 1800;
constexpr rlim_t kMaxBytes = rlim_t(8) << 30;

/// Progress that the process of a batch reports.
struct Progress {
  int edit;       ///< that it has begun
  bool silent;    ///< it was refused without an error
  int numRefused; ///< of those behind it
  int numKnown;   ///< crashes of MLIR
};

uint64_t fromEnvironment(const char *name, uint64_t fallback) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : fallback;
}

/// The kind of edits.
enum class Kind { Text, GenericText, Operations };
constexpr int kKinds = 3;

/// A text and its edits.
struct Batch {
  explicit Batch(uint64_t number) : number(number) {}

  const Form &getForm() const { return getForms()[number % getForms().size()]; }
  Kind getKind() const { return Kind(number / getForms().size() % kKinds); }
  std::string getSeedText() const {
    auto context = makeStageContext();
    mlir::ScopedDiagnosticHandler quiet(
        context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
    // Not every random network can be compiled.
    std::string text;
    for (uint64_t attempt = 0; text.empty() && attempt < kAttempts; ++attempt)
      text = getText(*context,
                     number / getForms().size() + 1 + attempt * kSeedStep,
                     getForm(), /*generic=*/getKind() != Kind::Text);
    return text;
  }
  Random getRandom(int edit) const {
    return Random(number * kBatch + uint64_t(edit) + 1);
  }

  uint64_t number;
};

/// Makes the edits of a batch.
class Editor {
public:
  explicit Editor(const Batch &batch)
      : text(batch.getSeedText()), context(makeStageContext()), mutator(text) {
    if (batch.getKind() == Kind::Operations)
      operations.emplace(text, *context);
  }

  bool isEmpty() const { return text.empty(); }
  std::string edit(Random &random) const {
    return operations ? operations->mutate(random) : mutator.mutate(random);
  }

private:
  std::string text;
  std::unique_ptr<mlir::MLIRContext> context;
  Mutator mutator;
  std::optional<OperationMutator> operations;
};
} // namespace

/// Parses and compiles a text. Returns false if it is rejected without an
/// error.
static bool compile(const std::string &text, mlir::MLIRContext &context,
                    const Form &form, Random &random, int &numRefused) {
  bool hasError = false;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        return mlir::success();
      });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ++numRefused;
    return hasError;
  }
  runRest(*module, form, random);
  return true;
}

/// Runs the edits from `first` on, in a separate process.
static void runEdits(const Batch &batch, int first, Progress &progress,
                     int trace) {
  dup2(trace, STDERR_FILENO);
#if !LLVM_ADDRESS_SANITIZER_BUILD // reserves terabytes
  const rlimit limit = {kMaxBytes, kMaxBytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
  // The signal of the first bound leaves a trace, that of the second none.
  const rlimit time = {kMaxSeconds, 2 * kMaxSeconds};
  setrlimit(RLIMIT_CPU, &time);
  alarm(kMaxWait);
  llvm::sys::PrintStackTraceOnErrorSignal("");
  const Editor editor(batch);
  if (editor.isEmpty())
    return;
  // Dialects are loaded once: that takes longer than most edits.
  auto context = makeStageContext();
  for (int edit = first; edit < kBatch; ++edit) {
    progress.edit = edit;
    Random random = batch.getRandom(edit);
    const std::string edited = editor.edit(random);
    if (!compile(edited, *context, batch.getForm(), random,
                 progress.numRefused)) {
      progress.silent = true;
      return;
    }
  }
  progress.edit = kBatch;
}

static std::string getEdited(const Batch &batch, int edit) {
  Random random = batch.getRandom(edit);
  return Editor(batch).edit(random);
}

static std::string readTrace(FILE *file) {
  std::string text;
  std::rewind(file);
  for (int c = std::getc(file); c != EOF; c = std::getc(file))
    text += char(c);
  return text;
}

/// Returns true for known crashes of MLIR: in the parser, or a verifier that it
/// calls, on attributes and on operations of other dialects
/// (docs/user/Formats.md); or in the printer on an invalid operation, in which
/// case there is no text.
static bool isCrashOfMlir(const std::string &trace) {
  auto has = [&](const char *text) {
    return trace.find(text) != std::string::npos;
  };
  const bool isEdit = has("OperationMutator::mutate");
  return (has("parseSourceString") && !has("mlir::nnet3::")) ||
         (isEdit && (has("Operation::print") || has("mlir::parseAttribute")));
}

static void report(const Batch &batch, const Progress &progress, int status,
                   const std::string &trace) {
  const std::string name = getName(batch.getForm()) + "-" +
                           std::to_string(batch.number) + "-" +
                           std::to_string(progress.edit) + ".mlir";
  ADD_FAILURE() << name << ": "
                << (progress.silent       ? "is refused without an error"
                    : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                          : "exits")
                << "\n"
                << trace << "To repeat it: NNET3_MUTATION_SEED=" << batch.number
                << " NNET3_MUTATION_CASES=1 Nnet3MutationTests";
  if (const char *folder = std::getenv("NNET3_MUTATION_OUTPUT"))
    std::ofstream(std::string(folder) + "/" + name)
        << getEdited(batch, progress.edit);
}

/// Runs a batch and continues after edits that crash. Returns false if there is
/// no text.
static bool runBatch(const Batch &batch, Progress &progress) {
  for (int first = 0; first < kBatch; first = progress.edit + 1) {
    progress.edit = first - 1;
    progress.silent = false;
    FILE *file = std::tmpfile();
    const pid_t child = fork();
    if (child == 0) {
      runEdits(batch, first, progress, fileno(file));
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const std::string trace = readTrace(file);
    std::fclose(file);
    if (progress.edit == first - 1 && WIFEXITED(status))
      return false;
    const bool isKnown = WIFSIGNALED(status) && isCrashOfMlir(trace);
    if (progress.edit < kBatch && !isKnown)
      report(batch, progress, status, trace);
    progress.numKnown += isKnown;
  }
  return true;
}

TEST(StageMutationTest, EditedStagesDoNotCrash) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() +
      std::chrono::seconds(fromEnvironment("NNET3_MUTATION_SECONDS", 20));
  auto *progress = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(progress, MAP_FAILED);
  progress->numRefused = progress->numKnown = 0;
  const uint64_t first = fromEnvironment("NNET3_MUTATION_SEED", 0);
  const uint64_t count = fromEnvironment("NNET3_MUTATION_CASES", 120);
  int numTexts = 0;
  for (uint64_t i = first; i < first + count && Clock::now() < end; ++i)
    numTexts += runBatch(Batch(i), *progress);
  std::printf("%d texts, %d edits, of which %d are not valid and %d crash "
              "MLIR's parser or printer\n",
              numTexts, numTexts * kBatch, progress->numRefused,
              progress->numKnown);
  EXPECT_GT(numTexts, 0);
  munmap(progress, sizeof(Progress));
}
