-- Outputs and control content, by kind and digest. Small content is in its row; larger content is in the chunks of the upload that its row
-- names. `put_at`: when it was put last.
create table thermidor.content (
  kind text collate "C" not null,
  sha256 bytea not null,
  bytes bytea,
  upload uuid,
  put_at timestamptz not null default clock_timestamp(),
  primary key (kind, sha256),
  check ((bytes is null) <> (upload is null))
);

create table thermidor.content_chunk (
  upload uuid not null,
  number int not null,
  bytes bytea not null,
  primary key (upload, number)
);
-- Much of what is large is compressed already, and trying costs more than the disk does.
alter table thermidor.content_chunk alter column bytes set storage external;

-- What programs print. `length`: the bytes of all lines that the log ever had. `name` is quoted as in JSON: it may have any character.
create table thermidor.step_log (
  id bytea primary key,
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  name text collate "C" not null,
  length bigint not null default 0,
  added_at timestamptz not null default clock_timestamp()
);
create index step_log_of_run on thermidor.step_log (workflow_id, run);

-- Whole lines. `start`: the bytes of all lines before them. `append`: an append that is tried again finds it taken.
create table thermidor.step_log_piece (
  log bytea not null,
  start bigint not null,
  bytes bytea not null,
  append uuid not null unique,
  primary key (log, start)
);
