// SPDX-License-Identifier: Apache-2.0
// libpq, PostgreSQL's client library, opened when the first server is named: ridge starts and reads
// files where it is absent. Thread rule: any thread.
#pragma once

#include <libpq-fe.h>

#include "base/result.h"

namespace ridge::store::postgres {

/// Its functions, by their names without the prefix PQ.
struct Library {
  decltype(&PQclear) clear;
  decltype(&PQconnectdbParams) connectdbParams;
  decltype(&PQconninfoFree) conninfoFree;
  decltype(&PQconninfoParse) conninfoParse;
  decltype(&PQerrorMessage) errorMessage;
  decltype(&PQexec) exec;
  decltype(&PQfinish) finish;
  decltype(&PQfreemem) freemem;
  decltype(&PQftype) ftype;
  decltype(&PQgetisnull) getisnull;
  decltype(&PQgetlength) getlength;
  decltype(&PQgetResult) getResult;
  decltype(&PQgetvalue) getvalue;
  decltype(&PQnfields) nfields;
  decltype(&PQntuples) ntuples;
  decltype(&PQputCopyData) putCopyData;
  decltype(&PQputCopyEnd) putCopyEnd;
  decltype(&PQresultErrorField) resultErrorField;
  decltype(&PQresultStatus) resultStatus;
  decltype(&PQsendQueryParams) sendQueryParams;
  decltype(&PQsetNoticeProcessor) setNoticeProcessor;
  decltype(&PQsetSingleRowMode) setSingleRowMode;
  decltype(&PQstatus) status;
};

/// Stays open until the process ends. Error: it is not installed, or not usable.
Result<const Library*> library();

}  // namespace ridge::store::postgres
