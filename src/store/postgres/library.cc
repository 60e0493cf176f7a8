// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/library.h"

#include <string>
#include <utility>

#include "base/library_symbols.h"

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

Result<Library> open() {
  Library out{};
  LibrarySymbols symbols(kName);
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
  if (!symbols.fault().empty()) return absent(symbols.fault());
  return out;
}

}  // namespace

Result<const Library*> library() {
  static const Result<Library> opened = open();
  if (!opened.ok()) return opened.error();
  return &*opened;
}

}  // namespace ridge::store::postgres
