// SPDX-License-Identifier: Apache-2.0
// scripts/release.sh in a small repository of git: what it refuses, what a dry run prints, and what
// a release leaves. The repository has the tree's script and version, and a changelog, .ci/run and
// Makefile of its own, which note the commit that they ran on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr std::string_view kUnreleased = "# Changelog\n\n## [Unreleased]\n\n### Added\n- Counts.\n";

/// A repository with one commit, in the folder `tree` of a Workplace.
class Release : public ::testing::Test {
 protected:
  Release() {
    const std::string printed = place_.run("ridge --version").out;  // "ridge 0.1.0\n"
    version_ = printed.substr(6, printed.size() - 7);
    write("CHANGELOG.md", kUnreleased);
    run(
        fmt::format("git init --quiet --initial-branch=main . && mkdir .ci scripts\n"
                    "cp '{0}/scripts/release.sh' scripts/ && cp '{0}/CMakeLists.txt' .\n"
                    "printf '#!/bin/sh\\ngit rev-parse HEAD >../checked\\n' >.ci/run\n"
                    "printf 'package:\\n\\t@git rev-parse HEAD >../packed\\n' >Makefile\n"
                    "chmod +x .ci/run && git add . && git commit --quiet --message Begin\n",
                    source_tree().string()));
  }

  Outcome run(std::string_view script) const {
    return place_.run(
        fmt::format("export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a "
                    "GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n"
                    "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE\nmkdir -p tree && cd tree\n{}",
                    script));
  }
  Outcome release(std::string_view flags = "") const {
    return run(fmt::format("scripts/release.sh {} {}", flags, version_));
  }
  void write(std::string_view file, std::string_view text) const {
    std::filesystem::create_directories(place_.folder() / "there/tree");
    write_text(place_.folder() / "there/tree" / file, text);
  }
  void commit() const { run("git commit --quiet --all --message Change"); }
  /// Tags, commits, and what git status prints.
  std::string state() const {
    return run("git tag; git log --format=%s; git status --porcelain").out;
  }
  std::string text(std::string_view file) const {
    return read_text(place_.folder() / "there" / file);
  }
  bool ran(std::string_view file) const {
    return std::filesystem::exists(place_.folder() / "there" / file);
  }
  /// The section that the test's changelog has after a release today.
  std::string released() const {
    return fmt::format("# Changelog\n\n## [Unreleased]\n\n## [{}] - {}\n\n### Added\n- Counts.\n",
                       version_, run("date -u +%F | tr -d '\\n'").out);
  }

  Workplace place_;
  std::string version_;
};

TEST_F(Release, DryRunPrintsTheStepsAndTakesNone) {
  const Outcome o = release("--dry-run");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, fmt::format("release: would date the section of CHANGELOG.md\n"
                               "release: would commit it\n"
                               "release: would run .ci/run\n"
                               "release: would run make package\n"
                               "release: would tag the commit as v{0}\n"
                               "to publish it: git push origin main v{0}\n",
                               version_));
  EXPECT_EQ(state(), "Begin\n");
  EXPECT_EQ(text("tree/CHANGELOG.md"), kUnreleased);
  EXPECT_FALSE(ran("checked"));
}

TEST_F(Release, ChecksPacksAndTagsTheCommitWithTheDatedSection) {
  const Outcome o = release();
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(state(), fmt::format("v{0}\nRelease {0}\nBegin\n", version_));
  EXPECT_EQ(lines_of(text("tree/CHANGELOG.md")), lines_of(released()));
  const std::string tagged = run(fmt::format("git rev-parse 'v{}^{{commit}}'", version_)).out;
  EXPECT_EQ(text("checked"), tagged);
  EXPECT_EQ(text("packed"), tagged);
  EXPECT_EQ(run("git cat-file tag v" + version_ + " | sed 1,/^$/d").out,
            fmt::format("ridge {}\n\n### Added\n- Counts.\n", version_));
}

TEST_F(Release, FailedChecksLeaveNoTagAndTheNextRunContinues) {
  run("printf '#!/bin/sh\\nexit 1\\n' >.ci/run");
  commit();
  const Outcome failed = release();
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.err,
            "release: .ci/run failed; there is no tag\n"
            "  hint: commit the repair, and run this again\n");
  EXPECT_FALSE(ran("packed"));
  EXPECT_EQ(state(), fmt::format("Release {}\nChange\nBegin\n", version_));
  run("printf '#!/bin/sh\\n' >.ci/run");
  commit();
  EXPECT_EQ(release().status, 0);
  EXPECT_EQ(state(), fmt::format("v{0}\nChange\nRelease {0}\nChange\nBegin\n", version_));
}

TEST_F(Release, PackagesThatFailLeaveNoTag) {
  run("printf 'package:\\n\\tfalse\\n' >Makefile");
  commit();
  const Outcome o = release();
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(has(o.err, "release: make package failed; there is no tag\n")) << o.err;
  EXPECT_EQ(run("git tag").out, "");
}

TEST_F(Release, TreeThatChangesMeanwhileIsNotTagged) {
  run("printf '#!/bin/sh\\necho >>CMakeLists.txt\\n' >.ci/run");
  commit();
  const Outcome o = release();
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(has(o.err, "release: the tree changed while it was checked; there is no tag\n"))
      << o.err;
  EXPECT_EQ(run("git tag").out, "");
}

TEST_F(Release, RefusesADirtyTree) {
  write("new.txt", "x");
  const Outcome o = release();
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            "release: the working tree has changes (files: 1)\n"
            "  hint: commit or remove what git status lists\n");
  EXPECT_EQ(state(), "Begin\n?? new.txt\n");
}

TEST_F(Release, RefusesATagThatExists) {
  run("git tag v" + version_);
  const Outcome o = release();
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, fmt::format("release: the tag v{} exists\n"
                               "  hint: a released version never changes; release the next one\n",
                               version_));
}

TEST_F(Release, RefusesAVersionThatIsNotTheBuilds) {
  const Outcome o = run("scripts/release.sh 99.0.0");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err, fmt::format("release: CMakeLists.txt has version '{}', not 99.0.0\n"
                               "  hint: commit 'project(ridgeline VERSION 99.0.0 ...'\n",
                               version_));
}

TEST_F(Release, RefusesAChangelogWithoutEntries) {
  write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2020-01-01\n- Old.\n");
  commit();
  const Outcome o = release("--dry-run");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            "release: CHANGELOG.md has no entry under '## [Unreleased]'\n"
            "  hint: write there what changed for users\n");
}

TEST_F(Release, RefusesEntriesBesideTheSectionOfTheVersion) {
  write("CHANGELOG.md",
        fmt::format("# Changelog\n\n## [Unreleased]\n- New.\n\n## [{}] - 2020-01-01\n- Old.\n",
                    version_));
  commit();
  const Outcome o = release("--dry-run");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            fmt::format("release: CHANGELOG.md has '## [{}]' and entries under '## [Unreleased]'\n"
                        "  hint: move the entries to the section of the release\n",
                        version_));
}

TEST_F(Release, RefusesADetachedHead) {
  run("git switch --quiet --detach");
  const Outcome o = release();
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.err,
            "release: no branch is checked out\n"
            "  hint: git switch to the branch that is released\n");
}

TEST_F(Release, ListsAllProblemsAtOnce) {
  write("new.txt", "x");
  const Outcome o = run("git tag v99.0.0; scripts/release.sh --dry-run 99.0.0");
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(has(o.err, "the working tree has changes")) << o.err;
  EXPECT_TRUE(has(o.err, "the tag v99.0.0 exists")) << o.err;
  EXPECT_TRUE(has(o.err, "CMakeLists.txt has version")) << o.err;
}

TEST_F(Release, UsageIsStatusTwo) {
  for (const char* arguments : {"", "1.0", "1.0.0 2.0.0", "v1.0.0", "1.0.0-rc1", "01.0.0"}) {
    const Outcome o = run(fmt::format("scripts/release.sh {}", arguments));
    EXPECT_EQ(o.status, 2) << arguments;
    EXPECT_TRUE(has(o.err, "hint: scripts/release.sh [--dry-run] VERSION")) << o.err;
  }
}

/// True for "## [Unreleased]" and "## [1.2.0] - 2026-01-31".
bool is_section_heading(const std::string& line) {
  if (line == "## [Unreleased]") return true;
  const std::size_t end = line.find("] - ");
  return line.starts_with("## [") && end != std::string::npos && line.size() == end + 14 &&
         line.find_first_not_of("0123456789.", 4) == end &&
         line.find_first_not_of("0123456789-", end + 4) == std::string::npos;
}

TEST(Changelog, HasTheFormThatAReleaseTakes) {
  std::vector<std::string> sections;
  for (const std::string& line : lines_of(read_text(source_tree() / "CHANGELOG.md"))) {
    if (line.starts_with("## ")) {
      EXPECT_TRUE(is_section_heading(line)) << line;
      sections.push_back(line);
    } else if (line.starts_with("### ")) {
      const std::vector<std::string> kinds = {"Added",   "Changed", "Deprecated",
                                              "Removed", "Fixed",   "Security"};
      EXPECT_NE(std::ranges::find(kinds, line.substr(4)), kinds.end()) << line;
    }
  }
  ASSERT_FALSE(sections.empty());
  EXPECT_EQ(sections[0], "## [Unreleased]");
}

}  // namespace
}  // namespace ridge::tests
