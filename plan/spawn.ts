import type { ArtifactRef, Sha256 } from './artifact';
import type { TryNote } from './step-work';

/**
 * Agents that call on other agents (protocol.md points 1–3). A spawn is answered with its id at once; the child works in a
 * context of its own and its result goes to its parent alone.
 */
export interface SpawnRequest {
  /** `<address>/spawn-<n>`: the address of the child's activity, and its id as the parent is told it. */
  id: string;
  agent: string;
  /** Who spawned it; an earlier version did not say. */
  from?: string;
  task: string;
  /** What its answer must satisfy. Absent: the agent's own schema, or a report. */
  schema?: Sha256;
  /** The result of an earlier child, which this one is asked about. */
  previous?: ArtifactRef;
}

/** The part of an activity's input that makes it a child's. The step's own agent has depth 0. */
export interface SpawnedWork extends SpawnRequest {
  depth: number;
  /** Which fresh agent it is, from 2 on, and why one is asked. */
  try?: number;
  note?: TryNote;
}

/** What became of a child: told to its parent when its turn comes. */
export interface SpawnResult {
  id: string;
  agent: string;
  artifact?: ArtifactRef;
  error?: { code: string; message: string };
  /** The id of the call that gave the result, where that is not the first. */
  call?: string;
}

/** Turns of a talk by `send` (protocol.md point 2). */
export const SEND_TURNS = 5;
/** How long an answer is waited for where who asks does not say, in seconds. */
export const SEND_SECONDS = 300;
export const DEFAULT_DEPTH = 1;
export const DEFAULT_CHILDREN = 5;
