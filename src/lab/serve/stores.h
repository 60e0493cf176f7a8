// SPDX-License-Identifier: Apache-2.0
// Connections to one store for several threads.
//
//   TRY(stores.with([&](const Store& store) { return store.runs(filter, window); }));
//
// Ownership: a lease gives its connection back; it must not outlive the pool. Thread rule: any
// thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace ridge::lab::serve {

class StorePool {
 public:
  explicit StorePool(std::string name) : name_(std::move(name)) {}

  class Lease {
   public:
    Lease(StorePool& pool, std::unique_ptr<store::Store> store)
        : pool_(&pool), store_(std::move(store)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (store_) pool_->give_back(std::move(store_));
    }
    /// Something failed on the connection, which is not used again.
    void drop() { store_.reset(); }
    const store::Store& operator*() const { return *store_; }
    const store::Store* operator->() const { return store_.get(); }

   private:
    StorePool* pool_;
    std::unique_ptr<store::Store> store_;
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
  const std::string& name() const { return name_; }

 private:
  void give_back(std::unique_ptr<store::Store> store);

  const std::string name_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<store::Store>> idle_;
};

}  // namespace ridge::lab::serve
