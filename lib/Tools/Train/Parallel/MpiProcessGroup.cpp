//===- MpiProcessGroup.cpp - Processes of mpirun --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A separate module that is loaded only under mpirun, so that programs do not
// depend on MPI. If an MPI function fails, MPI aborts all processes.
//
//===----------------------------------------------------------------------===//

#include "ProcessGroup.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdlib>

using namespace mlir::nnet3;

namespace {
class MpiProcessGroup : public ProcessGroup {
public:
  MpiProcessGroup() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_size(MPI_COMM_WORLD, &numProcesses);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, number,
                        MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &localNumber);
    MPI_Comm_free(&machine);
  }
  ~MpiProcessGroup() override { MPI_Finalize(); }

  int32_t getNumProcesses() const override { return numProcesses; }
  int32_t getNumber() const override { return number; }
  int32_t getLocalNumber() const override { return localNumber; }
  int32_t size() const override { return isAlone ? 1 : numProcesses; }
  int32_t rank() const override { return isAlone ? 0 : number; }
  void setAlone(bool each) override { isAlone = each; }
  Traffic getTraffic() const override { return traffic; }

  void sum(float *values, int64_t count) override {
    sumParts(values, count, MPI_FLOAT);
  }
  void sum(double *values, int64_t count) override {
    sumParts(values, count, MPI_DOUBLE);
  }

  void beginSum(float *values, int64_t count) override {
    if (size() == 1)
      return;
    countSum(count * int64_t(sizeof(float)));
    forEachPart(count, [&](int64_t begin, int part) {
      MPI_Iallreduce(MPI_IN_PLACE, values + begin, part, MPI_FLOAT, MPI_SUM,
                     MPI_COMM_WORLD, &requests.emplace_back());
    });
  }
  void progress() override {
    int areDone = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &areDone,
                MPI_STATUSES_IGNORE);
  }
  void wait() override {
    const double begin = MPI_Wtime();
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                MPI_STATUSES_IGNORE);
    requests.clear();
    traffic.seconds += MPI_Wtime() - begin;
  }

  std::vector<std::string> gather(const std::string &text) override {
    int length = static_cast<int>(text.size());
    std::vector<int> lengths(numProcesses), begins(numProcesses + 1);
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT,
                  MPI_COMM_WORLD);
    for (int i = 0; i < numProcesses; ++i)
      begins[i + 1] = begins[i] + lengths[i];
    std::string all(begins.back(), '\0');
    MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(),
                   begins.data(), MPI_CHAR, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (int i = 0; i < numProcesses; ++i)
      texts.push_back(all.substr(begins[i], lengths[i]));
    return texts;
  }

  void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }

private:
  void countSum(int64_t bytes) {
    traffic.bytes += bytes;
    ++traffic.sums;
    traffic.largeSums += bytes > (1 << 16);
  }

  /// Calls `function` for parts of the data: counts in MPI have 32 bits.
  template <typename Fn> static void forEachPart(int64_t count, Fn function) {
    constexpr int64_t kMost = 1 << 26;
    for (int64_t begin = 0; begin < count; begin += kMost)
      function(begin, static_cast<int>(std::min(kMost, count - begin)));
  }

  template <typename T>
  void sumParts(T *values, int64_t count, MPI_Datatype type) {
    if (size() == 1)
      return;
    const double start = MPI_Wtime();
    forEachPart(count, [&](int64_t begin, int part) {
      MPI_Allreduce(MPI_IN_PLACE, values + begin, part, type, MPI_SUM,
                    MPI_COMM_WORLD);
    });
    countSum(count * int64_t(sizeof(T)));
    traffic.seconds += MPI_Wtime() - start;
  }

  int numProcesses = 1, number = 0, localNumber = 0;
  bool isAlone = false;
  Traffic traffic;
  std::vector<MPI_Request> requests;
};
} // namespace

extern "C" ProcessGroup *nnet3_create_process_group() {
  return new MpiProcessGroup();
}
