-- The tables of all ports of records/. The schema `thermidor` stands for the one of `store_schema`. Texts that are compared are in the order of their
-- bytes, whatever the locale of the database is.

-- What the store has one of, by name.
create table thermidor.store (
  name text primary key,
  value text not null
);
insert into thermidor.store (name, value) values ('id', gen_random_uuid());

-- `accounted`: how many lines the run's accounts have, and when the last came. `has_unsummed`: what it cost is not in `ended_cost`, or not
-- all of it. `removed_at`: it is gone, and the rest of its rows goes next.
create table thermidor.run (
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  began_at timestamptz not null default clock_timestamp(),
  accounted bigint not null default 0,
  accounted_at timestamptz,
  has_unsummed boolean not null default false,
  removed_at timestamptz,
  primary key (workflow_id, run)
);
create index run_removed on thermidor.run (workflow_id, run) where removed_at is not null;
-- Of columns that hardly change: a reply that is paid for touches no index.
create index run_unsummed on thermidor.run (workflow_id, run) where has_unsummed;

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

-- Runs that have ended, each with its last end, in the orders of lists. `listed` is what they show. `first_at`, `last_at`: of the replies
-- that were paid for.
create table thermidor.ended_run (
  workflow_id text collate "C" not null,
  run text collate "C" not null,
  noted uuid not null unique,
  ended_at text collate "C" not null,
  started_at text collate "C" not null,
  pipeline text collate "C" not null,
  state text collate "C" not null,
  is_top boolean not null,
  listed text not null,
  first_at text collate "C",
  last_at text collate "C",
  cost text,
  primary key (workflow_id, run)
);
create index ended_run_by_end on thermidor.ended_run (ended_at desc, workflow_id);
create index ended_run_by_start on thermidor.ended_run (started_at desc);
create index ended_run_by_reply on thermidor.ended_run (last_at, first_at);
create index ended_run_by_pipeline on thermidor.ended_run (pipeline, ended_at desc, workflow_id);

-- What replies of one run cost together that have the same of everything but their time of day. `first_at`: of the run's first reply.
create table thermidor.ended_cost (
  noted uuid not null,
  first_at text collate "C" not null,
  day text collate "C" not null,
  run text collate "C" not null,
  pipeline text collate "C" not null,
  step text collate "C" not null,
  agent text collate "C" not null,
  model text collate "C" not null,
  adapter text collate "C" not null,
  replies float8 not null,
  "inputTokens" float8 not null,
  "outputTokens" float8 not null,
  "cacheReadTokens" float8 not null,
  "cacheWriteTokens" float8 not null,
  "costMicroUsd" float8 not null,
  "unknownReplies" float8 not null,
  "unreportedReplies" float8 not null,
  unanswered float8 not null,
  "unansweredAtMostMicroUsd" float8 not null,
  "unansweredAtMostTokens" float8 not null,
  has_unknown boolean not null
);
create index ended_cost_of on thermidor.ended_cost (noted);
create index ended_cost_since on thermidor.ended_cost (first_at);

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

-- Secrets: the environments of callers' shells.
create table thermidor.environment (
  workflow_id text collate "C" primary key,
  caller text not null,
  written_at timestamptz not null default clock_timestamp()
);

-- `key` is a secret, too: who has it may see its gate.
create table thermidor.gate_link (
  key text collate "C" primary key,
  link text not null,
  -- Of the run that has the gate.
  workflow_id text collate "C" not null,
  put_at timestamptz not null default clock_timestamp()
);
create index gate_link_of_run on thermidor.gate_link (workflow_id);

-- Rows are only added, in the order of `number`. `project`: its digest. `id`: the digest of an answer of a project, or of one revocation.
create table thermidor.grant_entry (
  number bigint generated always as identity primary key,
  project bytea not null,
  id bytea not null unique,
  entry text not null
);
create index grant_of_project on thermidor.grant_entry (project, number);

-- Workers, each with its last sign of life, and what it said of itself.
create table thermidor.worker (
  id uuid primary key,
  host text not null,
  seen_at timestamptz not null,
  -- The last time before the database was started.
  before_start timestamptz,
  said text
);

-- Whether nothing was heard since then for too long. While the database is away nobody can give a sign of life, so once it is back all
-- have as long as ever to give the next; but not those that had been silent too long when it went away, which is when the last worker was
-- heard.
create function thermidor.is_silent(heard_at timestamptz, too_long interval) returns boolean language plpgsql as $$
declare
  back constant timestamptz := pg_postmaster_start_time();
begin
  if heard_at > clock_timestamp() - too_long then
    return false;
  end if;
  return back <= clock_timestamp() - too_long or coalesce(heard_at <= (
    select max(case when seen_at < back then seen_at else before_start end) from thermidor.worker
  ) - too_long, false);
end $$;

-- `work`: its digest. `id`: one handover.
create table thermidor.handed_over (
  work text collate "C" not null,
  id uuid not null,
  stopped_at timestamptz not null,
  added_at timestamptz not null default clock_timestamp(),
  primary key (work, id)
);

-- Hosts whose workers take no new work.
create table thermidor.drained_host (
  host text collate "C" primary key,
  drained_by text not null,
  since timestamptz not null default clock_timestamp()
);

create table thermidor.refused_answer (
  number bigint generated always as identity primary key,
  id uuid not null unique,
  answer text not null
);

-- Slots of pipelines' agents, and those who wait for one, in the order of `number`. `fleet` and `call` are digests: of a pipeline's name,
-- and of a call. `asked_at`: when it last asked for a slot. `woken_by`: the question whose answer says that it is to be woken.
create table thermidor.slot (
  fleet bytea not null,
  call bytea not null,
  kept_at timestamptz not null,
  primary key (fleet, call)
);

create table thermidor.place_in_line (
  fleet bytea not null,
  number bigint generated always as identity,
  call bytea not null,
  said text not null,
  asked_at timestamptz not null default clock_timestamp(),
  woken_at timestamptz,
  woken_by uuid,
  primary key (fleet, number),
  unique (fleet, call)
);

-- One look at a fleet, or change of it, at a time: what follows in the same function sees all that was done before.
create function thermidor.lock_fleet(of_fleet bytea, lost interval, absent interval) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(('x' || encode(substr(of_fleet, 1, 8), 'hex'))::bit(64)::bigint);
  delete from thermidor.slot where fleet = of_fleet and thermidor.is_silent(kept_at, lost);
  delete from thermidor.place_in_line where fleet = of_fleet and woken_at is not null and thermidor.is_silent(woken_at, absent);
end $$;

-- The first in line, as many as there are slots. Those who were woken before and have not come yet are left out. A question that is asked
-- again, because its answer was lost, gets the same answer.
create function thermidor.wake_next(of_fleet bytea, most int, question uuid, but bytea) returns text[] language plpgsql as $$
begin
  update thermidor.place_in_line as place set woken_at = clock_timestamp(), woken_by = question
  from (
    select number from thermidor.place_in_line where fleet = of_fleet order by number
    limit greatest(0, most - (select count(*) from thermidor.slot where fleet = of_fleet))
  ) as next
  where place.fleet = of_fleet and place.number = next.number and place.woken_at is null and place.call is distinct from but;
  return array(select said from thermidor.place_in_line where fleet = of_fleet and woken_by = question order by number);
end $$;

create function thermidor.take_slot(
  of_fleet bytea, own bytea, own_said text, most int, question uuid, lost interval, absent interval, out taken boolean, out wake text[]
) language plpgsql as $$
begin
  perform thermidor.lock_fleet(of_fleet, lost, absent);
  select exists (select from thermidor.slot where fleet = of_fleet and call = own)
    or (select count(*) from thermidor.slot where fleet = of_fleet) + (
      select count(*) from thermidor.place_in_line where fleet = of_fleet
        and number < coalesce((select number from thermidor.place_in_line where fleet = of_fleet and call = own), 9223372036854775807)
    ) < most into taken;
  if taken then
    delete from thermidor.place_in_line where fleet = of_fleet and call = own;
    insert into thermidor.slot (fleet, call, kept_at) values (of_fleet, own, clock_timestamp())
    on conflict (fleet, call) do update set kept_at = clock_timestamp();
  else
    update thermidor.place_in_line set asked_at = clock_timestamp(), woken_at = null, woken_by = null where fleet = of_fleet and call = own;
    if not found then
      insert into thermidor.place_in_line (fleet, call, said) values (of_fleet, own, own_said);
    end if;
  end if;
  wake := thermidor.wake_next(of_fleet, most, question, own);
end $$;

create function thermidor.give_slot(of_fleet bytea, own bytea, most int, question uuid, lost interval, absent interval)
returns text[] language plpgsql as $$
begin
  perform thermidor.lock_fleet(of_fleet, lost, absent);
  delete from thermidor.slot where fleet = of_fleet and call = own;
  return thermidor.wake_next(of_fleet, most, question, null);
end $$;
