// SPDX-License-Identifier: Apache-2.0
// A model that is truncated or changed at any byte, through the whole program: the result is an
// output or an error message.
#include <gtest/gtest.h>

#include <memory>

#include "program.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

class PlannedDamage : public ::testing::Test {
 protected:
  void expect_answer_or_message(const std::string& bytes, std::size_t at) {
    write_text(program_.model(), bytes);
    const auto ran = std::make_unique<Ran>();
    program_.run({"analyze", program_.model(), "--format", "json"}, *ran);
    status_ = ran->status;
    ASSERT_TRUE(status_ == 0 || status_ == 3) << "byte " << at << ": " << ran->err.text();
    if (status_ == 0) return;
    ASSERT_TRUE(ran->err.text().starts_with("error: " + program_.model() + ": ")) << at;
    ASSERT_TRUE(ran->err.text().ends_with("]\n")) << at << ": " << ran->err.text();
  }

  Program program_;
  const std::string whole_ = read_text(program_.model());
  int status_ = 0;
};

TEST_F(PlannedDamage, CutAtAnyByteIsAMessage) {
  for (std::size_t size = 0; size < whole_.size(); ++size) {
    ASSERT_NO_FATAL_FAILURE(expect_answer_or_message(whole_.substr(0, size), size));
    EXPECT_EQ(status_, 3) << size;  // the weight is last, and a node reads it
  }
  expect_answer_or_message(whole_, whole_.size());
  EXPECT_EQ(status_, 0);
}

TEST_F(PlannedDamage, AnyByteChangedIsAnAnswerOrAMessage) {
  const std::size_t structure = whole_.size() - 2048;  // then elements of a weight
  for (std::size_t at = 0; at < structure; ++at) {
    for (const unsigned flipped : {0x01U, 0x80U, 0xffU}) {
      std::string changed = whole_;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flipped);
      ASSERT_NO_FATAL_FAILURE(expect_answer_or_message(changed, at));
    }
  }
}

}  // namespace
}  // namespace ridge::tests
