// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/library.h"

#include <string>
#include <utility>

#include "base/library_symbols.h"

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

Result<Library> open_library() {
  Library out{};
  LibrarySymbols symbols(kName);
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
  if (!symbols.fault().empty()) return absent(symbols.fault());
  return out;
}

}  // namespace

Result<const Library*> library() {
  static const Result<Library> opened = open_library();
  if (!opened.ok()) return opened.error();
  return &*opened;
}

}  // namespace ridge::lab::serve
