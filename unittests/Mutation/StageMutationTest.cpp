//===- StageMutationTest.cpp - Edited IR gives errors, not crashes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of all stages, edited at random, go through the passes behind their
// stage. Each batch runs in a process of its own, so that a crash is known by
// its edit.
//
// NNET3_MUTATION_CASES sets how many texts are edited, NNET3_MUTATION_SEED the
// first one, and NNET3_MUTATION_SECONDS the time after which none is begun.
// What crashes is left in the folder NNET3_MUTATION_OUTPUT, where it is set.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "OperationMutator.h"
#include "StageText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
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
/// The edits of one text.
constexpr int kBatch = 50;
/// Random networks that are tried for a text.
constexpr uint64_t kAttempts = 20, kSeedStep = 1000000;
/// Of a process: longer, or more, counts as a failure. The time is the
/// processor's; one that waits for ever is ended by the second bound.
constexpr rlim_t kMaxSeconds = 60;
constexpr unsigned kMaxWait = 1800;
constexpr rlim_t kMaxBytes = rlim_t(8) << 30;

/// What the process that runs a batch tells the other one.
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

/// How a text is edited.
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

/// Parses and compiles one text. False if it is refused without an error.
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

/// Runs edits from `first` on; in a process of its own.
static void runEdits(const Batch &batch, int first, Progress &progress,
                     int trace) {
  dup2(trace, STDERR_FILENO);
  const rlimit limit = {kMaxBytes, kMaxBytes};
  setrlimit(RLIMIT_AS, &limit);
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

/// Whether the parser, or a verifier that it calls, has crashed on operations
/// of other dialects (docs/user/Formats.md), or the printer on an operation
/// that an edit left invalid, so that there is no text.
static bool isCrashOfMlir(const std::string &trace) {
  auto has = [&](const char *text) {
    return trace.find(text) != std::string::npos;
  };
  return (has("parseSourceString") && !has("mlir::nnet3::")) ||
         (has("Operation::print") && has("OperationMutator::mutate"));
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

/// Runs a batch; goes on behind edits that crash. False if there is no text.
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
