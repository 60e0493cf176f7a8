// SPDX-License-Identifier: Apache-2.0
#include "manifest/version.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::manifest {
namespace {

Version parsed_version(std::string_view text) {
  auto parsed = parse_version(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : Version{};
}

// The order of semver.org 2.0.0, section 11.
TEST(Version, PrecedenceIsThatOfTheSpecification) {
  const std::string_view ordered[] = {
      "0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
      "1.0.0",      "2.0.0",        "2.1.0",         "2.1.1",
      "2.11.0",     "10.0.0"};
  for (std::size_t i = 0; i < std::size(ordered); ++i)
    for (std::size_t j = 0; j < std::size(ordered); ++j)
      EXPECT_EQ(parsed_version(ordered[i]) <=> parsed_version(ordered[j]), i <=> j)
          << ordered[i] << " and " << ordered[j];
  EXPECT_EQ(parsed_version("1.0.0+a"), parsed_version("1.0"));
  EXPECT_EQ(parsed_version("1").text, "1");
}

TEST(Version, InvalidTextIsRefused) {
  for (const std::string_view text :
       {"", "1.", "01.2.3", "1.2.3.4", "1.x", "v1", "1.2-rc", "1.2.3-", "1.2.3-01", "1.2.3-a..b",
        "1.2.3+", "-1", "1.2.3-a b", "*", "1234567890123456789.0.0"})
    EXPECT_FALSE(parse_version(text).ok()) << text;
  EXPECT_TRUE(parse_version("1.2.3-x.7.z.92").ok());
  EXPECT_EQ(parse_version("one").error().text(),
            "error: invalid version 'one'\n"
            "  hint: a version is MAJOR.MINOR.PATCH, for example 1.2.0 or 1.2.0-rc.1\n"
            "  [RIDGE-MAN-0030]\n");
}

// What node-semver 7.8.6 answers for each constraint (a blank in place of each comma) and version.
TEST(Constraint, AllowsWhatNodeSemverAllows) {
  const std::string_view versions[] = {
      "0.0.3", "0.0.4",  "0.1.0",         "0.2.3",      "0.2.9", "0.3.0",      "1.0.0-rc.1",
      "1.0.0", "1.2.0",  "1.2.3-alpha.2", "1.2.3-beta", "1.2.3", "1.2.4-beta", "1.2.4",
      "1.3.0", "1.12.5", "2.0.0-rc.1",    "2.0.0",      "2.3.0", "3.0.0"};
  const struct {
    std::string_view constraint, allowed;
  } kCases[] = {
      {">=1,<2", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {">=1 <2", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"^1.2", "1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"^1.2.3", "1.2.3 1.2.4 1.3.0 1.12.5"},
      {"^0.2", "0.2.3 0.2.9"},
      {"^0.2.3", "0.2.3 0.2.9"},
      {"^0.0.3", "0.0.3"},
      {"^0.0", "0.0.3 0.0.4"},
      {"^0", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0"},
      {"~1.2", "1.2.0 1.2.3 1.2.4"},
      {"~1.2.3", "1.2.3 1.2.4"},
      {"~1", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"~0", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0"},
      {"1.x", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"1.2.x", "1.2.0 1.2.3 1.2.4"},
      {"1", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"1.2", "1.2.0 1.2.3 1.2.4"},
      {"1.2.3", "1.2.3"},
      {"=1.2.3", "1.2.3"},
      {">1.2", "1.3.0 1.12.5 2.0.0 2.3.0 3.0.0"},
      {">1.2.3", "1.2.4 1.3.0 1.12.5 2.0.0 2.3.0 3.0.0"},
      {">1", "2.0.0 2.3.0 3.0.0"},
      {"<=1.2", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0 1.2.3 1.2.4"},
      {"<=1.2.3", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0 1.2.3"},
      {"<1.2", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0"},
      {"<1.2.3", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0"},
      {">=1.2.3-beta", "1.2.3-beta 1.2.3 1.2.4 1.3.0 1.12.5 2.0.0 2.3.0 3.0.0"},
      {"^1.2.3-alpha.2", "1.2.3-alpha.2 1.2.3-beta 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"1.2.3-beta", "1.2.3-beta"},
      {">1.2.3-alpha.2 <1.2.3", "1.2.3-beta"},
      {"*",
       "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5 2.0.0 2.3.0 "
       "3.0.0"},
      {"1.2 || >=2", "1.2.0 1.2.3 1.2.4 2.0.0 2.3.0 3.0.0"},
      {">=1.0.0-rc.0,<1.0.0", "1.0.0-rc.1"},
      {"<2.0.0", "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {">= 1.2.3 < 2", "1.2.3 1.2.4 1.3.0 1.12.5"},
      {"^1.x", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {"~1.x", "1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5"},
      {">*", ""},
      {"<=2.0.0-rc.1",
       "0.0.3 0.0.4 0.1.0 0.2.3 0.2.9 0.3.0 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.12.5 2.0.0-rc.1"},
      {"1.12", "1.12.5"},
  };
  for (const auto& c : kCases) {
    const auto constraint = parse_constraint(c.constraint);
    ASSERT_TRUE(constraint.ok()) << c.constraint;
    std::string allowed;
    for (const std::string_view v : versions)
      if (constraint->allows(parsed_version(v)))
        allowed += fmt::format("{}{}", allowed.empty() ? "" : " ", v);
    EXPECT_EQ(allowed, c.allowed) << c.constraint;
  }
}

TEST(Constraint, LatestAllowsEveryRelease) {
  const auto latest = parse_constraint("latest");
  ASSERT_TRUE(latest.ok());
  EXPECT_TRUE(latest->allows(parsed_version("0.0.1")));
  EXPECT_FALSE(latest->allows(parsed_version("9.0.0-rc.1")));
}

TEST(Constraint, InvalidTextIsRefused) {
  for (const std::string_view text :
       {"", ">=", ">=1,", "1 || ", "||", "!=1", "1 - 2", "^^1", "newest", ">=1,,<2", "1.2.3-"})
    EXPECT_FALSE(parse_constraint(text).ok()) << text;
  EXPECT_EQ(parse_constraint("newest").error().text(),
            "error: invalid version constraint 'newest'\n"
            "  hint: for example 1.2.0, >=1.2,<2, ^1.2, ~1.2, 1.x or latest\n"
            "  [RIDGE-MAN-0031]\n");
}

TEST(Reference, IsANameAndAConstraint) {
  const auto reference = parse_reference("digits@>=1,<2");
  ASSERT_TRUE(reference.ok());
  EXPECT_EQ(reference->name, "digits");
  EXPECT_EQ(reference->constraint.text(), ">=1,<2");
  EXPECT_EQ(parse_reference("digits")->constraint.text(), "latest");
  EXPECT_EQ(parse_reference("../x@1").error().text(),
            "error: invalid name '../x'\n"
            "  hint: names have up to 100 letters, digits, dots, minus signs and underscores\n"
            "  [RIDGE-MAN-0033]\n");
  EXPECT_FALSE(parse_reference("a b").ok());
  EXPECT_FALSE(parse_reference("@1").ok());
  EXPECT_FALSE(parse_reference("a@").ok());
}

}  // namespace
}  // namespace ridge::manifest
