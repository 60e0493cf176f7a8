// SPDX-License-Identifier: Apache-2.0
// Corpus of every fuzz target, unchanged, truncated and with single bytes changed: a smoke test
// that needs no clang. A failed check aborts the program and names the input.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#define RIDGE_FUZZ_TARGET(name) extern "C" int name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef RIDGE_FUZZ_TARGET

namespace ridge::fuzz {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

constexpr Target kTargets[] = {
#define RIDGE_FUZZ_TARGET(name) {#name, name},
#include "fuzz_targets.inc"
#undef RIDGE_FUZZ_TARGET
};

/// Number of truncated and of changed copies per input; a target takes less than a second in all.
constexpr int kCuts = 8, kChanges = 24;

char present[512];

void name_the_input(int) {
  const char head[] = "fuzz: this input aborts the program: ";
  [[maybe_unused]] auto ignored = ::write(STDERR_FILENO, head, sizeof head - 1);
  ignored = ::write(STDERR_FILENO, present, std::strlen(present));
  ignored = ::write(STDERR_FILENO, "\n", 1);
}

fs::path corpus(const Target& target) {
  const char* unpacked = std::getenv("RIDGE_CORPUS");
  return fs::path(unpacked != nullptr ? unpacked : "build/fuzz/corpus") / target.name;
}

void run(const Target& target, const std::string& input) {
  target.run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

class Replay : public ::testing::TestWithParam<Target> {};

TEST_P(Replay, KeptInputsHoldTheProperties) {
  std::signal(SIGABRT, name_the_input);
  std::mt19937 random(1);
  const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
  std::size_t inputs = 0;
  for (const auto& entry : fs::directory_iterator(corpus(GetParam()))) {
    std::strncpy(present, entry.path().c_str(), sizeof present - 1);
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), {}};
    run(GetParam(), input);
    for (int i = 0; i < kCuts; ++i) run(GetParam(), input.substr(0, below(input.size())));
    for (int i = 0; i < kChanges && !input.empty(); ++i) {
      std::string changed = input;
      changed[below(changed.size())] = static_cast<char>(random());
      run(GetParam(), changed);
    }
    ++inputs;
  }
  EXPECT_GT(inputs, 0U) << corpus(GetParam());
  std::signal(SIGABRT, SIG_DFL);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Replay, ::testing::ValuesIn(kTargets),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace ridge::fuzz
