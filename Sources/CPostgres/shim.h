#pragma once

#include <libpq-fe.h>

// The error field codes are character-literal macros, which Swift does not import.
static const int CPostgresDiagSeverity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int CPostgresDiagSQLState = PG_DIAG_SQLSTATE;
static const int CPostgresDiagMessagePrimary = PG_DIAG_MESSAGE_PRIMARY;
static const int CPostgresDiagTableName = PG_DIAG_TABLE_NAME;
static const int CPostgresDiagConstraintName = PG_DIAG_CONSTRAINT_NAME;
