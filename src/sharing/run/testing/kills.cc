// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/testing/kills.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <array>
#include <string_view>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash/sha256.h"
#include "ipc/descriptor.h"

namespace ridge::sharing::testing {
namespace {

constexpr std::size_t kSmallBytes = std::size_t{64} << 10, kLargeBytes = std::size_t{24} << 20;
constexpr Nanos kPatienceOfTests{20'000'000'000};
constexpr std::string_view kMemoryName = "/memfd:ridge-share";

void sleep_for(std::int64_t nanoseconds) {
  const timespec time{0, nanoseconds};
  ::nanosleep(&time, nullptr);
}

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t i = 0; i < size; i += 8) {
    const std::uint64_t value = random();
    out.replace(i, 8, reinterpret_cast<const char*>(&value), 8);
  }
  return out;
}

void kill_and_wait(ipc::Process& process) {
  ::kill(process.id(), SIGKILL);
  process.wait(steady_clock().now() + kPatienceOfTests);
}

Ask weights_of(const std::string& file) {
  return {.what = What::kWeights, .model = file, .wait = true};
}

}  // namespace

KillTrials::KillTrials(std::string folder, std::uint64_t seed)
    : folder_(std::move(folder)),
      small_(folder_ + "/small"),
      large_(folder_ + "/large"),
      random_(seed) {}

std::string KillTrials::start() {
  const std::string small = random_bytes(random_, kSmallBytes);
  small_hash_ = sha256_of(small);
  if (!write_file(small_, small).ok() ||
      !write_file(large_, random_bytes(random_, kLargeBytes)).ok())
    return "no files";
  return start_daemon();
}

std::string KillTrials::start_daemon() {
  bystander_.reset();
  daemon_ = start_daemon_role(folder_);
  if (!daemon_.running()) return "the daemon does not start";
  auto client = Client::connect(folder_);
  if (!client.ok()) return client.error().text();
  bystander_ = std::make_unique<Bystander>(Bystander{std::move(*client), nullptr});
  Leased leased = bystander_->client.lease(weights_of(small_), kPatienceOfTests);
  if (!leased.lease) return leased.why->text();
  bystander_->lease = std::move(leased.lease);
  if (const std::string busy = await_quiet(); !busy.empty()) return busy;
  descriptors_ = descriptors_of(daemon_.id());
  return {};
}

/// The lease of the bystander has the bytes of the file, and its client is answered.
std::string KillTrials::check_bystander() {
  const auto mapped = ipc::Mapping::map(bystander_->lease->files()[0].get(), kSmallBytes,
                                        ipc::Mapping::Access::kRead);
  if (!mapped.ok()) return mapped.error().text();
  const auto bytes = mapped->bytes();
  if (sha256_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) != small_hash_)
    return "the bystander's memory has changed";
  return {};
}

std::string KillTrials::not_quiet(const ShareList& list) const {
  if (list.clients != 1) return fmt::format("{} clients", list.clients);
  for (const ShareObject& o : list.objects) {
    if (o.state != State::kReady) return fmt::format("{} is {}", o.model, word(o.state));
    if (o.leases != (o.model == small_ ? 1U : 0U))
      return fmt::format("{} has {} leases", o.model, o.leases);
  }
  if (list.objects.size() != 1) return fmt::format("{} objects", list.objects.size());
  if (!children_of(daemon_.id()).empty()) return "the daemon has a child";
  if (const std::size_t n = descriptors_of(daemon_.id(), kMemoryName); n != 1)
    return fmt::format("the daemon holds {} memories", n);
  if (const std::size_t n = descriptors_of(daemon_.id()); descriptors_ != 0 && n != descriptors_)
    return fmt::format("the daemon has {} descriptors, it had {}", n, descriptors_);
  return {};
}

std::string KillTrials::await_quiet() {
  const Nanos deadline = steady_clock().now() + kPatienceOfTests;
  for (std::string busy;; sleep_for(500'000)) {
    if (steady_clock().now() >= deadline) return busy;
    // What was loaded for the victim, or pinned for it, is not wanted any more.
    (void)bystander_->client.order({.what = What::kUnpin, .model = large_});
    if (const auto done = bystander_->client.order({.what = What::kFlush}); !done.ok())
      return done.error().text();
    const auto list = bystander_->client.list();
    if (!list.ok()) return list.error().text();
    busy = not_quiet(*list);
    if (busy.empty()) return {};
  }
}

const std::string& KillTrials::file_for(Step step) const {
  return step == Step::kWaitsForLoad || step == Step::kWaitsForPin ? large_ : small_;
}

std::string KillTrials::kill_client(Step step, KillResult& result) {
  ipc::Process client = start_client_role(folder_, file_for(step), step);
  if (!client.running()) return "the client does not come to its step";
  sleep_for(static_cast<std::int64_t>(random_() % 3'000'000));
  const Nanos killed = steady_clock().now();
  kill_and_wait(client);
  std::string busy = await_quiet();
  result.delay = steady_clock().now() - killed;
  return busy;
}

/// Kills the child that loads while a client waits, which gets the reason.
std::string KillTrials::kill_loader(KillResult& result) {
  ipc::Process client = start_asking_role(folder_, large_);
  const Nanos deadline = steady_clock().now() + kPatienceOfTests;
  std::vector<pid_t> children;
  while (children.empty() && steady_clock().now() < deadline && client.last_words().empty())
    children = children_of(daemon_.id());
  sleep_for(static_cast<std::int64_t>(random_() % 60'000'000));
  const Nanos killed = steady_clock().now();
  if (!children.empty()) ::kill(children[0], SIGKILL);
  client.wait(deadline);
  const std::string words = client.last_words();
  if (words != "granted" && words != "RIDGE-SHARE-0034")
    return fmt::format("the client that waited got '{}'", words);
  result.step = words == "granted" ? "after its answer" : "before its answer";
  std::string busy = await_quiet();
  result.delay = steady_clock().now() - killed;
  return busy;
}

std::string KillTrials::kill_daemon(Step step, KillResult& result) {
  ipc::Process client = start_client_role(folder_, file_for(step), step);
  if (!client.running()) return "the client does not come to its step";
  const std::vector<pid_t> children = children_of(daemon_.id());
  const Nanos killed = steady_clock().now();
  kill_and_wait(daemon_);
  if (bystander_->client.list().ok()) return "a killed daemon answers";
  if (std::string fault = check_bystander(); !fault.empty()) return fault;
  descriptors_ = 0;
  const std::unique_ptr<Bystander> before = std::move(bystander_);
  std::string fault = start_daemon();
  result.delay = steady_clock().now() - killed;
  if (!fault.empty()) return fault;
  for (const pid_t child : children)
    while (is_alive(child) && steady_clock().now() < killed + kPatienceOfTests) sleep_for(500'000);
  for (const pid_t child : children)
    if (is_alive(child)) return "a child of the killed daemon runs";
  kill_and_wait(client);
  return await_quiet();
}

KillResult KillTrials::run(std::uint64_t point) {
  constexpr auto& steps = Words<Step>::list;
  KillResult out;
  const auto step = static_cast<Step>(steps[random_() % steps.size()].value);
  out.step = std::string(word(step));
  switch (point % 4) {
    case 0:
      out.victim = "loader";
      out.fault = kill_loader(out);
      break;
    case 1:
      out.victim = "daemon";
      out.fault = kill_daemon(step, out);
      break;
    default:
      out.victim = "client";
      out.fault = kill_client(step, out);
  }
  if (out.fault.empty()) out.fault = check_bystander();
  return out;
}

}  // namespace ridge::sharing::testing
