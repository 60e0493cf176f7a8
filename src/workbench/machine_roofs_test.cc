#include "workbench/machine_roofs.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/temporary_folder.h"
#include "machine/ceilings_cache.h"
#include "workbench/testing.h"

namespace ridge::workbench {
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
  machine::Ceilings kept;
  kept.rows.push_back({.kind = "read", .dtype = "float32", .level = "L3", .threads = 1});
  kept.rows[0].value = 29e9;
  kept.rows[0].ci = {28e9, 29e9};
  kept.rows[0].unit = "B/s";
  kept.rows[0].reach = std::int64_t{100} << 20;
  ASSERT_TRUE(machine::save_cache(folder.path(), machine::cache_key(environment.host), kept).ok());
  EXPECT_EQ(kept_cache_bytes(environment), std::int64_t{100} << 20);
  environment.host.caches.clear();
  EXPECT_EQ(kept_cache_bytes(environment), 0);
}

}  // namespace
}  // namespace ridge::workbench
