import type { ArtifactRef } from './artifact';

/**
 * Agents that call on other agents (protocol.md points 1–3). A spawn is answered with its id at once; the child works in a
 * context of its own and its result goes to its parent alone.
 */
export interface SpawnRequest {
  /** `<address>/spawn-<n>`: the address of the child's activity, and its id as the parent is told it. */
  id: string;
  agent: string;
  task: string;
  /** The result of an earlier child, which this one is asked about. */
  previous?: ArtifactRef;
}

/** The part of an activity's input that makes it a child's. `depth` as `plan/depth.ts` counts it. */
export interface SpawnedWork extends SpawnRequest {
  depth: number;
}

/** What became of a child: told to its parent when its turn comes. */
export interface SpawnResult {
  id: string;
  agent: string;
  artifact?: ArtifactRef;
  error?: { code: string; message: string };
}

/** Turns of a talk by `send` (protocol.md point 2). */
export const SEND_TURNS = 5;
export const DEFAULT_DEPTH = 1;
export const DEFAULT_CHILDREN = 5;
