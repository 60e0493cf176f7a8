// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/library.h"

#include <dlfcn.h>

#include <string>

namespace ridge::lab::serve {
namespace {

constexpr const char* kName = "libmicrohttpd.so.12";

Error absent(std::string why) {
  return environment_error("RIDGE-SERVE-0001", "the HTTP library libmicrohttpd is not here")
      .evidence(std::move(why))
      .hint(
          "install it (Debian, Ubuntu: apt install libmicrohttpd12; Fedora: dnf install "
          "libmicrohttpd)");
}

class HttpSymbols {
 public:
  explicit HttpSymbols(void* handle) : handle_(handle) {}

  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    if (function == nullptr) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

Result<Library> open_library() {
  void* handle = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return absent(::dlerror());
  Library out{};
  HttpSymbols symbols(handle);
  symbols.find("MHD_add_response_header", out.add_response_header);
  symbols.find("MHD_create_response_from_buffer", out.create_response_from_buffer);
  symbols.find("MHD_create_response_from_callback", out.create_response_from_callback);
  symbols.find("MHD_destroy_response", out.destroy_response);
  symbols.find("MHD_get_connection_values", out.get_connection_values);
  symbols.find("MHD_queue_response", out.queue_response);
  symbols.find("MHD_resume_connection", out.resume_connection);
  symbols.find("MHD_set_connection_option", out.set_connection_option);
  symbols.find("MHD_start_daemon", out.start_daemon);
  symbols.find("MHD_stop_daemon", out.stop_daemon);
  symbols.find("MHD_suspend_connection", out.suspend_connection);
  if (!symbols.missing().empty()) return absent(std::string(kName) + " lacks " + symbols.missing());
  return out;
}

}  // namespace

Result<const Library*> library() {
  static const Result<Library> opened = open_library();
  if (!opened.ok()) return opened.error();
  return &*opened;
}

}  // namespace ridge::lab::serve
