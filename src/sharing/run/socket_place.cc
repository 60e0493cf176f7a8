// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/socket_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace ridge::sharing {
namespace {

using ipc::Descriptor;

constexpr int kWaitingClients = 4096;
constexpr std::string_view kAnotherDaemon = "RIDGE-SHARE-0004", kNoDaemon = "RIDGE-SHARE-0006";

std::string system_text(int error_number) { return std::generic_category().message(error_number); }

std::string socket_path(const std::string& folder) { return folder + "/share.socket"; }

Error no_folder(const std::string& folder, int error_number) {
  return environment_error("RIDGE-SHARE-0001", fmt::format("there is no folder for the socket: {}",
                                                           system_text(error_number)))
      .hint("XDG_RUNTIME_DIR names a folder of your own, in which it is made")
      .in_file(folder);
}

Error not_private(const std::string& folder, std::string why) {
  return environment_error("RIDGE-SHARE-0002", "the folder of the socket is not private")
      .evidence(std::move(why))
      .hint("let it be a folder of your own with mode 0700: chmod 700, or remove it")
      .in_file(folder);
}

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.size() >= sizeof out.sun_path)
    return environment_error("RIDGE-SHARE-0003",
                             fmt::format("the path of the socket has {} bytes, {} at most",
                                         path.size(), sizeof out.sun_path - 1))
        .hint("let XDG_RUNTIME_DIR name a folder with a shorter path")
        .in_file(path);
  std::memcpy(out.sun_path, path.c_str(), path.size());
  return out;
}

Error no_socket(const std::string& path, int error_number) {
  return environment_error("RIDGE-SHARE-0005",
                           fmt::format("no daemon can listen here: {}", system_text(error_number)))
      .in_file(path);
}

/// The number of the process in a lock file; "" if there is none.
std::string holder(int lock) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(lock, text.data(), text.size(), 0);
  return printable(std::string(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0));
}

Result<Descriptor> take_lock(const std::string& folder) {
  const std::string path = folder + "/share.lock";
  Descriptor out(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!out.is_open()) return no_socket(path, errno);
  if (::flock(out.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return no_socket(path, errno);
    return environment_error(kAnotherDaemon, "another daemon serves here")
        .evidence(fmt::format("it is process {}", holder(out.get())))
        .hint("ridge share list asks it, ridge share stop ends it")
        .in_file(folder);
  }
  const std::string id = std::to_string(::getpid());
  if (::ftruncate(out.get(), 0) != 0 ||
      ::pwrite(out.get(), id.data(), id.size(), 0) != std::ssize(id))
    return no_socket(path, errno);
  return out;
}

Result<Descriptor> listen_at(const std::string& path) {
  const sockaddr_un address = TRY(address_of(path));
  Descriptor out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.is_open()) return no_socket(path, errno);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return no_socket(path, errno);
  if (::bind(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), 0600) != 0 || ::listen(out.get(), kWaitingClients) != 0)
    return no_socket(path, errno);
  return out;
}

}  // namespace

Result<void> check_private_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return no_folder(folder, errno);
  const Descriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!opened.is_open() && (errno == ENOTDIR || errno == ELOOP))
    return not_private(folder, "it is a file or a link");
  if (!opened.is_open() || ::fstat(opened.get(), &status) != 0) return no_folder(folder, errno);
  if (status.st_uid != ::geteuid())
    return not_private(
        folder, fmt::format("it belongs to user {}, this is user {}", status.st_uid, ::geteuid()));
  if ((status.st_mode & 077) != 0)
    return not_private(folder, fmt::format("its mode is {:04o}", status.st_mode & 07777));
  return {};
}

Result<SocketPlace> SocketPlace::take(const std::string& folder) {
  TRY(check_private_folder(folder));
  std::string path = socket_path(folder);
  Descriptor lock = TRY(take_lock(folder));
  Descriptor socket = TRY(listen_at(path));
  return SocketPlace(std::move(path), std::move(lock), std::move(socket));
}

SocketPlace::~SocketPlace() {
  if (socket_.is_open()) ::unlink(path_.c_str());
}

Result<Peer> same_user_peer(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return no_socket("SO_PEERCRED", errno);
  if (peer.uid == ::geteuid()) return Peer{peer.pid};
  return environment_error("RIDGE-SHARE-0007", "another user is at the other end of the socket")
      .evidence(fmt::format("user {}, this is user {}", peer.uid, ::geteuid()))
      .hint("each user has a daemon of their own");
}

Result<Descriptor> connect_to(const std::string& folder) {
  const std::string path = socket_path(folder);
  const sockaddr_un address = TRY(address_of(path));
  Descriptor out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.is_open()) return no_socket(path, errno);
  if (::connect(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return environment_error(kNoDaemon, "no daemon of ridge share answers")
        .evidence(fmt::format("{}: {}", printable(path), system_text(errno)))
        .hint("ridge share serve starts one");
  TRY(same_user_peer(out.get()));
  return out;
}

bool is_no_daemon(const Error& error) { return error.code() == kNoDaemon; }

bool tells_of_another(std::string_view printed) {
  return printed.find(kAnotherDaemon) != std::string_view::npos;
}

}  // namespace ridge::sharing
