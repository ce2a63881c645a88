import type { ArtifactRef, Sha256 } from '../run/artifact';
import type { TryNote } from '../steps/try-note';
import type { JsonObject } from '../text/json';

/**
 * Agents that call on other agents (protocol.md points 1–3). A spawn is answered with its id at once; the child works in a
 * context of its own and its result goes to its parent alone.
 */
export interface SpawnRequest {
  /** `<address>/spawn-<n>`: the address of the child's activity, and its id as the parent sees it. */
  id: string;
  agent: string;
  /** Who spawned it. */
  from?: string;
  /** In words, or as JSON. */
  task: string | JsonObject;
  /** What its answer must satisfy. Absent: the agent's own schema, or a report. */
  schema?: Sha256;
  /** An earlier report, which this one is asked about. */
  previous?: ArtifactRef;
  /** It is a question to the agent that has delivered `previous`: what of it is missing, by paths; may be empty. */
  lacks?: string[];
}

/** The part of an activity's input that makes it a child's. `depth` as `plan/agents/spawn-depth.ts` counts it. */
export interface SpawnedWork extends SpawnRequest {
  depth: number;
  /** Which fresh agent it is, from 2 on, and why one is asked. */
  try?: number;
  note?: TryNote;
}

/** The outcome of a child: delivered to its parent when its turn comes. */
export interface SpawnResult {
  id: string;
  agent: string;
  artifact?: ArtifactRef;
  error?: { code: string; message: string };
  /** The id of the call that gave the result, where that is not the first. */
  call?: string;
}

/**
 * Wakes the run whose activity has spawned: `{step}` is the activity's address. Anybody can send it, so the run looks into its own ledger
 * for what was spawned there, and believes nothing else.
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
  /** Those it has spawned beside, in order. */
  children: SpawnRequest[];
  /** There are more than one answer holds. */
  more?: true;
}

export interface AnnounceInput {
  run: string;
  result: SpawnResult;
}

/** Turns of a talk by `send` (protocol.md point 2). */
export const SEND_TURNS = 5;
/** How long an answer is waited for where who asks does not say, in seconds. */
export const SEND_SECONDS = 300;
export const DEFAULT_CHILDREN = 5;
