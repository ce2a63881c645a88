-- All ports of records/. The schema `thermidor` stands for the one of `store_schema`. Texts that are compared are in the order of their
-- bytes, whatever the locale of the database is.

create table thermidor.run (
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  began_at timestamptz not null default clock_timestamp(),
  primary key (workflow_id, run)
);

-- `id`: the digest of workflow id, run and name, which together may be longer than a key of an index.
create table thermidor.record (
  id bytea primary key,
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  name text collate "C" not null,
  value text not null,
  added_at timestamptz not null default clock_timestamp()
);
create index record_of_run on thermidor.record (workflow_id, run);

-- The head of a log: who may write, and how many lines there are. Whoever adds a line holds its lock, so lines become visible in order.
create table thermidor.log (
  id bytea primary key,
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  name text collate "C" not null,
  writer uuid,
  scheduled_at_ms float8,
  length bigint not null default 0,
  added_at timestamptz not null default clock_timestamp()
);
create index log_of_run on thermidor.log (workflow_id, run);

-- `append`: stands in the first line of those that were added at once. An append that is tried again finds it taken.
create table thermidor.line (
  log bytea not null,
  number bigint not null,
  line text not null,
  append uuid,
  primary key (log, number)
);
create unique index line_append on thermidor.line (append) where append is not null;
