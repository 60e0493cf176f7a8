// SPDX-License-Identifier: Apache-2.0
#include "machine/host.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "machine/cgroup.h"
#include "machine/testing.h"

namespace ridge::machine {
namespace {

using testing::epyc_cpuid;
using testing::epyc_files;
using testing::files_in_memory;

Host host_with(const std::map<std::string, std::string>& files, std::vector<int> allowed = {0, 1}) {
  return read_host({files_in_memory(files), epyc_cpuid(), std::move(allowed)});
}

TEST(ReadHost, ReadsAVirtualEpyc) {
  const Host h = testing::epyc_host();
  EXPECT_EQ(h.cpu.brand, "AMD EPYC");
  EXPECT_EQ(h.microarchitecture, "Zen 4");
  EXPECT_EQ(h.microcode, "0x1000065");
  EXPECT_EQ(h.logical_cpus, 2);
  EXPECT_EQ(h.cores, 2);
  EXPECT_EQ(h.sockets, 1);
  EXPECT_EQ(h.numa_nodes, 1);
  EXPECT_EQ(h.smt, false);
  EXPECT_EQ(h.cache(1)->bytes, 32 << 10);
  EXPECT_EQ(h.cache(1)->type, "data");
  EXPECT_EQ(h.cache(3)->shared_by, 2);
  EXPECT_EQ(h.memory_bytes, std::int64_t{24684084} * 1024);
  EXPECT_EQ(h.kernel, "6.1.0-21-amd64");
  EXPECT_EQ(h.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_TRUE(h.virtualized());
}

TEST(ReadHost, SaysWhyAFigureIsMissing) {
  const Host h = testing::epyc_host();
  EXPECT_FALSE(h.governor.has_value());
  EXPECT_EQ(h.reasons.at("governor"), "the hypervisor keeps the clock to itself");
  EXPECT_EQ(h.reasons.at("cgroup_cpus"), "no limit is set");
}

TEST(ReadHost, KnowsEveryReasonOfAHostThatShowsNothing) {
  const Host h = read_host(
      {files_in_memory({}), {[](auto, auto) { return kernels::CpuidRegisters{}; }, 0}, {0}});
  EXPECT_EQ(h.cpu.brand, "unknown processor");
  for (const char* key : {"microcode", "microarchitecture", "logical_cpus", "cores", "sockets",
                          "smt", "numa_nodes", "caches", "governor", "turbo", "memory_bytes",
                          "kernel", "os", "cgroup_cpus", "cgroup_memory_bytes"}) {
    EXPECT_TRUE(h.reasons.contains(key)) << key;
  }
  EXPECT_EQ(h.allowed.size(), 1u);
}

TEST(ReadHost, TakesCachesFromCpuidWhereTheSystemHidesThem) {
  auto files = epyc_files();
  std::erase_if(files, [](const auto& f) { return f.first.find("/cache/") != std::string::npos; });
  const Host h = host_with(files);
  ASSERT_EQ(h.caches.size(), 3u);
  EXPECT_EQ(h.cache(2)->bytes, 1 << 20);
  EXPECT_EQ(h.reasons.at("caches"), "read from CPUID, as /sys does not describe the caches");
}

TEST(ReadHost, TellsSiblingsFromCores) {
  auto files = epyc_files();
  for (const char* cpu : {"0", "1"}) {
    files[std::string("/sys/devices/system/cpu/cpu") + cpu + "/topology/thread_siblings_list"] =
        "0-1";
  }
  const Host h = host_with(files);
  EXPECT_EQ(h.cores, 1);
  EXPECT_EQ(h.smt, true);
  EXPECT_EQ(h.allowed_cores(), 1);
}

TEST(ReadHost, ReadsGovernorAndTurbo) {
  auto files = epyc_files();
  files["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = "powersave";
  files["/sys/devices/system/cpu/intel_pstate/no_turbo"] = "1";
  EXPECT_EQ(host_with(files).governor, "powersave");
  EXPECT_EQ(host_with(files).turbo, false);
  files["/sys/devices/system/cpu/cpufreq/boost"] = "1";
  EXPECT_EQ(host_with(files).turbo, true);
}

TEST(ReadHost, LooksAtTheFirstProcessorItMayUse) {
  const Host h = host_with(epyc_files(), {1});
  ASSERT_EQ(h.allowed.size(), 1u);
  EXPECT_EQ(h.allowed[0].id, 1);
  EXPECT_EQ(h.cache(1)->bytes, 32 << 10);
}

TEST(HostJson, IsValidAndNullsCarryReasons) {
  const auto j = nlohmann::json::parse(host_json(testing::epyc_host()));
  EXPECT_EQ(j["cpu"]["model"], "AMD EPYC");
  EXPECT_TRUE(j["governor"].is_null());
  EXPECT_EQ(j["reasons"]["governor"], "the hypervisor keeps the clock to itself");
  EXPECT_EQ(j["caches"][0]["bytes"], 32768);
  EXPECT_EQ(j["allowed_cpus"], (std::vector<int>{0, 1}));
}

TEST(ThisHost, HasAProcessorToRunOn) {
  const Host h = this_host();
  EXPECT_GE(h.allowed.size(), 1u);
  EXPECT_FALSE(h.cpu.brand.empty());
}

TEST(CgroupLimits, TakeTheTightestAncestorOfVersionTwo) {
  const CgroupLimits l =
      read_cgroup_limits(files_in_memory({{"/proc/self/cgroup", "0::/a/b"},
                                          {"/sys/fs/cgroup/a/b/cpu.max", "max 100000"},
                                          {"/sys/fs/cgroup/a/cpu.max", "150000 100000"},
                                          {"/sys/fs/cgroup/a/b/memory.max", "8589934592"},
                                          {"/sys/fs/cgroup/a/memory.max", "max"}}));
  EXPECT_EQ(l.cpus, 1.5);
  EXPECT_EQ(l.memory_bytes, std::int64_t{8} << 30);
}

TEST(CgroupLimits, ReadVersionOne) {
  const CgroupLimits l = read_cgroup_limits(
      files_in_memory({{"/proc/self/cgroup", "4:memory:/job\n2:cpu,cpuacct:/job\n0::/"},
                       {"/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000"},
                       {"/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000"},
                       {"/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824"},
                       {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712"}}));
  EXPECT_EQ(l.cpus, 0.5);
  EXPECT_EQ(l.memory_bytes, 1 << 30);
}

TEST(CgroupLimits, SayWhyThereAreNone) {
  EXPECT_EQ(read_cgroup_limits(files_in_memory({})).cpus_reason,
            "/proc/self/cgroup cannot be read");
  const CgroupLimits unlimited =
      read_cgroup_limits(files_in_memory({{"/proc/self/cgroup", "2:cpu:/"},
                                          {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1"},
                                          {"/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"}}));
  EXPECT_FALSE(unlimited.cpus.has_value());
  EXPECT_EQ(unlimited.cpus_reason, "no limit is set");
}

// What a store's key says of the machine.
TEST(HostIdentity, IsThatOfTheMachineAndItsProcessorsNotOfItsName) {
  auto files = epyc_files();
  files["/etc/machine-id"] = "0123456789abcdef0123456789abcdef\n";
  const std::string known = host_with(files).identity();
  EXPECT_EQ(known.find("0123456789"), std::string::npos);  // the id itself is confidential
  EXPECT_NE(host_with(files, {0}).identity(), known);      // taskset -c 0
  files["/proc/sys/kernel/hostname"] = "4f2a6c";           // another container
  EXPECT_EQ(host_with(files).identity(), known);
  files["/etc/machine-id"] = "1123456789abcdef0123456789abcdef\n";
  EXPECT_NE(host_with(files).identity(), known);
  files["/etc/machine-id"] = "uninitialized\n";
  const Host nameless = host_with(files);
  EXPECT_EQ(nameless.id, "");
  EXPECT_TRUE(nameless.identity().starts_with("host 4f2a6c, ")) << nameless.identity();
}

}  // namespace
}  // namespace ridge::machine
