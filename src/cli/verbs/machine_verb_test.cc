// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/machine_verb.h"

#include <gtest/gtest.h>

#include "cli/verbs/doctor_verb.h"

namespace ridge::cli {
namespace {

machine::Host small_host() {
  machine::Host host;
  host.cpu = {"AuthenticAMD", "AMD EPYC", 25, 17, 1, "KVMKVMKVM"};
  host.features = {.sse2 = true, .avx = true, .avx2 = true};
  host.microarchitecture = "Zen 4";
  host.logical_cpus = host.cores = 2;
  host.sockets = 1;
  host.allowed = {{0, 0, 0}, {1, 1, 0}};
  host.caches = {{1, "data", 32 << 10, 64, 1},
                 {1, "instruction", 32 << 10, 64, 1},
                 {3, "unified", 32 << 20, 64, 2}};
  host.memory_bytes = std::int64_t{8} << 30;
  host.kernel = "6.1.0";
  return host;
}

machine::MeasuredRoof roof(const char* kind, const char* level, double value) {
  machine::MeasuredRoof out;
  out.kind = kind;
  out.dtype = "float32";
  out.level = level;
  out.value = value;
  out.unit = level[0] == '\0' ? "FLOP/s" : "B/s";
  out.ci = {0.98 * value, value};
  out.median = 0.95 * value;
  out.bursts = 24;
  out.clock_hz = 3.7e9;
  out.instruction = "vfmadd ymm";
  return out;
}

TEST(MachineText, ShowsHostRoofsAndWhyThereIsNoTheory) {
  machine::MeasuredRoofs roofs;
  roofs.rows = {roof("compute", "", 118.2e9), roof("copy", "memory", 46e9)};
  roofs.rows[0].theory = 118.4e9;
  roofs.rows[1].theory_reason = "the speed of the memory modules cannot be read";
  roofs.from_cache = true;
  EXPECT_EQ(
      machine_text(small_host(), roofs),
      "processor     AMD EPYC (Zen 4)\n"
      "cores         2 on 1 socket(s), 2 logical, unknown NUMA node(s); 2 available to ridge\n"
      "caches        L1 32 KiB, L3 32 MiB for 2 processors\n"
      "instructions  sse2 avx avx2+fma\n"
      "clock         governor unknown, turbo unknown\n"
      "memory        8.0 GiB\n"
      "system        unknown, Linux 6.1.0, virtual (KVMKVMKVM)\n"
      "\n"
      "roof             level   threads       measured  95 % interval  median burst  bursts"
      "  theory   share     clock  instruction\n"
      "---------------  ------  -------  -------------  -------------  ------------  ------"
      "  ------  ------  --------  -----------\n"
      "compute float32                1  118.2 GFLOP/s   115.8..118.2        -5.0 %      24"
      "   118.4  99.8 %  3.70 GHz  vfmadd ymm\n"
      "copy             memory        1      46.0 GB/s     45.1..46.0        -5.0 %      24"
      "                  3.70 GHz  vfmadd ymm\n"
      "\n"
      "no theoretical roof for memory: the speed of the memory modules cannot be read\n"
      "roofs from the cache; --refresh measures them again\n");
}

TEST(MachineText, KeepsControlCharactersFromTheTerminal) {
  machine::Host host = small_host();
  host.cpu.brand = "AMD\x1b[31m";
  EXPECT_EQ(machine_text(host, {}).find('\x1b'), std::string::npos);
}

TEST(FitnessText, PutsAdviceUnderWhatNeedsIt) {
  EXPECT_EQ(fitness_text({{"load", true, "other programs use 0.01 processors", ""},
                          {"governor", std::nullopt, "no cpufreq driver is loaded", ""},
                          {"smt", false, "logical processors share cores", "use 4 threads"},
                          {"memory", false, "0.5 GiB are free", "end programs", true}}),
            "ok    load      other programs use 0.01 processors\n"
            "?     governor  no cpufreq driver is loaded\n"
            "note  smt       logical processors share cores\n"
            "                -> use 4 threads\n"
            "BAD   memory    0.5 GiB are free\n"
            "                -> end programs\n"
            "Checks that need attention: 2 of 4.\n");
  EXPECT_EQ(fitness_text({{"smt", true, "fine", ""}}), "ok    smt  fine\nFit for measuring.\n");
}

}  // namespace
}  // namespace ridge::cli
