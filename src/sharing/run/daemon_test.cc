// SPDX-License-Identifier: Apache-2.0
// Leases of files from a daemon: what is granted, and what failures do.
#include "sharing/run/daemon.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash/sha256.h"
#include "sharing/run/file_loader.h"
#include "sharing/run/testing/served.h"

namespace ridge::sharing {
namespace {

using testing::error_text;
using testing::kTestPatience;
using testing::ServedDaemon;

Ask weights(const std::string& model, bool wait = true) {
  return {.what = What::kWeights, .model = model, .wait = wait};
}

std::string content_of(const ipc::Descriptor& memory) {
  std::string out(static_cast<std::size_t>(::lseek(memory.get(), 0, SEEK_END)), '\0');
  EXPECT_EQ(::pread(memory.get(), out.data(), out.size(), 0), std::ssize(out));
  return out;
}

/// Counts the loads of another.
class CountingLoader final : public Loader {
 public:
  Result<Subject> identify(const Ask& ask) override { return files_.identify(ask); }
  Result<std::unique_ptr<Work<std::unique_ptr<Resident>>>> load(const Ask& ask,
                                                                const Subject& subject) override {
    ++loads;
    return files_.load(ask, subject);
  }
  std::atomic<int> loads = 0;

 private:
  FileLoader files_{"/proc/self/exe"};
};

TEST(ShareDaemon, GrantsTheBytesOfAFileOnceItIsLoaded) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  const std::string file = daemon.files().write("model.onnx", "weights");
  Client client = daemon.client();
  const Leased first = client.lease(weights(file), kTestPatience);
  ASSERT_TRUE(first.lease) << error_text(first.why);
  EXPECT_FALSE(first.lease->grant().hit);
  EXPECT_EQ(content_of(first.lease->files().at(0)), "weights");
  EXPECT_EQ(first.lease->grant().about, sha256_of("weights"));
  const Leased second = client.lease(weights(file));
  ASSERT_TRUE(second.lease);
  EXPECT_TRUE(second.lease->grant().hit);
  EXPECT_EQ(second.lease->grant().key, first.lease->grant().key);
}

TEST(ShareDaemon, OneWhoDoesNotWaitIsToldToLoadByItself) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  const std::string file = daemon.files().write("model.onnx", "weights");
  Client client = daemon.client();
  const Leased first = client.lease(weights(file, false));
  EXPECT_EQ(error_text(first.why), "error: " + file +
                                       ": the model is not leased now\n"
                                       "  it is not loaded yet\n"
                                       "  [RIDGE-SHARE-0023]\n");
  const Leased second = client.lease(weights(file), kTestPatience);
  EXPECT_TRUE(second.lease);
}

// TrIMS maps the weights for writing by every client.
TEST(ShareDaemon, NobodyCanWriteThroughALease) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  const std::string file = daemon.files().write("model.onnx", "weights");
  Client client = daemon.client();
  const Leased leased = client.lease(weights(file), kTestPatience);
  ASSERT_TRUE(leased.lease);
  const int memory = leased.lease->files()[0].get();
  EXPECT_EQ(::mmap(nullptr, 7, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0), MAP_FAILED);
  EXPECT_EQ(::pwrite(memory, "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(memory, 1), -1);
  // Nor by opening it anew for writing.
  const ipc::Descriptor anew(
      ::open(("/proc/self/fd/" + std::to_string(memory)).c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_TRUE(!anew.is_open() || ::pwrite(anew.get(), "x", 1, 0) == -1);
  EXPECT_EQ(content_of(leased.lease->files()[0]), "weights");
}

// In TrIMS a name is a model, whatever it was when it was loaded.
TEST(ShareDaemon, AFileThatWasChangedIsAnotherObject) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  const std::string file = daemon.files().write("model.onnx", "weights");
  Client client = daemon.client();
  const Leased before = client.lease(weights(file), kTestPatience);
  daemon.files().write("other", "others!");
  std::filesystem::rename(daemon.folder() + "/other", file);
  const Leased after = client.lease(weights(file), kTestPatience);
  ASSERT_TRUE(before.lease && after.lease);
  EXPECT_NE(before.lease->grant().key, after.lease->grant().key);
  EXPECT_EQ(content_of(before.lease->files()[0]), "weights");
  EXPECT_EQ(content_of(after.lease->files()[0]), "others!");
}

// TrIMS keeps pointers to memory that it has freed.
TEST(ShareDaemon, MemoryOfALeaseStaysAfterTheDaemon) {
  FileLoader loader("/proc/self/exe");
  std::optional<ServedDaemon> daemon(std::in_place, DaemonOptions{}, loader);
  const std::string file = daemon->files().write("model.onnx", "weights");
  Client client = daemon->client();
  const Leased leased = client.lease(weights(file), kTestPatience);
  ASSERT_TRUE(leased.lease);
  daemon.reset();
  EXPECT_EQ(content_of(leased.lease->files()[0]), "weights");
  EXPECT_EQ(client.list().error().text(),
            "error: the daemon of ridge share has ended\n"
            "  hint: ask again: another is started on demand\n  [RIDGE-SHARE-0021]\n");
}

TEST(ShareDaemon, AThousandQuestionsAtOnceLoadOnce) {
  CountingLoader loader;
  const ServedDaemon daemon({}, loader);
  const std::string file = daemon.files().write("model.onnx", std::string(1 << 20, 'w'));
  std::vector<Line> lines;
  for (int i = 0; i < 100; ++i) {
    Line& line = lines.emplace_back(daemon.line());
    line.send(MessageKind::kHello, record::to_binary(Hello{kProtocol, "test"}));
    Ask ask = weights(file);
    for (ask.id = 1; ask.id <= 10; ++ask.id) line.send(MessageKind::kAsk, record::to_binary(ask));
    line.write();
  }
  int granted = 0;
  for (Line& line : lines)
    for (int i = 0; i < 11; ++i) {
      const auto frame = receive_frame(line, steady_clock().now() + kTestPatience);
      ASSERT_TRUE(frame);
      if (frame->kind == MessageKind::kGrant && frame->files.size() == 1) ++granted;
    }
  EXPECT_EQ(granted, 1000);
  EXPECT_EQ(loader.loads, 1);
}

TEST(ShareDaemon, AFailedLoadFailsAllWithItsReason) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  const std::string folder = daemon.folder() + "/folder";
  std::filesystem::create_directory(folder);
  Client client = daemon.client();
  EXPECT_EQ(error_text(client.lease(weights(folder), kTestPatience).why),
            "error: " + folder +
                ": is a folder, not a file\n"
                "  hint: give the path of a file\n  [RIDGE-IO-0002]\n");
  EXPECT_EQ(error_text(client.lease(weights("/no/such file")).why),
            "error: /no/such file: the file cannot be looked at: No such file or directory\n"
            "  [RIDGE-SHARE-0032]\n");
  EXPECT_EQ(error_text(client.lease(weights("model.onnx")).why),
            "error: model.onnx: is neither an absolute path nor a key\n"
            "  hint: a key has 8 hexadecimal digits or more: ridge share list shows them\n"
            "  [RIDGE-SHARE-0037]\n");
  EXPECT_TRUE(client.list()->objects.empty());
}

TEST(ShareDaemon, ASessionIsRefusedWhereThereAreNoTemplates) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  Client client = daemon.client();
  EXPECT_EQ(error_text(client.lease({.what = What::kSession, .model = "/m.onnx"}).why),
            "error: /m.onnx: this daemon has no templates of sessions\n"
            "  hint: lease weights, or load the model in this program\n  [RIDGE-SHARE-0033]\n");
}

TEST(ShareDaemon, EvictsTheOldestForRoomAndNeverWhatIsLeased) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({.memory = Bytes{100}}, loader);
  Client client = daemon.client();
  const std::string a = daemon.files().write("a", std::string(60, 'a')),
                    b = daemon.files().write("b", std::string(60, 'b')),
                    c = daemon.files().write("c", std::string(101, 'c'));
  Leased first = client.lease(weights(a), kTestPatience);
  ASSERT_TRUE(first.lease);
  EXPECT_EQ(error_text(client.lease(weights(b), kTestPatience).why),
            "error: " + b +
                ": the model is not leased now\n"
                "  there is no memory left: all else is leased, pinned or kept\n"
                "  [RIDGE-SHARE-0023]\n");
  first.lease.reset();
  EXPECT_TRUE(client.lease(weights(b), kTestPatience).lease);
  EXPECT_EQ(client.list()->objects.size(), 1U);
  EXPECT_EQ(error_text(client.lease(weights(c)).why),
            "error: " + c +
                ": the model is not leased now\n  it is larger than the daemon's budget\n"
                "  [RIDGE-SHARE-0023]\n");
}

TEST(ShareDaemon, PinsUnpinsEvictsAndFlushes) {
  FileLoader loader("/proc/self/exe");
  const ServedDaemon daemon({}, loader);
  Client client = daemon.client();
  const std::string a = daemon.files().write("a", "aaa"), b = daemon.files().write("b", "bbb");
  const auto order = [&](What what, const std::string& model) {
    const auto done = client.order({.what = what, .model = model, .wait = true}, kTestPatience);
    return done.ok() ? std::string("done") : done.error().text();
  };
  EXPECT_EQ(order(What::kPin, a), "done");
  EXPECT_EQ(order(What::kEvict, a), "error: " + a +
                                        ": the model is pinned\n  hint: ridge share unpin first\n"
                                        "  [RIDGE-SHARE-0052]\n");
  EXPECT_EQ(order(What::kUnpin, a), "done");
  EXPECT_EQ(order(What::kUnpin, a), "error: " + a +
                                        ": the model is not pinned\n"
                                        "  hint: ridge share list shows what is\n"
                                        "  [RIDGE-SHARE-0054]\n");
  Leased leased = client.lease(weights(b), kTestPatience);
  ASSERT_TRUE(leased.lease);
  EXPECT_EQ(order(What::kEvict, b),
            "error: " + b +
                ": the model is leased\n"
                "  hint: it can be evicted once its last lease has ended\n  [RIDGE-SHARE-0051]\n");
  const auto flushed = client.order({.what = What::kFlush});
  ASSERT_TRUE(flushed.ok());
  EXPECT_EQ(flushed->done, 1U);
  EXPECT_EQ(flushed->spared, 1U);
  EXPECT_EQ(order(What::kEvict, a), "error: " + a +
                                        ": the daemon has no such model\n"
                                        "  hint: ridge share list shows what it has\n"
                                        "  [RIDGE-SHARE-0050]\n");
  const std::string key = leased.lease->grant().key;
  leased.lease.reset();
  EXPECT_EQ(order(What::kEvict, key.substr(0, 8)), "done");
  EXPECT_TRUE(client.list()->objects.empty());
}

TEST(ShareDaemon, EndsOnceNobodyIsThereForLong) {
  FileLoader loader("/proc/self/exe");
  ServedDaemon daemon({.idle_exit = Nanos{1'000'000'000}}, loader);
  { const Client client = daemon.client(); }
  daemon.join();
  EXPECT_TRUE(daemon.ended());
  EXPECT_EQ(Client::connect(daemon.folder()).error().code(), "RIDGE-SHARE-0006");
}

TEST(ShareDaemon, EndsAtTheNextLookWhenAFlagIsSet) {
  std::atomic<bool> stop = true;
  FileLoader loader("/proc/self/exe");
  ServedDaemon daemon({.stop = &stop}, loader);
  daemon.join();
  EXPECT_TRUE(daemon.ended());
}

}  // namespace
}  // namespace ridge::sharing
