// SPDX-License-Identifier: Apache-2.0
// The program and its backends as the linker wrote them: what keeps a flaw in a reader from becoming
// code that runs (cmake/toolchain.cmake). Oracle: readelf.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// The program and its backends; what a link in their folder points to is a runtime's own.
std::vector<std::filesystem::path> built_files() {
  std::vector<std::filesystem::path> out{std::filesystem::absolute(program())};
  for (const auto& file : std::filesystem::directory_iterator(out[0].parent_path() / "lib/ridge"))
    if (!file.is_symlink() && file.path().extension() == ".so") out.push_back(file.path());
  return out;
}

/// True if one line of `text` has both parts.
bool line_has(const std::string& text, std::string_view one, std::string_view other) {
  for (const std::string& line : lines_of(text))
    if (has(line, one) && has(line, other)) return true;
  return false;
}

TEST(Hardening, IsInEveryBuiltFile) {
#ifdef RIDGE_SANITIZED
  GTEST_SKIP() << "sanitizers replace what is looked for";
#endif
  const Workplace place;
  const std::vector<std::filesystem::path> files = built_files();
  ASSERT_GT(files.size(), 1U);  // the backend of the tests at least
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    const Outcome read = place.run("readelf -W -h -l -d --dyn-syms '" + file.string() + "'");
    ASSERT_EQ(read.status, 0) << read.err;
    EXPECT_TRUE(line_has(read.out, "Type:", "DYN")) << "addresses are fixed";
    EXPECT_TRUE(line_has(read.out, "(FLAGS_1)", "NOW")) << "functions are bound late";
    EXPECT_TRUE(has(read.out, "GNU_RELRO")) << "relocations stay writable";
    EXPECT_TRUE(has(read.out, "GNU_STACK")) << "the stack may be executable";
    EXPECT_FALSE(line_has(read.out, "GNU_STACK", "RWE")) << "the stack is executable";
    // Plug-ins of the tests, whose functions have no arrays.
    const bool has_arrays =
        file.filename() != "ridge_plain.so" && file.filename() != "ridge_newer.so";
    EXPECT_TRUE(!has_arrays || has(read.out, "__stack_chk_fail@")) << "without stack protection";
  }
  // libc checks copies into places of known size.
  EXPECT_TRUE(
      has(place.run("readelf -W --dyn-syms '" + files[0].string() + "'").out, "memcpy_chk@"));
}

}  // namespace
}  // namespace ridge::tests
