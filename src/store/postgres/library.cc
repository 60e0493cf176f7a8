// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/library.h"

#include <dlfcn.h>

#include <string>

namespace ridge::store::postgres {
namespace {

constexpr const char* kName = "libpq.so.5";

Error absent(std::string why) {
  return environment_error("RIDGE-STORE-0014", "PostgreSQL's client library libpq is not here")
      .evidence(std::move(why))
      .hint(
          "install it (Debian, Ubuntu: apt install libpq5; Fedora: dnf install libpq), or store "
          "into a file");
}

class Symbols {
 public:
  explicit Symbols(void* handle) : handle_(handle) {}

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

Result<Library> open() {
  void* handle = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return absent(::dlerror());
  Library out{};
  Symbols symbols(handle);
  symbols.find("PQclear", out.clear);
  symbols.find("PQconnectdbParams", out.connectdbParams);
  symbols.find("PQconninfoFree", out.conninfoFree);
  symbols.find("PQconninfoParse", out.conninfoParse);
  symbols.find("PQerrorMessage", out.errorMessage);
  symbols.find("PQexec", out.exec);
  symbols.find("PQfinish", out.finish);
  symbols.find("PQfreemem", out.freemem);
  symbols.find("PQftype", out.ftype);
  symbols.find("PQgetisnull", out.getisnull);
  symbols.find("PQgetlength", out.getlength);
  symbols.find("PQgetResult", out.getResult);
  symbols.find("PQgetvalue", out.getvalue);
  symbols.find("PQnfields", out.nfields);
  symbols.find("PQntuples", out.ntuples);
  symbols.find("PQputCopyData", out.putCopyData);
  symbols.find("PQputCopyEnd", out.putCopyEnd);
  symbols.find("PQresultErrorField", out.resultErrorField);
  symbols.find("PQresultStatus", out.resultStatus);
  symbols.find("PQsendQueryParams", out.sendQueryParams);
  symbols.find("PQsetNoticeProcessor", out.setNoticeProcessor);
  symbols.find("PQsetSingleRowMode", out.setSingleRowMode);
  symbols.find("PQstatus", out.status);
  if (!symbols.missing().empty()) return absent(std::string(kName) + " lacks " + symbols.missing());
  return out;
}

}  // namespace

Result<const Library*> library() {
  static const Result<Library> opened = open();
  if (!opened.ok()) return opened.error();
  return &*opened;
}

}  // namespace ridge::store::postgres
