// SPDX-License-Identifier: Apache-2.0
#include "sshd.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kServer = "/usr/sbin/sshd";

sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

/// A port that was free a moment ago.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

std::string user_name() {
  const passwd* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_name : "";
}

/// A file of /proc; "" of a process that has ended, be it between open and read, where an iterator
/// over the stream's buffer throws.
std::string read_proc(pid_t pid, std::string_view name) {
  std::ifstream file(fmt::format("/proc/{}/{}", pid, name));
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

pid_t parent_of(pid_t pid) {
  const std::string stat = read_proc(pid, "stat");
  const std::size_t end = stat.rfind(") ");
  return end == std::string::npos ? 0 : std::atoi(stat.c_str() + end + 4);
}

std::string command_of(pid_t pid) {
  std::string out = read_proc(pid, "cmdline");
  for (char& c : out)
    if (c == '\0') c = ' ';
  return out;
}

bool descends(pid_t pid, pid_t from) {
  for (int steps = 0; pid > 1 && steps < 100; ++steps) {
    pid = parent_of(pid);
    if (pid == from) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<TestSshd> TestSshd::start(SshdOptions options) {
  if (!fs::exists(kServer)) return nullptr;
  std::unique_ptr<TestSshd> out(new TestSshd(std::move(options)));
  std::string folder = (fs::temp_directory_path() / "ridge-sshd-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return nullptr;
  out->folder_ = folder;
  if (!out->make_keys()) return nullptr;
  for (int tries = 0; tries < 5; ++tries) {
    out->port_ = free_port();
    out->write_configuration();
    const pid_t parent = ::getpid();
    out->pid_ = ::fork();
    if (out->pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      const std::string configuration = out->path("sshd_config"), log = out->path("log");
      if (::getppid() == parent)
        ::execl(kServer, kServer, "-D", "-E", log.c_str(), "-f", configuration.c_str(), nullptr);
      ::_exit(127);
    }
    if (out->listens()) return out;
    ::waitpid(out->pid_, nullptr, 0);
    out->pid_ = 0;
  }
  return nullptr;
}

TestSshd::~TestSshd() {
  if (pid_ > 0) {
    for (const pid_t session : descendants("")) ::kill(session, SIGKILL);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

bool TestSshd::make_keys() const {
  const std::string script = fmt::format(
      "cd '{}' && for key in host_key user_key; do ssh-keygen -q -t ed25519 -N '' -f $key; done && "
      "cp user_key.pub authorized && mkdir -p cache",
      folder_.string());
  return std::system(script.c_str()) == 0;
}

void TestSshd::write_configuration() const {
  // The server, started by root, wants this folder, which nothing makes without systemd.
  if (::getuid() == 0) ::mkdir("/run/sshd", 0755);
  const std::string ridge = options_.has_ridge ? program().parent_path().string() + ":" : "";
  std::string text = fmt::format(
      "Port {}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\n"
      "UsePAM no\nPidFile none\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
      "PermitRootLogin prohibit-password\nMaxStartups 100\n"
      "SetEnv PATH={}/usr/bin:/bin HOME={} XDG_CACHE_HOME={}\n",
      port_, path("host_key"), path("authorized"), ridge, folder_.string(), path("cache"));
  if (!options_.noise.empty()) {
    write_text(path("noise.sh"), options_.noise + "\nexec $SSH_ORIGINAL_COMMAND\n");
    text += fmt::format("ForceCommand sh {}\n", path("noise.sh"));
  }
  write_text(path("sshd_config"), text);
  std::string key = read_text(path("host_key.pub"));
  write_text(path("known_hosts"), fmt::format("[127.0.0.1]:{} {}", port_, key));
  write_text(path("no_hosts"), "");
}

/// Waits until it accepts connections; false where it has ended instead.
bool TestSshd::listens() const {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < until) {
    siginfo_t ended = {};
    ::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port_);
    const bool open =
        ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    if (open) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string TestSshd::lab_host(bool known) const {
  return fmt::format(
      "[[host]]\nname = \"{}\"\nssh = \"{}@127.0.0.1\"\nport = {}\nidentity = \"{}\"\n"
      "known_hosts = \"{}\"\n",
      options_.name, user_name(), port_, path("user_key"),
      path(known ? "known_hosts" : "no_hosts"));
}

std::vector<pid_t> TestSshd::descendants(std::string_view part) const {
  std::vector<pid_t> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && descends(pid, pid_) && has(command_of(pid), part)) out.push_back(pid);
  }
  return out;
}

}  // namespace ridge::tests
