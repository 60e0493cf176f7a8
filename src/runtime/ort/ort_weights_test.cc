// SPDX-License-Identifier: Apache-2.0
// Transfer of weights into a real ONNX Runtime: which are copied, and the fate of the files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/temporary_folder.h"
#include "onnx/writer.h"
#include "runtime/runtime.h"
#include "runtime/testing/child_status.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/models.h"

namespace ridge::runtime {
namespace {

constexpr std::int64_t kSide = 4096;
constexpr std::int64_t kWeightKiB = kSide * kSide * 4 / 1024;
constexpr std::int64_t kSmallSide = 256;  // a weight just large enough for a file
const std::string kInMemory = "/dev/shm";

/// product(side) and its weight, which can be moved to a file.
struct Model {
  onnx::Document document;
  std::string bytes;
  std::vector<Weight> weights;

  explicit Model(std::int64_t side) : document(product(side)) {
    bytes = expect_ok(onnx::write_bytes(document, {.weights = onnx::Weights::kDetached}));
    onnx::WeightLocator locator(document);
    const onnx::Tensor& tensor = document.model.graph.initializers[0];
    weights.push_back(expect_ok(weight_of(locator, tensor.name, tensor)));
  }
  /// Moves the weight to a file, at this offset.
  std::shared_ptr<const File> put_into(const std::string& path, std::int64_t offset) {
    const onnx::Tensor& tensor = document.model.graph.initializers[0];
    const auto elements = expect_ok(onnx::load(document, tensor, std::int64_t{1} << 30));
    std::string content(static_cast<std::size_t>(offset), '.');
    content.append(reinterpret_cast<const char*>(elements.data()), elements.size());
    expect_ok(write_file(path, content));
    auto file = std::make_shared<const File>(expect_ok(File::open(path)));
    weights[0].elements = onnx::WeightRange{file, offset, std::ssize(elements)};
    return file;
  }
};

/// Runtime with the model loaded.
struct ReadyWeights {
  Runtime runtime;
  Loaded loaded;
  testing::ResidentMemory memory;
  Inputs inputs;

  explicit ReadyWeights(const Model& model, const Options& options = {})
      : runtime(expect_ok(Runtime::spawn(options))),
        loaded(expect_ok(runtime.load(
            {.model = model.bytes, .weights = model.weights, .dump = Dump::kNothing}))),
        memory(testing::status_of_child().memory),
        inputs(expect_ok(Inputs::make({{.name = loaded.graph.inputs[0].name,
                                        .type = loaded.graph.inputs[0].type,
                                        .dims = loaded.graph.inputs[0].dims}}))) {
    expect_ok(runtime.set_inputs(loaded.session, inputs));
  }
  std::string output() {
    const Outputs outputs = expect_ok(runtime.outputs(loaded.session));
    const std::span<const std::byte> bytes = outputs.tensors.at(0).bytes;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

Options copying() {
  Options options;
  options.memory_folder = "";
  return options;
}

bool has_room() {
  std::error_code failed;
  const auto space = std::filesystem::space(kInMemory, failed);
  return !failed && space.available > space.capacity / 4 + (std::uintmax_t{80} << 20);
}

TEST(OrtWeights, AreNotCopiedWhereverTheyLie) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  if (!has_room()) GTEST_SKIP() << "needs 80 MiB of memory below /dev/shm";
  Model model(kSide);
  const std::int64_t bare = ReadyWeights(Model(kSmallSide)).memory.anonymous;
  std::string expected;
  {
    ReadyWeights copied(model, copying());
    EXPECT_GT(copied.memory.anonymous, bare + kWeightKiB);
    expected = copied.output();
  }
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(::testing::TempDir()));
  const auto expect_no_copy = [&](const char* what) {
    ReadyWeights mapped(model);
    EXPECT_LT(mapped.memory.anonymous, bare + kWeightKiB / 8) << what;
    EXPECT_TRUE(mapped.output() == expected) << what;
  };
  expect_no_copy("seeded");
  for (const std::int64_t offset : {0, 64, 4, 9}) {
    model.put_into(folder.path() + "/weights", offset);
    expect_no_copy(offset % 64 == 0 ? "in the user's file" : "not aligned there");
  }
}

TEST(OrtWeights, LeaveNothingBehind) {
  Options options;
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(kInMemory));
  options.memory_folder = folder.path();
  const auto files = [&] {
    using Walk = std::filesystem::recursive_directory_iterator;
    return std::count_if(Walk(folder.path()), Walk(),
                         [](const auto& entry) { return entry.is_regular_file(); });
  };
  {
    ReadyWeights ready(Model(kSmallSide), options);
    EXPECT_EQ(files(), 0);
    EXPECT_TRUE(ready.output() == ReadyWeights(Model(kSmallSide), copying()).output());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(OrtWeights, AFolderOnDiskHoldsNone) {
  Options options;
  options.memory_folder = "/proc";  // not usable: not on tmpfs, not writable
  EXPECT_TRUE(ReadyWeights(Model(kSmallSide), options).output() ==
              ReadyWeights(Model(kSmallSide), copying()).output());
}

TEST(OrtWeights, FilesMayHaveAnyName) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(::testing::TempDir()));
  Model model(kSmallSide);
  const std::string expected = ReadyWeights(model, copying()).output();
  for (const char* name : {"a b", "%41", "a\\b", "\"", "..a", "a\nb", "\xc3\xa4", "\xff"}) {
    model.put_into(folder.path() + "/" + name, 64);
    EXPECT_TRUE(ReadyWeights(model).output() == expected) << name;
  }
  // Under two names, and through a symbolic link.
  model.put_into(folder.path() + "/real", 64);
  std::filesystem::create_hard_link(folder.path() + "/real", folder.path() + "/twin");
  std::filesystem::create_symlink(folder.path() + "/real", folder.path() + "/link");
  const auto link = std::make_shared<const File>(expect_ok(File::open(folder.path() + "/link")));
  std::get<onnx::WeightRange>(model.weights[0].elements).file = link;
  EXPECT_TRUE(ReadyWeights(model).output() == expected);
}

TEST(OrtWeights, AFileThatWasReplacedIsReadAsItWasOpened) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(::testing::TempDir()));
  Model model(kSmallSide);
  const std::string expected = ReadyWeights(model, copying()).output();
  for (const char* after : {"replaced", "removed"}) {
    const auto file = model.put_into(folder.path() + "/weights", 64);
    if (after == std::string("removed")) {
      std::filesystem::remove(file->path());
    } else {
      expect_ok(write_file(file->path(), std::string(static_cast<std::size_t>(file->size()), 'x')));
    }
    EXPECT_TRUE(ReadyWeights(model).output() == expected) << after;
  }
}

TEST(OrtWeights, AFileThatIsCutIsNamedAsTheCause) {
  if (kSanitized) GTEST_SKIP() << "sanitizers handle the signal themselves";
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make(::testing::TempDir()));
  Model model(kSmallSide);
  const auto file = model.put_into(folder.path() + "/weights", 64);
  ReadyWeights ready(model);
  ASSERT_EQ(::truncate(file->path().c_str(), 0), 0);
  const Result<Outputs> outputs = ready.runtime.outputs(ready.loaded.session);
  ASSERT_FALSE(outputs.ok());
  EXPECT_EQ(outputs.error().text(),
            "error: the runtime could not read its memory while running the model\n"
            "  hint: a file that it has mapped became shorter: leave the model and its data alone "
            "until ridge is done\n"
            "  [RIDGE-RT-0018]\n");
}

TEST(OrtWeights, ADumpWithWeightsHoldsThem) {
  const Model model(kSmallSide);
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const Loaded loaded = expect_ok(
      runtime.load({.model = model.bytes, .weights = model.weights, .dump = Dump::kWeights}));
  EXPECT_GT(std::ssize(loaded.graph.model), kSmallSide * kSmallSide * 4);
}

TEST(OrtWeights, AModelThatIsRefusedIsRefusedInTheSameWords) {
  Model model(kSmallSide);
  const std::size_t at = model.bytes.find("MatMul");
  ASSERT_NE(at, std::string::npos);
  model.bytes.replace(at, 6, "MatNil");
  const auto refusal = [&](const Options& options) {
    Runtime runtime = expect_ok(Runtime::spawn(options));
    return runtime.load({.model = model.bytes, .weights = model.weights}).error().text();
  };
  EXPECT_EQ(refusal({}), refusal(copying()));
}

}  // namespace
}  // namespace ridge::runtime
