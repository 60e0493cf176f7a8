// SPDX-License-Identifier: Apache-2.0
#include "onnx/weights.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "onnx/external_file.h"
#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

namespace fs = std::filesystem;
using testing::wire;

std::string model(const std::string& tensor) {
  return wire("ir_version: 8 graph { initializer { name: \"w\" " + tensor +
              " } } opset_import { version: 17 }");
}

std::string external_initializer(const std::string& location, const std::string& more = "") {
  return model("dims: 2 data_type: 1 data_location: 1 external_data { key: \"location\" value: \"" +
               location + "\" } " + more);
}

std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class External : public ::testing::Test {
 protected:
  Document open(const std::string& bytes) const {
    return read_file(folder_.make("model/m.onnx", bytes)).value();
  }
  /// The elements of the first initializer, or the error's text without the folder.
  static std::string elements(const Document& d) {
    const auto loaded = load(d, d.model.graph.initializers[0], 1 << 20);
    if (loaded) return std::string(text(*loaded));
    std::string shown = loaded.error().text();
    const std::string folder = d.path.substr(0, d.path.size() - 12);  // "model/m.onnx"
    for (std::size_t at; (at = shown.find(folder)) != std::string::npos;) {
      shown.erase(at, folder.size());
    }
    return shown;
  }
  External() { fs::create_directories(folder_.path("model/sub")); }

  testing::TemporaryFolder folder_;
};

TEST_F(External, ReadsBesideAndBelowTheModel) {
  folder_.make("model/w.bin", "....12345678");
  folder_.make("model/sub/w.bin", "abcdefgh");
  const std::string at4 = "external_data { key: \"offset\" value: \"4\" } ";
  EXPECT_EQ(elements(open(external_initializer("w.bin", at4))), "12345678");
  EXPECT_EQ(elements(open(external_initializer("sub/w.bin"))), "abcdefgh");
  EXPECT_EQ(elements(open(external_initializer("./sub/./w.bin"))), "abcdefgh");
  EXPECT_EQ(elements(open(external_initializer("..data"))),
            "error: model/..data: tensor 'w': the external data of the model is missing\n"
            "  hint: the model needs this file; copy it to that path\n"
            "  [RIDGE-ONNX-0308]\n");
}

TEST_F(External, RefusesLinksOutOfTheFolder) {
  folder_.make("secret", "12345678");
  fs::create_symlink("../secret", folder_.path("model/link"));
  fs::create_directory_symlink("..", folder_.path("model/up"));
  fs::create_directory_symlink(folder_.path(""), folder_.path("model/sub/abs"));
  for (const char* location : {"link", "up/secret", "sub/abs/secret", "sub/../up/secret"}) {
    const std::string text = elements(open(external_initializer(location)));
    EXPECT_TRUE(text.starts_with(
        fmt::format("error: model/{}: tensor 'w': a symbolic link of this external data leads out "
                    "of the folder of the model\n  it leads to ",
                    location)))
        << text;
    EXPECT_TRUE(
        text.ends_with("  hint: put the file itself into the model's folder (cp -L)\n"
                       "  [RIDGE-ONNX-0302]\n"))
        << text;
  }
  fs::create_symlink("turn", folder_.path("model/turn"));
  EXPECT_EQ(elements(open(external_initializer("turn"))),
            "error: model/turn: tensor 'w': the symbolic links of this external data form a loop\n"
            "  hint: put the file itself into the model's folder\n"
            "  [RIDGE-ONNX-0302]\n");
}

// ONNX Runtime 1.32 loads the same models.
TEST_F(External, LinksInsideTheFolderAndHardLinksAreFollowed) {
  folder_.make("model/sub/w.bin", "12345678");
  fs::create_directories(folder_.path("store"));
  folder_.make("store/w.bin", "abcdefgh");
  fs::create_symlink("sub/w.bin", folder_.path("model/link"));
  fs::create_directory_symlink("sub", folder_.path("model/folder"));
  fs::create_symlink(folder_.path("model/sub/w.bin"), folder_.path("model/absolute"));
  fs::create_hard_link(folder_.path("store/w.bin"), folder_.path("model/hard"));
  for (const char* location : {"link", "folder/w.bin", "absolute", "sub/../sub/w.bin"})
    EXPECT_EQ(elements(open(external_initializer(location))), "12345678") << location;
  EXPECT_EQ(elements(open(external_initializer("hard"))), "abcdefgh");
}

// snapshots/REVISION/onnx has links to files named by their digests in blobs.
TEST_F(External, AModelAndItsDataMayBeLinksToOneFolder) {
  fs::create_directories(folder_.path("snapshots/c0ffee/onnx"));
  fs::create_directories(folder_.path("blobs"));
  folder_.make("blobs/11aa", external_initializer("model.onnx_data"));
  folder_.make("blobs/22bb", "12345678");
  const std::string snapshot = folder_.path("snapshots/c0ffee/onnx/");
  fs::create_symlink("../../../blobs/11aa", snapshot + "model.onnx");
  fs::create_symlink("../../../blobs/22bb", snapshot + "model.onnx_data");
  const Document d = read_file(snapshot + "model.onnx").value();
  const auto data = load(d, d.model.graph.initializers[0], 100);
  ASSERT_TRUE(data.ok()) << data.error().text();
  EXPECT_EQ(text(*data), "12345678");

  // A file that lies in neither folder.
  folder_.make("secret", "12345678");
  fs::remove(snapshot + "model.onnx_data");
  fs::create_symlink("../../../secret", snapshot + "model.onnx_data");
  const auto refused = load(d, d.model.graph.initializers[0], 100);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-ONNX-0302");
  const std::string shown = refused.error().text();
  EXPECT_NE(shown.find("model.onnx_data: tensor 'w'"), std::string::npos) << shown;
  EXPECT_NE(shown.find("secret, neither below "), std::string::npos) << shown;
  EXPECT_NE(shown.find("blobs, where the model itself lies"), std::string::npos) << shown;
}

TEST_F(External, NamesAGitLfsPointer) {
  folder_.make("model/w.bin",
               "version https://git-lfs.github.com/spec/v1\n"
               "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
               "size 8\n");
  EXPECT_EQ(elements(open(external_initializer("w.bin"))),
            "error: model/w.bin: tensor 'w': this is a Git LFS pointer, not the external data\n"
            "  hint: fetch the data with 'git lfs pull'\n"
            "  [RIDGE-ONNX-0304]\n");
}

TEST_F(External, RefusesWhatIsNoFile) {
  ASSERT_EQ(::mkfifo(folder_.path("model/pipe").c_str(), 0600), 0);
  for (const char* location : {"pipe", "sub"}) {
    EXPECT_EQ(elements(open(external_initializer(location))),
              fmt::format("error: model/{}: tensor 'w': external data must be a regular file\n"
                          "  [RIDGE-ONNX-0303]\n",
                          location));
  }
}

TEST_F(External, RefusesRangesBeyondTheFile) {
  folder_.make("model/w.bin", "1234567");
  EXPECT_EQ(elements(open(external_initializer("w.bin"))),
            "error: model/w.bin: tensor 'w': the data spans bytes 0 to 8, but the file ends at 7\n"
            "  hint: the file is truncated or belongs to another model\n"
            "  [RIDGE-ONNX-0307]\n");
}

TEST_F(External, AMissingFileIsNoErrorUntilItIsNeeded) {
  const Document d = open(external_initializer("missing.bin"));
  const auto range = locate(d, d.model.graph.initializers[0]);
  ASSERT_FALSE(range.ok());
  EXPECT_EQ(range.error().error_class(), ErrorClass::kEnvironment);
}

TEST_F(External, ALocatorOpensEachFileOnce) {
  folder_.make("model/w.bin", "12345678");
  const Document d = open(external_initializer("w.bin"));
  WeightLocator locator(d);
  const WeightRange a = locator.locate(d.model.graph.initializers[0]).value();
  const WeightRange b = locator.locate(d.model.graph.initializers[0]).value();
  EXPECT_EQ(a.file, b.file);
  EXPECT_EQ(a.length, 8);
}

TEST_F(External, AModelWithoutAFileHasNoFolder) {
  const Document d = read_bytes(external_initializer("w.bin"), "m.onnx").value();
  EXPECT_EQ(load(d, d.model.graph.initializers[0], 100).error().text(),
            "error: m.onnx: tensor 'w': external data of a model without a file\n"
            "  [RIDGE-ONNX-0312]\n");
}

// The fallback for kernels without openat2 must reject the same locations.
TEST_F(External, TheWalkByComponentAgreesWithTheKernel) {
  folder_.make("model/w.bin", "12345678");
  folder_.make("model/sub/w.bin", "12345678");
  fs::create_symlink("w.bin", folder_.path("model/link"));
  fs::create_directory_symlink("sub", folder_.path("model/sublink"));
  fs::create_directory_symlink("..", folder_.path("model/up"));
  ASSERT_EQ(::mkfifo(folder_.path("model/pipe").c_str(), 0600), 0);
  const auto outcome = [&](const char* location, Resolution resolution) {
    const auto file = open_beneath(folder_.path("model"), location, nullptr, resolution);
    return file ? std::string("opened") : file.error().code();
  };
  for (const char* location :
       {"w.bin", "sub/w.bin", "./sub//w.bin", "link", "sublink/w.bin", "up/model/w.bin",
        "up/secret", "sub/../w.bin", "pipe", "sub", "none", "none/w.bin", "w.bin/x"}) {
    EXPECT_EQ(outcome(location, Resolution::kAuto), outcome(location, Resolution::kByComponent))
        << location;
  }
  EXPECT_EQ(outcome("sub/w.bin", Resolution::kByComponent), "opened");
  folder_.make("secret", "12345678");
  EXPECT_EQ(outcome("sublink/w.bin", Resolution::kByComponent), "opened");
  EXPECT_EQ(outcome("sub/../w.bin", Resolution::kByComponent), "opened");
  EXPECT_EQ(outcome("up/secret", Resolution::kByComponent), "RIDGE-ONNX-0302");
}

TEST(Location, MustBeRelativeAndStayBelow) {
  const auto why = [](std::string_view location) {
    const auto checked = check_location(location);
    return checked ? std::string("fine") : checked.error().message();
  };
  for (const char* fine : {"w.bin", "a/b/c", "..w", "a..b/...", "./w", "#frag", "w bin", "ab:c",
                           "sub dir/../w.bin", "a/b/../../w"}) {
    EXPECT_EQ(why(fine), "fine") << fine;
  }
  EXPECT_EQ(why(""), "external data location '' is empty");
  EXPECT_EQ(why("/etc/passwd"), "external data location '/etc/passwd' is an absolute path");
  EXPECT_EQ(why("C:\\w"), "external data location 'C:\\w' is an absolute path");
  EXPECT_EQ(why("c:w"), "external data location 'c:w' is an absolute path");
  EXPECT_EQ(why("\\\\host\\w"), "external data location '\\\\host\\w' contains a backslash");
  for (const char* out : {"..", "../w", "a/../../w", "a/../../a/w", "./.."}) {
    EXPECT_EQ(why(out),
              fmt::format("external data location '{}' leads outside the model's folder", out));
  }
  for (const char* folder : {"a/", "a/..", ".", "a/.", "a/b/.."})
    EXPECT_EQ(why(folder), fmt::format("external data location '{}' is a folder", folder));
  EXPECT_EQ(why(std::string_view("a\0b", 3)),
            std::string("external data location 'a\0b' contains a zero byte", 49));
  EXPECT_NE(why(std::string(5000, 'a')).find("is longer than any path"), std::string::npos);
}

TEST(Weights, LoadsFromTheArenaAndTheFile) {
  const testing::TemporaryFolder folder;
  const std::string big(5000, 'b');
  const Document d =
      read_file(folder.make("m.onnx", model("dims: 1250 data_type: 1 raw_data: \"" + big + "\"")))
          .value();
  EXPECT_EQ(text(load(d, d.model.graph.initializers[0], 5000).value()), big);
  EXPECT_EQ(load(d, d.model.graph.initializers[0], 4999).error().text(),
            "error: tensor 'w': the elements need 5000 bytes, the limit is 4999\n"
            "  [RIDGE-ONNX-0313]\n");
  const Document small = read_bytes(model("data_type: 1 raw_data: \"1234\""), "m").value();
  EXPECT_EQ(text(load(small, small.model.graph.initializers[0], 4).value()), "1234");
}

TEST(Weights, AFileThatBecameShorterIsAnError) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.make(
      "m.onnx", model("dims: 1250 data_type: 1 raw_data: \"" + std::string(5000, 'b') + "\""));
  const Document d = read_file(path).value();
  fs::resize_file(path, 1000);
  EXPECT_EQ(load(d, d.model.graph.initializers[0], 5000).error().code(), "RIDGE-IO-0004");
}

TEST(Weights, StrippedAndTextTensorsHaveNoBytes) {
  const Document d = read_bytes(model("dims: 4 data_type: 1"), "m").value();
  EXPECT_EQ(load(d, d.model.graph.initializers[0], 100).error().message(),
            "the file does not contain the tensor's elements");
  const Document s = read_bytes(model("data_type: 8 string_data: \"a\""), "m").value();
  EXPECT_EQ(load(s, s.model.graph.initializers[0], 100).error().message(),
            "string elements have no packed form");
  const Document none = read_bytes(model("dims: 0 data_type: 1"), "m").value();
  EXPECT_TRUE(load(none, none.model.graph.initializers[0], 0).value().empty());
}

Tensor seeded(DataType type, std::int64_t elements, SeededTensor recipe) {
  Tensor t;
  t.name = "w";
  t.type = type;
  t.elements = elements;
  t.storage = Storage::kSeeded;
  t.recipe = recipe;
  return t;
}

TEST(Seeded, ElementsDoNotDependOnHowTheyAreCut) {
  const Document d;
  const Tensor t = seeded(DataType::kFloat, 700'000, {.seed = 7, .mean = 0.5F, .scale = 2});
  const auto all = load(d, t, 1 << 30).value();
  ASSERT_EQ(all.size(), 2'800'000U);
  std::vector<float> expected(700'000);
  fill(t.recipe, 0, expected);
  EXPECT_EQ(std::memcmp(all.data(), expected.data(), all.size()), 0);
  std::vector<std::byte> part(4000);
  ASSERT_TRUE(generate(t.recipe, t.type, 300'001, part).ok());
  EXPECT_EQ(std::memcmp(part.data(), all.data() + 4 * 300'001, part.size()), 0);
}

/// Value of a half-precision number, by the definition in IEEE 754.
double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Seeded, NarrowFloatsAreTheNearest) {
  for (const float scale : {1e-7F, 3e-5F, 1.0F, 60000.0F}) {
    const SeededTensor recipe{.seed = 3, .mean = 0, .scale = scale};
    std::vector<float> exact(2000);
    fill(recipe, 0, exact);
    std::vector<std::byte> bytes(4000);
    ASSERT_TRUE(generate(recipe, DataType::kFloat16, 0, bytes).ok());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      std::uint16_t half = 0;
      std::memcpy(&half, &bytes[2 * i], 2);
      const double error = std::fabs(half_value(half) - static_cast<double>(exact[i]));
      const auto neighbor = [&](int step) {
        return std::fabs(half_value(static_cast<std::uint16_t>(half + step)) -
                         static_cast<double>(exact[i]));
      };
      ASSERT_LE(error, neighbor(1)) << exact[i];
      ASSERT_TRUE((half & 0x7fff) == 0 || error <= neighbor(-1)) << exact[i];
    }
    ASSERT_TRUE(generate(recipe, DataType::kBfloat16, 0, bytes).ok());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      std::uint16_t top = 0;
      std::memcpy(&top, &bytes[2 * i], 2);
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(top) << 16);
      ASSERT_LE(std::fabs(value - exact[i]), std::fabs(exact[i]) / 256) << exact[i];
    }
  }
}

TEST(Seeded, IntegersAreRoundedIntoTheirRange) {
  std::vector<std::byte> bytes(1000);
  ASSERT_TRUE(generate({.seed = 1, .mean = 0, .scale = 1000}, DataType::kInt8, 0, bytes).ok());
  const auto [low, high] = std::ranges::minmax_element(
      bytes, {}, [](std::byte b) { return static_cast<std::int8_t>(b); });
  EXPECT_EQ(static_cast<std::int8_t>(*low), -128);
  EXPECT_EQ(static_cast<std::int8_t>(*high), 127);
  ASSERT_TRUE(generate({.seed = 1, .mean = 5, .scale = 0}, DataType::kUint8, 0, bytes).ok());
  EXPECT_EQ(std::ranges::count(bytes, std::byte{5}), 1000);
  EXPECT_EQ(generate({}, DataType::kFloat8E5M2, 0, bytes).error().text(),
            "error: float8_e5m2 elements cannot be generated from a seed\n  [RIDGE-ONNX-0314]\n");
}

}  // namespace
}  // namespace ridge::onnx
