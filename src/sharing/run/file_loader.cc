// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/file_loader.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/hash/sha256.h"
#include "base/text.h"
#include "ipc/process.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/line.h"
#include "sharing/run/load_child.h"

namespace ridge::sharing {
namespace {

/// An ended child is waited for so long: it ends right after its socket.
constexpr Nanos kUntilReaped{1'000'000'000};

class SealedResident final : public Resident {
 public:
  SealedResident(ipc::Descriptor memory, FileLoaded facts)
      : memory_(std::move(memory)), facts_(std::move(facts)) {}

  Bytes bytes() const override { return facts_.bytes; }
  const std::string& about() const override { return facts_.sha256; }
  Result<Given> give() override {
    Given out;
    out.files.emplace_back(::fcntl(memory_.get(), F_DUPFD_CLOEXEC, 0));
    if (out.files.back().is_open()) return out;
    return environment_error("RIDGE-SHARE-0035", "the daemon has too few file descriptors")
        .evidence(std::generic_category().message(errno))
        .hint("raise its limit: ulimit -n");
  }

 private:
  ipc::Descriptor memory_;
  FileLoaded facts_;
};

class FileLoading final : public Work<std::unique_ptr<Resident>> {
 public:
  FileLoading(ipc::Process::Started started, const LoadFile& file)
      : process_(std::move(started.process)),
        control_(std::move(started.control)),
        line_(std::move(started.channel), {.most_files = 1}),
        path_(file.path) {
    line_.send(LoadKind::kLoadFile, record::to_binary(file));
    line_.write();  // it fits into an empty socket
  }

  int descriptor() const override { return line_.descriptor(); }

  std::optional<Result<std::unique_ptr<Resident>>> finish() override {
    line_.read();
    if (auto frame = line_.next()) return take(std::move(*frame));
    if (line_.state() == Line::State::kOpen) return std::nullopt;
    return Result<std::unique_ptr<Resident>>(ended());
  }

 private:
  Result<std::unique_ptr<Resident>> take(LineFrame frame) {
    if (frame.kind == LoadKind::kLoadFailed)
      if (auto failure = record::from_binary<Failure>(frame.payload); failure && failure->error)
        return std::move(*failure->error);
    if (frame.kind == LoadKind::kFileLoaded && frame.files.size() == 1)
      if (auto facts = record::from_binary<FileLoaded>(frame.payload))
        return std::unique_ptr<Resident>(
            std::make_unique<SealedResident>(std::move(frame.files[0]), std::move(*facts)));
    return ended();
  }

  Error ended() {
    const auto status = process_.wait(steady_clock().now() + kUntilReaped);
    Error out = environment_error(
        "RIDGE-SHARE-0034",
        fmt::format("the process that loaded it {}",
                    status ? ipc::describe_end(*status) : "answers with what is no message"));
    if (const std::string words = process_.last_words(); !words.empty())
      out = std::move(out).evidence(printable(words));
    return std::move(out).in_file(path_);
  }

  ipc::Process process_;
  ipc::Descriptor control_;
  Line line_;
  std::string path_;
};

}  // namespace

Result<Subject> FileLoader::identify(const Ask& ask) {
  if (ask.level == Level::kTemplates)
    return environment_error("RIDGE-SHARE-0033", "this daemon has no templates of sessions")
        .hint("lease weights, or load the model in this program")
        .in_file(ask.model);
  if (!ask.model.starts_with('/'))
    return input_error("RIDGE-SHARE-0037", "is neither an absolute path nor a key")
        .hint("a key has 8 hexadecimal digits or more: ridge share list shows them")
        .in_file(ask.model);
  const FileVersion version = TRY(version_at(ask.model));
  return Subject{.key = sha256_of(record::to_binary(version)),
                 .model = ask.model,
                 .expected = Bytes{version.bytes}};
}

Result<std::unique_ptr<Work<std::unique_ptr<Resident>>>> FileLoader::load(const Ask& ask,
                                                                          const Subject& subject) {
  const FileVersion version = TRY(version_at(ask.model));
  if (sha256_of(record::to_binary(version)) != subject.key)
    return input_error("RIDGE-SHARE-0036", "the file was changed before it was loaded")
        .hint("ask again")
        .in_file(ask.model);
  ipc::Process::Started started = TRY(ipc::Process::start(program_, kLoadArgument));
  return std::unique_ptr<Work<std::unique_ptr<Resident>>>(
      std::make_unique<FileLoading>(std::move(started), LoadFile{ask.model, version, !ask.wait}));
}

}  // namespace ridge::sharing
