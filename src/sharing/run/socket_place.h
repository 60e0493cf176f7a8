// SPDX-License-Identifier: Apache-2.0
// Where a daemon of `ridge share` is found: a private folder with the socket, and a lock that one
// daemon holds.
//
//   SocketPlace place = TRY(SocketPlace::take("/run/user/1000/ridge"));   // the daemon
//   accept(place.socket().get()) ...
//   ipc::Descriptor socket = TRY(connect_to("/run/user/1000/ridge"));     // a client
//
// The folder is made if it is missing, and refused unless it is a folder of this user that others
// cannot enter (mode 0700). The lock (flock) ends with its process, however that ends; a socket
// that a killed daemon left is replaced by who holds the lock. Both sides ask the kernel who the
// other is (SO_PEERCRED): another user is refused.
//
// Errors (environment class): RIDGE-SHARE-0001 (the folder cannot be made or looked at), 0002 (it
// is not private), 0003 (its path is too long for a socket), 0004 (another daemon has it), 0005 (no
// socket), 0006 (no daemon), 0007 (another user). Thread rule: one thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/descriptor.h"

namespace ridge::sharing {

class SocketPlace {
 public:
  static Result<SocketPlace> take(const std::string& folder);
  SocketPlace(SocketPlace&&) noexcept = default;
  SocketPlace& operator=(SocketPlace&&) noexcept = default;
  /// Removes the socket and gives the lock back.
  ~SocketPlace();

  /// Listens, does not block.
  const ipc::Descriptor& socket() const { return socket_; }

 private:
  SocketPlace(std::string path, ipc::Descriptor lock, ipc::Descriptor socket)
      : path_(std::move(path)), lock_(std::move(lock)), socket_(std::move(socket)) {}
  std::string path_;  ///< path of the socket
  ipc::Descriptor lock_, socket_;
};

/// Makes the folder if it is missing, and checks it.
Result<void> check_private_folder(const std::string& folder);

/// Connected to the daemon of a folder, a process of this user; the socket does not block.
Result<ipc::Descriptor> connect_to(const std::string& folder);

/// Whether an error says that there is no daemon.
bool is_no_daemon(const Error& error);
/// Whether a text that a daemon printed says that another one serves.
bool tells_of_another(std::string_view printed);

/// The other side of a connected socket. Error: the kernel does not tell, or RIDGE-SHARE-0007.
struct Peer {
  pid_t process = 0;  ///< 0: in another namespace
};
Result<Peer> same_user_peer(int socket);

}  // namespace ridge::sharing
