#!/bin/sh
# Makes the Temporal server's two databases and brings their tables to the version that this image knows. May run at every
# start: what is there already is left as it is. The tool reads host, port, user and password itself, from SQL_….
set -eu

schemas=${SCHEMAS:-/etc/temporal/schema/postgresql/v12}

prepare() {
  temporal-sql-tool --database "$1" create-database
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-dir "$schemas/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
