// SPDX-License-Identifier: Apache-2.0
// Makes every read and every write of the program fail: the result is the complete output, or a
// message that names the file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "failing.h"
#include "program.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

class FailingFile : public ::testing::Test {
 protected:
  FailingFile() { program_.run(arguments_, *whole_); }

  /// Runs the program with the i-th call failing; true if that call was made.
  bool run(Call call, std::int64_t i, Fault fault, Ran& ran) const {
    const Failing failing(call, i, fault);
    program_.run(arguments_, ran);
    return failing.happened();
  }

  Program program_;
  std::vector<std::string> arguments_ = {"analyze", program_.model(), "--format", "json"};
  std::unique_ptr<Ran> whole_ = std::make_unique<Ran>();
};

TEST_F(FailingFile, AReadThatFailsIsAnErrorOrANote) {
  ASSERT_EQ(whole_->status, 0);
  for (const Fault fault : {Fault::kOnce, Fault::kFromThenOn}) {
    for (std::int64_t i = 1;; ++i) {
      const auto ran = std::make_unique<Ran>();
      if (!run(Call::kRead, i, fault, *ran)) {
        EXPECT_GT(i, 2);
        break;
      }
      const std::string_view err = ran->err.text();
      EXPECT_NE(err.find("cannot read it: Input/output error"), std::string_view::npos) << err;
      // If the shape of the Reshape cannot be read, its size stays unknown, which is only a note.
      const bool constant = err.find("1 constant could not be read") != std::string_view::npos;
      EXPECT_EQ(ran->status, constant ? 0 : 4) << err;
      EXPECT_NE(err.find(constant ? "s.bin" : "m.onnx: "), std::string_view::npos) << err;
    }
  }
}

TEST_F(FailingFile, AFileThatEndsEarlyIsAnErrorOrANote) {
  for (std::int64_t i = 1;; ++i) {
    const auto ran = std::make_unique<Ran>();
    if (!run(Call::kEndOfFile, i, Fault::kFromThenOn, *ran)) break;
    const std::string_view err = ran->err.text();
    EXPECT_NE(err.find("the file ends at byte"), std::string_view::npos) << err;
    EXPECT_TRUE(ran->status == 3 || err.find("could not be read") != std::string_view::npos) << err;
  }
}

TEST_F(FailingFile, ShortAndInterruptedReadsChangeNothing) {
  for (const Call call : {Call::kShortRead, Call::kInterrupt}) {
    for (std::int64_t i = 1;; ++i) {
      const auto ran = std::make_unique<Ran>();
      const bool happened = run(call, i, Fault::kOnce, *ran);
      ASSERT_EQ(ran->status, 0) << ran->err.text();
      ASSERT_EQ(ran->out.text(), whole_->out.text());
      if (!happened) break;
    }
  }
  const auto ran = std::make_unique<Ran>();
  EXPECT_TRUE(run(Call::kShortRead, 1, Fault::kFromThenOn, *ran));
  EXPECT_EQ(ran->out.text(), whole_->out.text());
}

TEST_F(FailingFile, AWriteThatFailsLeavesTheOldFile) {
  const std::string target = program_.path("out.json");
  std::ofstream(target) << "before";
  arguments_.insert(arguments_.end(), {"--output", target});
  const auto files = [&] {
    const fs::directory_iterator all(fs::path(target).parent_path());
    return std::distance(begin(all), end(all));
  };
  const auto there = files();
  for (std::int64_t i = 1;; ++i) {
    const auto ran = std::make_unique<Ran>();
    const bool happened = run(Call::kWrite, i, Fault::kFromThenOn, *ran);
    EXPECT_EQ(files(), there);
    std::string held{std::istreambuf_iterator<char>(std::ifstream(target).rdbuf()), {}};
    if (!happened) {
      EXPECT_GT(i, 1);
      EXPECT_EQ(held, whole_->out.text());
      break;
    }
    EXPECT_EQ(ran->status, 4);
    EXPECT_EQ(held, "before");
    EXPECT_NE(ran->err.text().find("out.json: cannot write it: No space left on device"),
              std::string_view::npos)
        << ran->err.text();
  }
}

}  // namespace
}  // namespace ridge::tests
