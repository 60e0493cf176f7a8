// SPDX-License-Identifier: Apache-2.0
// Functions of a shared library that is opened when it is needed, and stays open.
//
//   LibrarySymbols symbols("libpq.so.5");
//   symbols.find("PQclear", out.clear);
//   if (!symbols.fault().empty()) return absent(symbols.fault());
//
// Names are constants of the program, never read from anywhere. Thread rule: one thread.
#pragma once

#include <string>

namespace ridge {

class LibrarySymbols {
 public:
  explicit LibrarySymbols(const char* library);

  /// Sets a pointer to the function of this name; nullptr where the library lacks it.
  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(address(name));
  }
  /// Why the library cannot be used: the loader's words, or a function that it lacks; "" if it can.
  const std::string& fault() const { return fault_; }

 private:
  void* address(const char* name);

  const char* library_;
  void* handle_;
  std::string fault_;
};

}  // namespace ridge
