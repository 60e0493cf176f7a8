// SPDX-License-Identifier: Apache-2.0
#include "manifest/yaml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace ridge::manifest {
namespace {

/// Value as one line, with the places of scalars.
std::string shown_yaml(const Toml& value) {
  std::string out;
  switch (value.kind) {
    case Toml::Kind::kTable:
      for (const TomlMember& m : value.members)
        out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", m.key, shown_yaml(m.value));
      return "{" + out + "}";
    case Toml::Kind::kArray:
      for (const Toml& item : value.items) out += (out.empty() ? "" : ", ") + shown_yaml(item);
      return "[" + out + "]";
    case Toml::Kind::kNumber:
      return fmt::format("{}={}@{}:{}", value.text, value.number, value.place.line,
                         value.place.column);
    case Toml::Kind::kTruth:
      return fmt::format("{}@{}:{}", value.truth, value.place.line, value.place.column);
    default:
      return fmt::format("'{}'@{}:{}", value.text, value.place.line, value.place.column);
  }
}

std::string read(std::string_view text) {
  const auto file = read_yaml(text);
  return file.ok() ? shown_yaml(*file) : file.error().text();
}

TEST(Yaml, ValuesKeepTheirPlaces) {
  EXPECT_EQ(read("name: net\nversion: 1.0\ninputs:\n  - type: image\n    dimensions: [3, 2e2]\n"),
            "{name: 'net'@1:7, version: 1.0=1@2:10, inputs: [{type: 'image'@4:11, "
            "dimensions: [3=3@5:18, 2e2=200@5:21]}]}");
}

TEST(Yaml, PlainScalarsFollowTheCoreSchema) {
  EXPECT_EQ(read("[yes, No, true, 'true', 0x10, 1_000, -.5, .inf, 2019-01-01, +3, ~, '', -]"),
            "['yes'@1:2, 'No'@1:7, true@1:11, 'true'@1:17, '0x10'@1:25, '1_000'@1:31, "
            "-.5=-0.5@1:38, '.inf'@1:43, '2019-01-01'@1:49, +3=3@1:61, ''@1:65, ''@1:68, "
            "'-'@1:72]");
}

TEST(Yaml, BlockScalarsBeginAtTheirFirstLine) {
  EXPECT_EQ(read("preprocess: |\n  import os\n  x = 1\nend: >\n  a\n  b\n"),
            "{preprocess: 'import os\nx = 1\n'@2:3, end: 'a b\n'@4:6}");
}

TEST(Yaml, EmptyFileIsAnEmptyTable) {
  EXPECT_EQ(read(""), "{}");
  EXPECT_EQ(read("# nothing\n"), "{}");
}

TEST(Yaml, MoreThanDataIsRefused) {
  EXPECT_EQ(read("a: &x 1\nb: 2\n"),
            "error: line 1, column 4: the anchor '&x' is not supported\n"
            "  hint: write the value where it is used\n  [RIDGE-MAN-0005]\n");
  EXPECT_EQ(read("a: 1\nb: *a\n"),
            "error: line 2, column 4: the alias '*a' is not supported\n"
            "  hint: write the value out; quote text that begins with '*'\n  [RIDGE-MAN-0011]\n");
  EXPECT_EQ(read("a: 1\n<<: {b: 2}\n"),
            "error: line 2, column 1: the merge key '<<' is not supported\n"
            "  hint: write the merged keys out\n  [RIDGE-MAN-0007]\n");
  EXPECT_EQ(read("a: !!python/object:os.system x\n"),
            "error: line 1, column 4: the tag 'tag:yaml.org,2002:python/object:os.system' is not "
            "supported\n  hint: remove the tag; quote a value that must be text\n"
            "  [RIDGE-MAN-0009]\n");
  EXPECT_EQ(read("a: 1\n---\nb: 2\n"),
            "error: line 2, column 1: a second document begins\n"
            "  hint: put each document into a file of its own\n  [RIDGE-MAN-0008]\n");
  EXPECT_EQ(read("%YAML 1.1\n%TAG !a! b\n---\na: 1\n"),
            "error: line 2, column 1: the directive '%TAG' is not supported\n"
            "  hint: remove it; tags are not supported\n  [RIDGE-MAN-0013]\n");
  EXPECT_EQ(read("? [a, b]\n: 1\n"),
            "error: line 1, column 3: a key must be text\n  [RIDGE-MAN-0010]\n");
}

TEST(Yaml, DuplicateKeysAreRefused) {
  EXPECT_EQ(read("name: a\nversion: 1\nname: b\n"),
            "error: line 3, column 1: duplicate key 'name'\n  hint: keep one of them\n"
            "  [RIDGE-MAN-0006]\n");
  EXPECT_EQ(read("{a: {x: 1}, b: {x: 1}}"), "{a: {x: 1=1@1:9}, b: {x: 1=1@1:20}}");
}

TEST(Yaml, SyntaxErrorsStateTheirPlace) {
  EXPECT_EQ(read("a: 1\n\tb: 2\n"),
            "error: line 2, column 1: invalid YAML\n"
            "  found a tab character that violates indentation while scanning a plain scalar\n"
            "  hint: indent with spaces, and quote text that contains ': ' or '#'\n"
            "  [RIDGE-MAN-0001]\n");
  EXPECT_EQ(read("a: \xff\n"),
            "error: byte 3: invalid YAML\n  invalid leading UTF-8 octet\n"
            "  hint: indent with spaces, and quote text that contains ': ' or '#'\n"
            "  [RIDGE-MAN-0001]\n");
}

TEST(Yaml, BoundsAreStated) {
  EXPECT_EQ(read(std::string(32, '[') + std::string(32, ']')),
            std::string(32, '[') + std::string(32, ']'));
  const std::string deep =
      "error: line 1, column 33: values nest more than 32 deep\n  [RIDGE-MAN-0003]\n";
  EXPECT_EQ(read(std::string(33, '[') + std::string(33, ']')), deep);
  EXPECT_EQ(read(std::string(200'000, '[')), deep);
  EXPECT_EQ(read(std::string((1 << 20) + 1, ' ')),
            "error: the file has 1048577 bytes, the limit is 1048576\n  [RIDGE-MAN-0002]\n");
  std::string many = "[";
  for (int i = 0; i < kMaxYamlValues; ++i) many += "1,";
  EXPECT_EQ(read(many + "1]"),
            "error: line 1, column 200002: the file has more than 100000 values\n"
            "  [RIDGE-MAN-0004]\n");
}

}  // namespace
}  // namespace ridge::manifest
