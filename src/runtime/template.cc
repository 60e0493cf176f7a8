// SPDX-License-Identifier: Apache-2.0
#include "runtime/template.h"

#include <string>
#include <string_view>
#include <utility>

#include "ipc/process.h"
#include "runtime/connection.h"
#include "runtime/messages.h"
#include "runtime/opening.h"

namespace ridge::runtime {

struct Template::Process {
  Process(const Options& options, ipc::Process::Started started, Opening folders)
      : opening(std::move(folders)),
        connection(options, std::move(started.process), std::move(started.channel),
                   std::move(started.control)) {}

  Opening opening;  // its folders outlive the process
  Connection connection;
  RuntimeInfo info;
  Loaded loaded;
};

Template::Template(std::unique_ptr<Process> process) : process_(std::move(process)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

const RuntimeInfo& Template::info() const { return process_->info; }
const Loaded& Template::loaded() const { return process_->loaded; }
bool Template::alive() const { return !process_->connection.has_ended(); }
pid_t Template::process() const { return process_->connection.process_id(); }

std::optional<ipc::ProcessMemory> Template::memory() const {
  if (!alive()) return std::nullopt;
  return ipc::memory_of(process_->connection.process_id());
}

Result<Template> Template::start(const Options& options, const LoadRequest& request,
                                 HugePages huge_pages) {
  Opening opening = TRY(Opening::of(options));
  opening.call.huge_pages = huge_pages == HugePages::kWherePossible;
  const std::string open = encode(opening.call);
  auto process = std::make_unique<Process>(
      options, TRY(ipc::Process::start(options.program, kTemplateArgument)), std::move(opening));
  const ipc::Message opened = TRY(process->connection.call(Kind::kOpen, open, "opening it"));
  process->info = TRY(decode<OpenReply>(opened.payload)).info;

  PackedWeights packed = pack(request.weights);
  const LoadCall call{std::string(request.model), std::move(packed.entries), request.dump,
                      request.arena_reach, request.form};
  const ipc::Message loaded =
      TRY(process->connection.call(Kind::kLoad, encode(call), "loading the model", packed.files));
  process->loaded = TRY(decode<Loaded>(loaded.payload));
  return Template(std::move(process));
}

Result<Forked> Template::fork() {
  ipc::ChildSockets sockets = TRY(ipc::ChildSockets::make());
  ipc::Message answer = TRY(process_->connection.call(
      Kind::kFork, {}, "being copied",
      {sockets.their_channel.get(), sockets.their_control.get(), sockets.output.get()}));
  const ForkReply reply = TRY(decode<ForkReply>(answer.payload));
  Forked forked{.process = static_cast<pid_t>(reply.process),
                .handle = {},
                .channel = std::move(sockets.channel),
                .control = std::move(sockets.control),
                .output = std::move(sockets.output)};
  if (!answer.files.empty()) forked.handle = std::move(answer.files[0]);
  return forked;
}

}  // namespace ridge::runtime
