// SPDX-License-Identifier: Apache-2.0
// What a daemon loads models with. The daemon itself reads no model and runs no runtime: work is
// done in child processes, which it waits for by descriptors.
//
//   Subject subject = TRY(loader.identify(ask));            // quick: which object is meant
//   auto loading = TRY(loader.load(ask, subject));          // begins; its destructor ends it
//   poll(loading->descriptor());
//   if (auto result = loading->finish()) ...                // a Resident, or why there is none
//   Given given = TRY((*result)->give());                   // for each lease
//
// A loader is called from the one thread of the daemon and never blocks it. A load takes no more
// memory than `expected` of its subject, or fails.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "ipc/descriptor.h"
#include "sharing/record/messages.h"

namespace ridge::sharing {

/// An object that an ask is about.
struct Subject {
  std::string key;    ///< other content has another one
  std::string model;  ///< its path, for people
  Bytes expected{0};  ///< memory that it takes at most
};

/// Something that a child process does meanwhile; the destructor ends it.
template <typename T>
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;
  /// Readable when finish() has something to do.
  virtual int descriptor() const = 0;
  /// nullopt: it is not done. Called no more after a result.
  virtual std::optional<Result<T>> finish() = 0;
};

using Files = std::vector<ipc::Descriptor>;

/// Descriptors that a lease hands out: at once, or once `work` is done.
struct Given {
  Files files;
  std::unique_ptr<Work<Files>> work;
};

/// A loaded model; the destructor frees it.
class Resident {
 public:
  Resident() = default;
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  virtual ~Resident() = default;
  virtual Bytes bytes() const = 0;
  /// Words on the descriptors, in a form that clients and the loader agree on.
  virtual const std::string& about() const = 0;
  /// Error (environment class): there are too few descriptors, or the process cannot fork.
  virtual Result<Given> give() = 0;
  /// Readable once its process has ended by itself; -1 if it has none.
  virtual int ended() const { return -1; }
};

class Loader {
 public:
  virtual ~Loader() = default;
  /// Reads no content. Error: there is no such model, or it cannot be had at that level.
  virtual Result<Subject> identify(const Ask& ask) = 0;
  virtual Result<std::unique_ptr<Work<std::unique_ptr<Resident>>>> load(const Ask& ask,
                                                                        const Subject& subject) = 0;
};

}  // namespace ridge::sharing
