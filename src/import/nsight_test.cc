// SPDX-License-Identifier: Apache-2.0
// Oracles: recordings made below with SQLite, whose times are computed by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

#include "import/testing.h"
#include "trace/build_view.h"
#include "trace/queries.h"

namespace ridge::imports {
namespace {

using profile::Profile;

constexpr const char* kTables = R"(
  CREATE TABLE StringIds (id INTEGER, value TEXT);
  CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER);
  CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
    shortName INTEGER);
  CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, text TEXT, textId INTEGER,
    globalTid INTEGER);
  INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel'), (2, 'gemm'),
    (3, 'void gemm<float, 128>(float*)'), (4, 'ncclDevKernel_AllReduce'),
    (5, 'void act<float>(float*)'), (6, 'act');
)";

/// Temporary SQLite file, deleted at the end of the test.
class Recording {
 public:
  explicit Recording(const std::string& rows)
      : path_(::testing::TempDir() + "nsight_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove(path_);
    sqlite3* file = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &file), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(file, (kTables + rows).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(file);
    sqlite3_close(file);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() { std::filesystem::remove(path_); }

  Profile imported(const analysis::Resolved* resolved = nullptr) const {
    return std::move(import_file(path_, {.model = model_of(resolved)}).value().profile);
  }

 private:
  std::string path_;
};

/// "name ns, ..."
std::string kernel_times(const Profile& p) {
  std::string out;
  for (const profile::Layer& l : p.layers)
    out += l.name + " " + std::to_string(static_cast<std::int64_t>(l.time_ns.value)) + ", ";
  return out;
}

/// Layer times according to trace::View (analysis A11), in the same form.
std::string asked(Profile& p) {
  const trace::View view = trace::build_view(p);
  std::string out;
  for (const trace::LayerRow& l : view.layers)
    out += l.name + " " + std::to_string(static_cast<std::int64_t>(l.kernel_ns)) + ", ";
  return out;
}

/// globalTid of a thread of process 1 or 2.
std::string thread(int process) { return std::to_string((std::int64_t{process} << 24) + 5); }
std::string process(int process) { return std::to_string(std::int64_t{process} << 24); }

TEST(ImportNsight, CorrelationIdsAreThoseOfTheirProcess) {
  const Recording file("INSERT INTO NVTX_EVENTS VALUES (0, 100, 'conv1', NULL, " + thread(1) +
                       "), (0, 100, 'conv2', NULL, " + thread(2) + ");" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, " + thread(1) +
                       ", 7, 1), (10, 20, " + thread(2) + ", 7, 1);" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (30, 70, 0, 7, 7, " +
                       process(1) + ", 3, 2), (40, 45, 0, 7, 7, " + process(2) + ", 5, 6);");
  Profile p = file.imported();
  EXPECT_EQ(kernel_times(p), "conv1 40, conv2 5, ");
  EXPECT_EQ(asked(p), kernel_times(p));
  EXPECT_EQ(p.layers[0].kernels[0].name, "void gemm<float, 128>(float*)");
  EXPECT_TRUE(says(p, "layers per run of each process: process 1 0.000 ms (88.9 %), process 2"));
}

TEST(ImportNsight, QueriesHaveTheMeanOfProcessesThatRunTheSameLayer) {
  const Recording file("INSERT INTO NVTX_EVENTS VALUES (0, 100, 'conv1', NULL, " + thread(1) +
                       "), (0, 100, 'conv1', NULL, " + thread(2) + ");" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, " + thread(1) +
                       ", 7, 1), (10, 20, " + thread(2) + ", 7, 1);" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (30, 70, 0, 7, 7, " +
                       process(1) + ", 3, 2), (40, 100, 1, 7, 7, " + process(2) + ", 3, 2);");
  const auto resolved = resolve(kModel);
  for (const analysis::Resolved* model :
       {static_cast<const analysis::Resolved*>(nullptr), &resolved}) {
    Profile p = file.imported(model);
    EXPECT_EQ(kernel_times(p), "conv1 50, ");
    EXPECT_EQ(asked(p), kernel_times(p));
    EXPECT_EQ(trace::build_view(p).kernels[0].count, 0.5);  // one of two processes on each device
  }
}

TEST(ImportNsight, AKernelWithoutALaunchIsNoPartOfWhatIsOpenThen) {
  const Recording file("INSERT INTO NVTX_EVENTS VALUES (0, 1000, 'conv1', NULL, " + thread(1) +
                       ");" + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, " +
                       thread(1) + ", 7, 1);" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (30, 70, 0, 7, 7, " +
                       process(1) + ", 3, 2), (100, 400, 0, 8, 99, " + process(1) +
                       ", 4, 4), (500, 600, 0, 8, 0, " + process(1) + ", 4, 4);");
  Profile p = file.imported();
  EXPECT_EQ(kernel_times(p), "conv1 40, ncclDevKernel_AllReduce 400, ");
  EXPECT_EQ(asked(p), kernel_times(p));
  EXPECT_TRUE(says(p, "2 spans on the device without the call that launched them"));
}

TEST(ImportNsight, QueriesDivideWhatTheTableDivides) {
  const auto resolved = resolve(kModel);
  std::string rows;
  for (int run = 0; run < 3; ++run) {
    rows += fmt::format(
        "INSERT INTO NVTX_EVENTS VALUES ({0}, {0} + 100, 'conv1', NULL, {2});"
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({0} + 10, {0} + 20, {2}, {1}, 1);"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({0} + 30, {0} + 70, 0, 7, {1}, {3}, 3, 2);",
        1000 * run, run + 1, thread(1), process(1));
  }
  Profile p = Recording(rows).imported(&resolved);
  EXPECT_EQ(kernel_times(p), "conv1 40, ");
  EXPECT_EQ(asked(p), kernel_times(p));
  const trace::View view = trace::build_view(p);
  EXPECT_EQ(view.kernels[0].count, 1);
}

TEST(ImportNsight, NamesOfOperatorsEndBeforeTheirNumbers) {
  const Recording file("INSERT INTO NVTX_EVENTS VALUES (0, 50, 'aten::mm, op_id = 3', NULL, " +
                       thread(1) + "), (60, 100, 'aten::mm, seq = 9, op_id = 4', NULL, " +
                       thread(1) + ");" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, " + thread(1) +
                       ", 7, 1), (70, 80, " + thread(1) + ", 8, 1);" +
                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (30, 70, 0, 7, 7, " +
                       process(1) + ", 3, 2), (80, 85, 0, 7, 8, " + process(1) + ", 3, 2);");
  Profile p = file.imported();
  EXPECT_EQ(kernel_times(p), "aten::mm 45, ");
  EXPECT_EQ(asked(p), kernel_times(p));
}

TEST(ImportNsight, ATableWithASuffixIsReadAndSaid) {
  const Recording file(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (30, 70, 0, 7, 7, " + process(1) +
      ", 3, 2); ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_V2;");
  Profile p = file.imported();
  EXPECT_EQ(kernel_times(p), "void gemm<float, 128>(float*) 40, ");
  EXPECT_TRUE(says(p,
                   "CUPTI_ACTIVITY_KIND_KERNEL_V2 is read, as there is no "
                   "CUPTI_ACTIVITY_KIND_KERNEL"));
}

TEST(ImportNsight, TablesThatAreAbsentAreNamed) {
  const std::string range =
      "INSERT INTO NVTX_EVENTS VALUES (0, 100, 'a', NULL, " + thread(1) + ");";
  const Recording other(
      range + "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO CUPTI_ACTIVITY_KIND_KERNEL_LOG;");
  EXPECT_TRUE(says(other.imported(),
                   "no table CUPTI_ACTIVITY_KIND_KERNEL (there is "
                   "CUPTI_ACTIVITY_KIND_KERNEL_LOG, which is not read)"));
  const Recording none(range + "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;");
  EXPECT_TRUE(says(none.imported(), "no table CUPTI_ACTIVITY_KIND_KERNEL: "));
}

}  // namespace
}  // namespace ridge::imports
