// SPDX-License-Identifier: Apache-2.0
// Whole files: the reference networks if available, and files that must not be loaded into memory.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/weights.h"
#include "onnx/writer.h"

namespace ridge::onnx {
namespace {

namespace fs = std::filesystem;
using testing::varint;
using testing::wire;

std::vector<std::string> reference_models() {
  std::vector<std::string> paths;
  const char* shared = std::getenv("RIDGE_SHARED");
  const fs::path folder = fs::path(shared != nullptr ? shared : "../shared") / "models";
  if (!fs::is_directory(folder)) return paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(ReferenceModels, SurviveWritingAndReading) {
  const std::vector<std::string> paths = reference_models();
  if (paths.empty()) GTEST_SKIP() << "the reference networks are not here";
  for (const std::string& path : paths) {
    const Document d = read_file(path).value();
    const std::string once = write_bytes(d).value();
    const Document again = read_bytes(once, path).value();
    EXPECT_EQ(again.model.graph.nodes.size(), d.model.graph.nodes.size()) << path;
    EXPECT_TRUE(write_bytes(again).value() == once) << path;
  }
}

TEST(ReferenceModels, DamageIsAnErrorOrAnotherModel) {
  const std::vector<std::string> paths = reference_models();
  if (paths.empty()) GTEST_SKIP() << "the reference networks are not here";
  const std::string bytes = ridge::read_file(paths.front(), 1 << 30).value();
  std::size_t refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x81);
    refused += read_bytes(damaged, "damaged").ok() ? 0 : 1;
  }
  EXPECT_GT(refused, bytes.size() / 10);
  EXPECT_LT(refused, bytes.size());
}

/// Model whose only weight, `elements` float32, is a hole in the file.
std::string sparse_model(const testing::TemporaryFolder& folder, std::int64_t elements) {
  const auto bytes = static_cast<std::uint64_t>(elements) * 4;
  const std::string before =
      wire(fmt::format("dims: {} data_type: 1 name: \"w\"", elements), "tensor") +
      varint(9 << 3 | 2) + varint(bytes);
  const std::string after = wire("node { op_type: \"Relu\" name: \"behind\" }", "graph");
  const std::uint64_t tensor = before.size() + bytes;
  const std::string tensor_head = varint(5 << 3 | 2) + varint(tensor);
  const std::string head = wire("ir_version: 8") + varint(7 << 3 | 2) +
                           varint(tensor_head.size() + tensor + after.size()) + tensor_head +
                           before;
  std::string path = folder.make("big.onnx", head);
  const int fd = ::open(path.c_str(), O_WRONLY);
  const std::string tail = after + wire("opset_import { version: 17 }");
  const auto end = static_cast<off_t>(head.size() + bytes);
  if (::pwrite(fd, tail.data(), tail.size(), end) != static_cast<ssize_t>(tail.size())) {
    throw std::runtime_error("cannot make a sparse file");
  }
  ::close(fd);
  return path;
}

TEST(LargeFiles, WeightsOfManyGigabytesStayInTheFile) {
  const testing::TemporaryFolder folder;
  const std::int64_t elements = std::int64_t{5} << 30;
  const std::string path = sparse_model(folder, elements);
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  const Document d = read_file(path).value();
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LE(after.ru_maxrss - before.ru_maxrss, 8 << 10);  // KiB
  const Tensor& w = d.model.graph.initializers[0];
  EXPECT_EQ(w.storage, Storage::kFile);
  EXPECT_EQ(w.length, elements * 4);
  EXPECT_EQ(d.model.graph.nodes[0].name, "behind");
  EXPECT_EQ(locate(d, w).value().length, elements * 4);
  // It is too large to be written inline, but its structure can be written.
  EXPECT_EQ(write_bytes(d).error().code(), "RIDGE-ONNX-0401");
  EXPECT_TRUE(write_bytes(d, {.weights = Weights::kDetached}).ok());
}

}  // namespace
}  // namespace ridge::onnx
