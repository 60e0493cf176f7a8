// SPDX-License-Identifier: Apache-2.0
// Connections to one store for several threads.
//
//   TRY(stores.with([&](const Store& store) { return store.runs(filter, window); }));
//
// A file that was replaced by another one is opened again. Ownership: a lease gives its connection
// back; it must not outlive the pool. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace ridge::lab::serve {

/// Equal states: nothing in the store has changed in between.
struct StoreState {
  std::uint64_t opened = 0;  ///< counts how often the connection that tells the state was made
  std::string text;          ///< Store::state()

  bool operator==(const StoreState&) const = default;
};

class StorePool {
 public:
  explicit StorePool(std::string name) : name_(std::move(name)) {}

  class Lease {
   public:
    Lease(StorePool& pool, std::unique_ptr<store::Store> store, std::uint64_t file)
        : pool_(&pool), store_(std::move(store)), file_(file) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (store_) pool_->give_back(std::move(store_), file_);
    }
    /// Something failed on the connection, which is not used again.
    void drop() { store_.reset(); }
    const store::Store& operator*() const { return *store_; }
    const store::Store* operator->() const { return store_.get(); }

   private:
    StorePool* pool_;
    std::unique_ptr<store::Store> store_;
    std::uint64_t file_;
  };

  /// Errors: as Store::open.
  Result<Lease> get();
  /// `use(const store::Store&)` returns a Result.
  template <typename Use>
  auto with(Use use) -> decltype(use(std::declval<const store::Store&>())) {
    Lease store = TRY(get());
    auto done = use(*store);
    if (!done.ok() && done.error().error_class() == ErrorClass::kEnvironment) store.drop();
    return done;
  }
  /// State that the store has now; nullopt where it cannot be told.
  std::optional<StoreState> state();
  const std::string& name() const { return name_; }

 private:
  void give_back(std::unique_ptr<store::Store> store, std::uint64_t file);
  /// Gives up all connections if the path names another file than before. Under the mutex.
  void look_at_file();

  const std::string name_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<store::Store>> idle_;
  std::uint64_t device_ = 0, inode_ = 0;   ///< names of the file that the connections are to
  std::uint64_t file_ = 0;                 ///< counts the files that had the name
  std::unique_ptr<store::Store> watched_;  ///< tells the state
  std::uint64_t opened_ = 0;
};

}  // namespace ridge::lab::serve
