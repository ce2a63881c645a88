import type { ArtifactRef, Sha256 } from '../run/artifact';
import type { TryNote } from '../steps/try-note';
import type { JsonObject } from '../text/json';

/**
 * Agents that call other agents (docs/protocol.md, 4.2). A spawn returns its id at once; the child works in a context of its own, and its
 * result goes only to its parent.
 */
export interface SpawnRequest {
  /** `<address>/spawn-<n>`: the address of the child's activity, and its id as the parent sees it. */
  id: string;
  agent: string;
  /** Who spawned it. */
  from?: string;
  /** The task in words, or as JSON. */
  task: string | JsonObject;
  /** The schema of its answer. Absent: the agent's own schema, or a report. */
  schema?: Sha256;
  /** An earlier report that this request asks about. */
  previous?: ArtifactRef;
  /** It asks the agent that delivered `previous` for what is missing, by paths; may be empty. */
  lacks?: string[];
}

/** The part of an activity's input that makes it a child's. `depth` as `plan/agents/spawn-depth.ts` counts it. */
export interface SpawnedWork extends SpawnRequest {
  depth: number;
  /** The number of the fresh agent, from 2 on, and the reason for it. */
  try?: number;
  note?: TryNote;
}

/** The outcome of a child: delivered to its parent when its turn comes. */
export interface SpawnResult {
  id: string;
  agent: string;
  artifact?: ArtifactRef;
  error?: { code: string; message: string };
  /** The id of the call that gave the result, if that is not the first. */
  call?: string;
}

/**
 * Wakes the run whose activity has spawned: `{step}` is the activity's address. Anybody can send it, so the run trusts only its own ledger
 * for what was spawned.
 */
export const SPAWN_SIGNAL = 'thermidor:spawned';

export interface SpawnedInput {
  run: string;
  /** The address of the agent's activity. */
  call: string;
  /** How many of its children are known. */
  after: number;
}

export interface SpawnedOutput {
  /** The other agents that it spawned, in order. */
  children: SpawnRequest[];
  /** There are more than one answer can hold. */
  more?: true;
}

export interface AnnounceInput {
  run: string;
  result: SpawnResult;
}

/** Turns of a talk by `send` (docs/protocol.md, 4.2). */
export const SEND_TURNS = 5;
/** How long to wait for an answer if the sender does not say, in seconds. */
export const SEND_SECONDS = 300;
export const DEFAULT_CHILDREN = 5;
