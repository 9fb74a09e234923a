//===- WorkersTest.cpp - Checks in processes of their own -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/check/Workers.h"

#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace nnet3::rt;

namespace {

/// Details by number; what passed has none.
std::vector<std::string> runAll(size_t count, unsigned jobs, unsigned timeout,
                                std::function<CheckResult(size_t)> work) {
  std::vector<std::string> details(count, "not done");
  const Status status = runInWorkers(
      count, jobs, timeout, [&] { return work; },
      [&](size_t number, const CheckResult &result) {
        details[number] = result.detail;
        EXPECT_EQ(result.outcome == Outcome::Passed, result.detail.empty());
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return details;
}

TEST(WorkersTest, EveryCheckIsDone) {
  for (unsigned jobs : {1u, 3u, 20u}) {
    const auto details = runAll(10, jobs, 60, [](size_t number) {
      return number % 2 ? CheckResult{Outcome::Failed, std::to_string(number)}
                        : CheckResult{};
    });
    for (size_t i = 0; i < details.size(); ++i)
      EXPECT_EQ(details[i], i % 2 ? std::to_string(i) : "");
  }
  EXPECT_TRUE(runAll(0, 2, 60, [](size_t) { return CheckResult(); }).empty());
}

TEST(WorkersTest, ACrashIsOneCheck) {
  for (unsigned jobs : {1u, 2u}) {
    const auto details = runAll(6, jobs, 60, [](size_t number) {
      if (number == 1 || number == 5)
        kill(getpid(), SIGKILL);
      if (number == 3)
        _exit(3);
      return CheckResult();
    });
    EXPECT_EQ(details, std::vector<std::string>({"", "crashed: Killed", "",
                                                 "the process ended", "",
                                                 "crashed: Killed"}));
  }
}

TEST(WorkersTest, TimeIsLimited) {
  const auto details = runAll(2, 1, 1, [](size_t number) {
    if (number == 0)
      pause();
    return CheckResult();
  });
  EXPECT_EQ(details,
            std::vector<std::string>({"took longer than 1 seconds", ""}));
}

} // namespace
