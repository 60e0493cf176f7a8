// SPDX-License-Identifier: Apache-2.0
// Loads files as they are: the bytes of a model file in sealed memory, for weights leases.
//
//   FileLoader loader("/proc/self/exe");
//   Daemon daemon = TRY(Daemon::open(options, loader));
//
// A lease has one descriptor, the memory, and `about` is the SHA-256 of the content. The key names
// a version of a file (device, inode, size, times), so that a lease hashes nothing and a file that
// was changed is another object. A load is a child process, the program with kLoadArgument
// (load_child.h). There are no templates: a session is refused.
//
// Errors: RIDGE-SHARE-0037 (input class: no absolute path), 0036 (input class: changed before the
// load), 0033 (environment class: sessions), as
// load_child.h, 0034 (environment class: the child ended), as ipc/process.h. Thread rule: one
// thread.
#pragma once

#include <string>

#include "sharing/run/loader.h"

namespace ridge::sharing {

class FileLoader final : public Loader {
 public:
  /// `program`: its main calls load_main().
  explicit FileLoader(std::string program) : program_(std::move(program)) {}

  Result<Subject> identify(const Ask& ask) override;
  Result<std::unique_ptr<Work<std::unique_ptr<Resident>>>> load(const Ask& ask,
                                                                const Subject& subject) override;

 private:
  std::string program_;
};

}  // namespace ridge::sharing
