// SPDX-License-Identifier: Apache-2.0
#include "session/machine_roofs.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "machine/roofs_cache.h"
#include "session/testing.h"

namespace ridge::session {
namespace {

using attribution::testing::must;

// A virtual machine states the 480 MiB of the hardware and keeps 100 of them.
TEST(MachineRoofs, ACacheKeepsItsReachWhereThatWasMeasured) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  testing::Silent notices;
  Environment environment{{}, notices};
  environment.host.caches = {{.level = 2, .type = "unified", .bytes = std::int64_t{2} << 20},
                             {.level = 3, .type = "unified", .bytes = std::int64_t{480} << 20}};
  environment.host.logical_cpus = 2;
  for (machine::HostCache& cache : environment.host.caches) cache.shared_by = 2;
  EXPECT_EQ(kept_cache_bytes(environment), std::int64_t{480} << 20);
  environment.cache_folder = folder.path();
  EXPECT_EQ(kept_cache_bytes(environment), std::int64_t{480} << 20);
  machine::MeasuredRoofs kept;
  kept.rows.push_back({{.kind = "read",
                        .dtype = "float32",
                        .level = "L3",
                        .unit = "B/s",
                        .value = 29e9,
                        .ci = {28e9, 29e9}}});
  kept.rows[0].reach = std::int64_t{100} << 20;
  ASSERT_TRUE(machine::save_cache(folder.path(), machine::cache_key(environment.host), kept).ok());
  EXPECT_EQ(kept_cache_bytes(environment), std::int64_t{100} << 20);
  environment.host.caches.clear();
  EXPECT_EQ(kept_cache_bytes(environment), 0);
}

MachineFile machine_file_with(const std::string& cache, std::string& error) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const std::string path = folder.path() + "/machine.json";
  EXPECT_TRUE(write_file(path, R"({"schema": "ridge.machine/1",
    "host": {"logical_cpus": 4, "caches": [{"level": 2}, )" +
                                   cache + R"(]},
    "ceilings": [{"kind": "read", "dtype": "float32", "level": "memory", "threads": 1, "value": 5e9,
                  "unit": "B/s", "ci95": [4e9, 6e9]}]})")
                  .ok());
  Result<MachineFile> file = read_machine_file(path);
  error = file.ok() ? "" : file.error().text();
  return file.ok() ? std::move(*file) : MachineFile();
}

TEST(MachineRoofs, ADocumentMayLackSizesOfCaches) {
  std::string error;
  const MachineFile file = machine_file_with(R"({"level": 3, "shared_by": 2})", error);
  EXPECT_EQ(error, "");
  ASSERT_EQ(file.roofs.caches.size(), 2U);
  EXPECT_EQ(file.roofs.caches[0].level, "L2");
  EXPECT_EQ(file.roofs.caches[0].instances, 4);
  EXPECT_EQ(file.roofs.caches[1].bytes, 0);
  EXPECT_EQ(file.roofs.caches[1].instances, 2);
  EXPECT_EQ(file.host_json,
            R"({"logical_cpus": 4, "caches": [{"level": 2}, {"level": 3, "shared_by": 2}]})");
}

TEST(MachineRoofs, ASizeThatIsNoNumberIsRefused) {
  std::string error;
  machine_file_with(R"({"level": 3, "bytes": "many"})", error);
  EXPECT_EQ(error.substr(error.find(": ", 7) + 2),
            "host.caches[1].bytes: integer from 0 expected, got text\n"
            "  hint: expected the output of 'ridge machine --format json' on the recorded machine\n"
            "  [RIDGE-REC-0002]\n");
}

}  // namespace
}  // namespace ridge::session
