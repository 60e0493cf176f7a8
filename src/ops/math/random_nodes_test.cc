// SPDX-License-Identifier: Apache-2.0
// Applies every rule to malformed nodes: the result must be shapes or an error, never a crash
// (tests run under sanitizers too).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ops/operator.h"
#include "ops/testing.h"

namespace ridge::ops {
namespace {

constexpr const char* kTypes[] = {"f32", "i64", "i64", "bool", "u8", "f16", "i32", "str"};
constexpr const char* kSizes[] = {
    "0", "1", "1", "2", "3", "4", "8", "n", "m", "?", "9223372036854775807"};
constexpr const char* kElements[] = {
    "0",          "1", "2", "-1", "3", "-9223372036854775808", "?", "n", "8", "9223372036854775807",
    "-2147483648"};
constexpr const char* kReals[] = {"0.0", "1.0", "-1.5", "1e300", "nan", "inf", "0.5"};
constexpr const char* kInts[] = {
    "0", "1", "-1", "2", "3", "-9223372036854775808", "7", "10", "9223372036854775807", "16"};
constexpr const char* kNames[] = {"axis",
                                  "axes",
                                  "pads",
                                  "strides",
                                  "dilations",
                                  "kernel_shape",
                                  "group",
                                  "ceil_mode",
                                  "output_padding",
                                  "output_shape",
                                  "perm",
                                  "split",
                                  "starts",
                                  "ends",
                                  "to",
                                  "keepdims",
                                  "batch_dims",
                                  "num_groups",
                                  "blocksize",
                                  "k",
                                  "hidden_size",
                                  "layout",
                                  "dtype",
                                  "q_num_heads",
                                  "kv_num_heads",
                                  "softcap",
                                  "is_causal",
                                  "shape",
                                  "equation",
                                  "mode",
                                  "auto_pad",
                                  "direction",
                                  "start",
                                  "end",
                                  "value",
                                  "sampling_ratio",
                                  "output_height",
                                  "p",
                                  "size",
                                  "keep_aspect_ratio_policy",
                                  "scales",
                                  "fmod",
                                  "transA",
                                  "stash_type",
                                  "training_mode",
                                  "allowzero",
                                  "new_axis"};
constexpr const char* kStrings[] = {"SAME_UPPER", "VALID",      "bidirectional", "ij,jk->ik",
                                    "...i,ji->j", "not_larger", "linear",        "tanh",
                                    "->",         ",,",         "cubic"};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string node(const Operator& op) {
    const int opsets[] = {9, 11, 13, 17, 18, 23};
    std::string out(op.domain);
    if (!out.empty()) out += '.';
    out += fmt::format("{}-{}(", op.name, std::max(op.since, opsets[below(6)]));
    const int inputs = below(6);
    for (int i = 0; i < inputs; ++i) out += (i == 0 ? "" : ", ") + argument(i);
    out += fmt::format(")#{}", 1 + below(4));
    for (int i = below(4); i > 0; --i) out += " " + attribute();
    return out;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  template <std::size_t n>
  std::string one(const char* const (&list)[n]) {
    return list[below(static_cast<int>(n))];
  }

  std::string argument(int i) {
    if (below(12) == 0) return "_";
    if (i > 0 && below(10) == 0) return "@0";
    const std::string type = one(kTypes);
    if (below(15) == 0) return type + "[*]";
    return below(3) == 0 ? constant(type) : type + dims(below(6));
  }

  std::string dims(int rank) {
    std::string out;
    for (int i = 0; i < rank; ++i) out += (i == 0 ? "" : ",") + one(kSizes);
    return "[" + out + "]";
  }

  std::string constant(const std::string& type) {
    const int rank = below(3);
    std::string sizes, elements;
    int count = 1;
    for (int i = 0; i < rank; ++i) {
      const int size = below(4);
      sizes += (i == 0 ? "" : ",") + std::to_string(size);
      count *= size;
    }
    if (type == "str") return type + "[" + sizes + "]";
    for (int i = 0; i < count; ++i)
      elements += (i == 0 ? "" : ",") + (type[0] == 'f' ? one(kReals) : one(kElements));
    return type + "[" + sizes + "]={" + elements + "}";
  }

  std::string attribute() {
    const std::string name = one(kNames) + "=";
    switch (below(5)) {
      case 0:
        return name + one(kInts);
      case 1:
        return name + "\"" + one(kStrings) + "\"";
      case 2:
        return name + "0.5";
      case 3:
        return name + constant("i64");
      default:
        break;
    }
    std::string items;
    for (int i = below(6); i > 0; --i) items += one(kInts) + (i > 1 ? "," : "");
    return name + "[" + items + "]";
  }

  std::mt19937 random_;
};

TEST(RandomNodes, AreAnsweredOrRefused) {
  Generator generator(11);
  int answered = 0;
  for (int round = 0; round < 150; ++round) {
    for (const Operator* op : all()) {
      const std::string node = generator.node(*op);
      SCOPED_TRACE(node);
      if (!testing::shapes(node).starts_with("error:")) ++answered;
      testing::work(node);
      testing::bytes(node);
    }
  }
  EXPECT_GT(answered, 5000);
}

}  // namespace
}  // namespace ridge::ops
