#!/bin/sh
# Makes the user and the database of Thermidor's store. May run at every start: what is there is left as it is, but for the
# password, which becomes STORE_PASSWORD. psql reads host, user and password itself, from PG….
set -eu

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$STORE_PASSWORD" --dbname postgres <<'SQL'
select 'create role thermidor login' where not exists (select from pg_roles where rolname = 'thermidor') \gexec
alter role thermidor password :'password';
select 'create database thermidor owner thermidor encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'thermidor') \gexec
-- The store's user sees nothing of the Temporal server's.
select format('revoke connect on database %I from public', datname)
from pg_database where datname in ('temporal', 'temporal_visibility', 'postgres') \gexec
SQL
