//===- Workers.cpp - Checks in separate processes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process runs a share of the checks and sends the results through a pipe.
// If it dies, the current check has failed, and a new process runs the rest of
// the share.
//
//===----------------------------------------------------------------------===//

#include "Workers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nnet3 {
namespace rt {

namespace {

/// A message in the pipe, followed by `size` bytes of text.
struct Record {
  uint32_t outcome;
  uint32_t size;
  double seconds;
};

/// Reads or writes all bytes; returns false if the other end is closed.
template <typename Pointer, typename Transfer>
bool transferAll(int descriptor, Pointer data, size_t size, Transfer transfer) {
  while (size != 0) {
    const ssize_t done = transfer(descriptor, data, size);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    data += done;
    size -= static_cast<size_t>(done);
  }
  return true;
}

bool send(int descriptor, const CheckResult &result) {
  const Record record = {static_cast<uint32_t>(result.outcome),
                         static_cast<uint32_t>(result.detail.size()),
                         result.seconds};
  std::string bytes(reinterpret_cast<const char *>(&record), sizeof(record));
  bytes += result.detail;
  return transferAll(descriptor, bytes.data(), bytes.size(), write);
}

bool receive(int descriptor, CheckResult &result) {
  Record record;
  if (!transferAll(descriptor, reinterpret_cast<char *>(&record),
                   sizeof(record), read))
    return false;
  result.outcome = static_cast<Outcome>(record.outcome);
  result.seconds = record.seconds;
  result.detail.resize(record.size);
  return transferAll(descriptor, result.detail.data(), record.size, read);
}

using Work = std::function<CheckResult(size_t)>;

/// The checks next, next + step, ... below the count.
struct Share {
  size_t next, step;
  pid_t process = -1;
  int pipe = -1;
};

class Workers {
public:
  Workers(size_t count, unsigned timeout, const std::function<Work()> &makeWork,
          const std::function<void(size_t, const CheckResult &)> &report)
      : count(count), timeout(timeout), makeWork(makeWork), report(report) {}

  Status run(unsigned jobs);

private:
  Status start(Share &share);
  [[noreturn]] void work(const Share &share, int pipe);
  Status listen(Share &share);

  size_t count;
  unsigned timeout;
  const std::function<Work()> &makeWork;
  const std::function<void(size_t, const CheckResult &)> &report;
  std::vector<Share> shares;
};

Status systemError(const char *what) {
  return Status(NNET3RT_IO_ERROR,
                std::string(what) + ": " + std::strerror(errno));
}

/// Runs a share in the new process. Exits without destructors, because drivers
/// and libraries may have threads.
void Workers::work(const Share &share, int pipe) {
  const Work check = makeWork();
  for (size_t number = share.next; number < count; number += share.step) {
    alarm(timeout);
    const auto begin = std::chrono::steady_clock::now();
    CheckResult result = check(number);
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    result.seconds = time.count();
    alarm(0);
    if (!send(pipe, result))
      _exit(1);
  }
  _exit(0);
}

Status Workers::start(Share &share) {
  int ends[2];
  if (pipe(ends) != 0)
    return systemError("cannot make a pipe");
  share.process = fork();
  if (share.process < 0)
    return systemError("cannot start a process");
  if (share.process == 0) {
    close(ends[0]);
    work(share, ends[1]);
  }
  close(ends[1]);
  share.pipe = ends[0];
  return Status();
}

/// Describes the end of a process.
std::string describeEnd(int status, unsigned timeout) {
  if (!WIFSIGNALED(status))
    return "the process ended";
  if (WTERMSIG(status) == SIGALRM)
    return "took longer than " + std::to_string(timeout) + " seconds";
  return std::string("crashed: ") + strsignal(WTERMSIG(status));
}

/// Receives one result, or handles the end of the process.
Status Workers::listen(Share &share) {
  CheckResult result;
  if (receive(share.pipe, result)) {
    report(share.next, result);
    share.next += share.step;
    return Status();
  }
  close(share.pipe);
  share.pipe = -1;
  int status = 0;
  waitpid(share.process, &status, 0);
  if (share.next >= count)
    return Status();
  report(share.next, {Outcome::Failed, describeEnd(status, timeout)});
  share.next += share.step;
  return share.next < count ? start(share) : Status();
}

Status Workers::run(unsigned jobs) {
  for (size_t first = 0; first < std::min<size_t>(jobs, count); ++first)
    shares.push_back({first, jobs});
  for (Share &share : shares)
    if (Status error = start(share); !error.ok())
      return error;
  for (;;) {
    std::vector<pollfd> waiting;
    for (const Share &share : shares)
      waiting.push_back({share.pipe, POLLIN, 0}); // one of -1 is passed over
    if (std::all_of(shares.begin(), shares.end(),
                    [](const Share &share) { return share.pipe < 0; }))
      return Status();
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
      return systemError("cannot wait");
    for (size_t i = 0; i < shares.size(); ++i)
      if (waiting[i].revents != 0)
        if (Status error = listen(shares[i]); !error.ok())
          return error;
  }
}

} // namespace

Status runInWorkers(
    size_t count, unsigned jobs, unsigned timeout,
    const std::function<std::function<CheckResult(size_t)>()> &makeWork,
    const std::function<void(size_t, const CheckResult &)> &report) {
  return Workers(count, timeout, makeWork, report).run(jobs);
}

} // namespace rt
} // namespace nnet3
