-- What people leave behind, and what workers say to each other.

-- Secrets: the environments of callers' shells.
create table thermidor.environment (
  workflow_id text collate "C" primary key,
  caller text not null
);

-- `key` is a secret, too: who has it may see its gate.
create table thermidor.gate_link (
  key text collate "C" primary key,
  link text not null
);

-- Rows are only added, in the order of `number`. `project`: its digest. `id`: the digest of an answer of a project, or of one revocation.
create table thermidor.grant_entry (
  number bigint generated always as identity primary key,
  project bytea not null,
  id bytea not null unique,
  entry text not null
);
create index grant_of_project on thermidor.grant_entry (project, number);

-- What the store has one of, by name. Secret: the key.
create table thermidor.store (
  name text primary key,
  value text not null
);
insert into thermidor.store (name, value) values ('id', gen_random_uuid());

-- Workers, each with its last sign of life.
create table thermidor.worker (
  id uuid primary key,
  host text not null,
  seen_at timestamptz not null
);

-- `work`: its digest. `id`: one handover.
create table thermidor.handed_over (
  work text collate "C" not null,
  id uuid not null,
  stopped_at timestamptz not null,
  added_at timestamptz not null default clock_timestamp(),
  primary key (work, id)
);

create table thermidor.refused_answer (
  number bigint generated always as identity primary key,
  id uuid not null unique,
  answer text not null
);
