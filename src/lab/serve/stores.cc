// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/stores.h"

namespace ridge::lab::serve {

Result<StorePool::Lease> StorePool::get() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<store::Store> store = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(store));
    }
  }
  return Lease(
      *this, std::make_unique<store::Store>(TRY(store::Store::open(name_, store::Access::kRead))));
}

void StorePool::give_back(std::unique_ptr<store::Store> store) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(store));
}

}  // namespace ridge::lab::serve
