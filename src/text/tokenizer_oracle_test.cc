// SPDX-License-Identifier: Apache-2.0
// Tokens of thousands of texts beside those of Hugging Face's tokenizers (tokenizer_oracle.py), from
// the environment that scripts/fetch_oracles.sh makes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/lines.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "text/tokenizer_file.h"

namespace ridge::text {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string python_with_tokenizers() {
  if (const std::string folder = variable("RIDGE_ORACLES"); !folder.empty())
    return folder + "/bin/python";
  const std::string cache = variable("XDG_CACHE_HOME");
  return (cache.empty() ? variable("HOME") + "/.cache" : cache) +
         "/ridge/oracles/current/bin/python";
}

std::string text_of(const Encoding& e) {
  return fmt::format("{} | {} | {}", fmt::join(e.ids, " "), fmt::join(e.mask, " "),
                     fmt::join(e.types, " "));
}

/// Compares the cases of a tokenizer; their number.
int compare(const std::filesystem::path& file) {
  const auto tokenizer = read_tokenizer(read_file(file.string(), kMaxTokenizerBytes).value());
  EXPECT_TRUE(tokenizer.ok()) << file << tokenizer.error().text();
  if (!tokenizer.ok()) return 0;
  std::filesystem::path cases = file;
  const auto text = read_file(cases.replace_extension(".cases").string(), 1 << 28).value();
  int count = 0, different = 0;
  for (Lines lines(text); lines.next(); ++count) {
    const auto expected = nlohmann::json::parse(lines.line());
    const Tokens step{.length = expected[1], .pad = expected[0]};
    const auto made =
        tokenizer->encode(expected[2].get<std::string>(), tokenizer->shape_of(step).value());
    EXPECT_TRUE(made.ok());
    const Encoding theirs{expected[3], expected[4], expected[5]};
    if (made.ok() && text_of(*made) == text_of(theirs)) continue;
    if (++different > 3) continue;
    ADD_FAILURE() << file << " of length " << step.length << ": " << expected[2].dump() << "\n"
                  << (made.ok() ? text_of(*made) : made.error().text()) << "\n"
                  << text_of(theirs);
  }
  EXPECT_EQ(different, 0) << file;
  return count;
}

TEST(TokenizerOracle, GivesTheTokensOfHuggingFace) {
  const std::string python = python_with_tokenizers(), source = variable("RIDGE_SOURCE");
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "the packages of scripts/fetch_oracles.sh are missing: " << python;
  const TemporaryFolder folder = TemporaryFolder::make(::testing::TempDir()).value();
  const std::string log = folder.path() + "/log";
  const std::string command =
      fmt::format("'{}' '{}/src/text/tokenizer_oracle.py' '{}/docs' '{}' >'{}' 2>&1", python,
                  source, source, folder.path(), log);
  ASSERT_EQ(std::system(command.c_str()), 0) << read_file(log, 1 << 20).value();
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    if (entry.path().extension() == ".json") count += compare(entry.path());
  EXPECT_EQ(count, 7000);
}

}  // namespace
}  // namespace ridge::text
