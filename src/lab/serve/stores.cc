// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/stores.h"

#include <sys/stat.h>

#include "store/source.h"

namespace ridge::lab::serve {

void StorePool::look_at_file() {
  struct stat status {};
  if (store::is_server(name_) || ::stat(name_.c_str(), &status) != 0) return;
  if (status.st_dev == device_ && status.st_ino == inode_) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  ++file_;
  idle_.clear();
  watched_.reset();
}

Result<StorePool::Lease> StorePool::get() {
  std::uint64_t file = 0;
  {
    const std::lock_guard lock(mutex_);
    look_at_file();
    file = file_;
    if (!idle_.empty()) {
      std::unique_ptr<store::Store> store = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(store), file);
    }
  }
  return Lease(*this,
               std::make_unique<store::Store>(TRY(store::Store::open(name_, store::Access::kRead))),
               file);
}

void StorePool::give_back(std::unique_ptr<store::Store> store, std::uint64_t file) {
  const std::lock_guard lock(mutex_);
  if (file == file_) idle_.push_back(std::move(store));
}

std::optional<StoreState> StorePool::state() {
  const std::lock_guard lock(mutex_);
  look_at_file();
  if (!watched_) {
    auto store = store::Store::open(name_, store::Access::kRead);
    if (!store.ok()) return std::nullopt;
    watched_ = std::make_unique<store::Store>(std::move(*store));
    ++opened_;
  }
  auto text = watched_->state();
  if (!text.ok()) watched_.reset();
  if (!text.ok() || !*text) return std::nullopt;
  return StoreState{opened_, std::move(**text)};
}

}  // namespace ridge::lab::serve
