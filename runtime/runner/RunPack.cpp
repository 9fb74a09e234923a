//===- RunPack.cpp - All checks of a pack ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixFile.h"
#include "Run.h"
#include "runner/check/CheckReport.h"
#include "runner/check/Workers.h"

#include <cstdio>
#include <regex.h>

namespace nnet3 {
namespace rt {

std::string backendName(const CasePack &pack, const Check &check) {
  if (check.caseLibrary < 0)
    return "interpreter";
  const auto *library =
      pack.getCase(check.caseNumber).libraries()->Get(check.caseLibrary);
  return pack.description().libraries()->Get(library->file())->backend()->str();
}

namespace {

/// A POSIX extended regular expression; an empty one matches everything.
class Filter {
public:
  ~Filter() {
    if (isCompiled)
      regfree(&regex);
  }

  Status compile(const std::string &text) {
    isCompiled = regcomp(&regex, text.c_str(), REG_EXTENDED | REG_NOSUB) == 0;
    return isCompiled ? Status()
                      : invalidArgument("--filter: '" + text +
                                        "' is no regular expression");
  }
  bool matches(const std::string &name) const {
    return regexec(&regex, name.c_str(), 0, nullptr, 0) == 0;
  }

private:
  regex_t regex = {};
  bool isCompiled = false;
};

} // namespace

static Result<std::vector<Check>> selectChecks(const CasePack &pack,
                                               const RunnerOptions &options) {
  Filter filter;
  if (Status error = filter.compile(options.filter); !error.ok())
    return error;
  std::vector<Check> checks;
  for (uint32_t number = 0; number < pack.numCases(); ++number) {
    const schema::Case &entry = pack.getCase(number);
    if (!filter.matches(entry.name()->str()))
      continue;
    const int32_t count =
        entry.libraries() ? int32_t(entry.libraries()->size()) : 0;
    for (int32_t library = -1; library < count; ++library) {
      const Check check = {number, library};
      if (options.backend.empty() ||
          backendName(pack, check) == options.backend)
        checks.push_back(check);
    }
  }
  return checks;
}

static void printList(const CasePack &pack, const std::vector<Check> &checks) {
  for (const Check &check : checks)
    std::printf("%s [%s]\n", pack.getCase(check.caseNumber).name()->c_str(),
                backendName(pack, check).c_str());
}

Status runPack(const void *data, uint64_t size, const RunnerOptions &options,
               bool &isGood) {
  isGood = true;
  if (!options.inputs.empty() || !options.outputs.empty())
    return invalidArgument("a pack has the matrices of its cases: --input and "
                           "--output are for programs and libraries");
  auto opened = CasePack::open(data, size);
  if (!opened.ok())
    return opened.status();
  const CasePack &pack = *opened;
  auto checks = selectChecks(pack, options);
  if (!checks.ok())
    return checks.status();
  if (checks->empty())
    return invalidArgument("no case of the pack matches --filter and "
                           "--backend");
  if (options.list) {
    printList(pack, *checks);
    return Status();
  }
  CheckReport report(checks->size(), options.verbose);
  auto makeWork = [&]() -> std::function<CheckResult(size_t)> {
    auto libraries = std::make_shared<PackLibraries>(pack);
    return [&, libraries](size_t number) {
      const Check &check = (*checks)[number];
      const schema::Case &entry = pack.getCase(check.caseNumber);
      if (check.caseLibrary < 0)
        return checkProgram(pack, entry);
      return checkLibrary(
          pack, entry, *entry.libraries()->Get(check.caseLibrary), *libraries);
    };
  };
  if (Status error = runInWorkers(
          checks->size(), options.jobs, options.timeout, makeWork,
          [&](size_t number, const CheckResult &result) {
            const Check &check = (*checks)[number];
            report.add(number, pack.getCase(check.caseNumber).name()->str(),
                       backendName(pack, check), result);
          });
      !error.ok())
    return error;
  std::printf("%s\n", report.summary().c_str());
  isGood = report.isGood(options.strict);
  return options.json.empty() ? Status()
                              : writeWholeFile(options.json, report.json());
}

} // namespace rt
} // namespace nnet3
