-- What people leave behind, and what workers say to each other.

-- Secrets: the environments of callers' shells.
create table thermidor.environment (
  workflow_id text collate "C" primary key,
  caller text not null
);
