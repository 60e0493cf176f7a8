// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/testing/roles.h"

#include <dirent.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>

#include "base/clock.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/run/daemon.h"
#include "sharing/run/file_loader.h"
#include "sharing/run/line.h"
#include "sharing/run/socket_place.h"

namespace ridge::sharing::testing {
namespace {

constexpr Nanos kLongest{20'000'000'000};
constexpr int kMany = 100;

void nap() {
  const timespec time{0, 200'000};
  ::nanosleep(&time, nullptr);
}

int serve_role(const std::string& folder) {
  FileLoader loader("/proc/self/exe");
  auto daemon = Daemon::open({.folder = folder, .memory = kRoleMemory}, loader);
  return daemon.ok() && daemon->serve().ok() ? 0 : 1;
}

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
}

/// A frame as it goes over the socket.
std::string frame_text(MessageKind::Value kind, std::string_view payload) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) return {};
  Line line(ipc::Descriptor(ends[0]), {});
  const ipc::Descriptor other(ends[1]);
  line.send(kind, payload);
  line.write();
  std::array<char, 4096> out;
  const ssize_t got = ::recv(other.get(), out.data(), out.size(), 0);
  return std::string(out.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
}

/// The beginning of a conversation, byte by byte, up to what a Client would not do.
void stop_half_way(const std::string& folder, Step step) {
  static auto socket = connect_to(folder);
  if (!socket.ok() || step == Step::kConnected) return;
  const std::string hello =
      frame_text(MessageKind::kHello, record::to_binary(Hello{kProtocol, "role"}));
  const std::string ask = frame_text(MessageKind::kAsk, record::to_binary(Ask{.id = 1}));
  const std::string all = step == Step::kHalfGreeting ? hello.substr(0, hello.size() / 2)
                                                      : hello + ask.substr(0, ask.size() / 2);
  ::send(socket->get(), all.data(), all.size(), MSG_NOSIGNAL);
}

/// Sends a question whose answer is not read.
void ask_only(const std::string& folder, const std::string& file, What what) {
  static auto socket = connect_to(folder);
  if (!socket.ok()) return;
  const std::string all =
      frame_text(MessageKind::kHello, record::to_binary(Hello{kProtocol, "role"})) +
      frame_text(MessageKind::kAsk,
                 record::to_binary(Ask{.id = 1, .what = what, .model = file, .wait = true}));
  ::send(socket->get(), all.data(), all.size(), MSG_NOSIGNAL);
}

void hold(const std::string& folder, const std::string& file, Step step) {
  static auto client = Client::connect(folder);
  static std::vector<std::unique_ptr<Lease>> leases;
  if (!client.ok() || step == Step::kGreeted) return;
  for (int i = 0; i < (step == Step::kHoldsMany ? kMany : 1); ++i) {
    Leased leased = client->lease({.what = What::kWeights, .model = file, .wait = true}, kLongest);
    if (!leased.lease) return say(leased.why->code());
    leases.push_back(std::move(leased.lease));
  }
  if (step != Step::kMappedAndReleased) return;
  ::mmap(nullptr, static_cast<std::size_t>(leases[0]->grant().bytes.count), PROT_READ, MAP_SHARED,
         leases[0]->files()[0].get(), 0);
  leases.clear();
}

int client_role(const std::string& folder, const std::string& file, Step step) {
  switch (step) {
    case Step::kConnected:
    case Step::kHalfGreeting:
    case Step::kHalfQuestion:
      stop_half_way(folder, step);
      break;
    case Step::kWaitsForLoad:
    case Step::kAnswerUnread:
      ask_only(folder, file, What::kWeights);
      break;
    case Step::kWaitsForPin:
      ask_only(folder, file, What::kPin);
      break;
    case Step::kGreeted:
    case Step::kHoldsLease:
    case Step::kHoldsMany:
    case Step::kMappedAndReleased:
      hold(folder, file, step);
      break;
  }
  say("ready");
  for (;;) ::pause();
}

int asking_role(const std::string& folder, const std::string& file) {
  auto client = Client::connect(folder);
  if (!client.ok()) return say(client.error().code()), 1;
  const Leased leased =
      client->lease({.what = What::kWeights, .model = file, .wait = true}, kLongest);
  say(leased.lease ? std::string("granted") : leased.why->code());
  return 0;
}

ipc::Process start_role(std::vector<std::string> arguments) {
  std::vector<std::string> command = {"/proc/self/exe", std::string(kRoleArgument)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto started = ipc::Process::start_command(command);
  return started.ok() ? std::move(*started) : ipc::Process();
}

}  // namespace

int role_main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::vector<std::string> given(argv + 2, argv + argc);
  if (given.size() == 2 && given[0] == "serve") return serve_role(given[1]);
  if (given.size() == 3 && given[0] == "ask") return asking_role(given[1], given[2]);
  if (given.size() != 4) return 1;
  const auto step = find_word<Step>(given[3]);
  return step ? client_role(given[1], given[2], *step) : 1;
}

ipc::Process start_daemon_role(const std::string& folder) {
  ipc::Process out = start_role({"serve", folder});
  const Nanos deadline = steady_clock().now() + kLongest;
  while (steady_clock().now() < deadline && out.running()) {
    if (connect_to(folder).ok()) return out;
    out.wait(Nanos{0});
    nap();
  }
  return {};
}

ipc::Process start_client_role(const std::string& folder, const std::string& file, Step step) {
  ipc::Process out = start_role({"client", folder, file, std::string(word(step))});
  const Nanos deadline = steady_clock().now() + kLongest;
  for (; steady_clock().now() < deadline; nap())
    if (const std::string words = out.last_words(); !words.empty())
      return words == "ready" ? std::move(out) : ipc::Process();
  return {};
}

ipc::Process start_asking_role(const std::string& folder, const std::string& file) {
  return start_role({"ask", folder, file});
}

std::size_t descriptors_of(pid_t process, std::string_view target) {
  const std::string folder = fmt::format("/proc/{}/fd", process);
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  std::size_t out = 0;
  while (open != nullptr) {
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    if (entry->d_name[0] == '.') continue;
    std::array<char, 256> link{};
    const std::string path = fmt::format("{}/{}", folder, entry->d_name);
    const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
    if (size > 0 &&
        std::string_view(link.data(), static_cast<std::size_t>(size)).starts_with(target))
      ++out;
  }
  return out;
}

std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  std::vector<pid_t> out;
  for (pid_t child = 0; file >> child;) out.push_back(child);
  return out;
}

bool is_alive(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string id, name, state;
  return stat >> id >> name >> state && state != "Z";
}

}  // namespace ridge::sharing::testing
