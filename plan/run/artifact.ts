import { isJsonObject } from '../text/json';

/**
 * A reference to an output: what agents, commands, people and files bring, and what is made from that. Content-addressed: the same bytes
 * have the same reference wherever they are stored, so a reference can never point at something that changed.
 */
export interface ArtifactRef {
  kind?: never;
  /** Lower-case hexadecimal SHA-256 of the content. */
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  /** The name people know it by, e.g. `Strategy_Thesis.json`. */
  name?: string;
  /** For a pipe's JSON: the digest of its text output, if that is not this content. */
  stdout?: Sha256;
  /** For a pipe: how many items came out of its end. The content is the one item, or the list of several. */
  items?: number;
}

/**
 * Content that a run obeys. Only Thermidor writes it, and each kind has a place of its own in the store: a reference in a workflow's input,
 * which anyone may have typed, never turns an output into a plan.
 *
 * What only a plan names, by digest (prompts, schemas, plans of child pipelines), needs no kind: the plan vouches for its content.
 */
export const CONTROL_KINDS = ['plan', 'script', 'carry', 'snapshot'] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

/** A reference to control content. The store looks only among content of this kind. */
export interface ControlRef<K extends ControlKind = ControlKind> {
  kind: K;
  sha256: Sha256;
  sizeBytes: number;
  mediaType: string;
  name?: string;
}

/** Parses a control reference of this kind; undefined if it is invalid. */
export function readControlRef<K extends ControlKind>(value: unknown, kind: K): ControlRef<K> | undefined {
  if (!isJsonObject(value) || value['kind'] !== kind) return undefined;
  const { sha256, sizeBytes, mediaType, name } = value;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  if (typeof sizeBytes !== 'number' || typeof mediaType !== 'string') return undefined;
  return { kind, sha256, sizeBytes, mediaType, ...(typeof name === 'string' ? { name } : {}) };
}

/** Parses a reference to an output; undefined if it is invalid. */
export function readArtifactRef(value: unknown): ArtifactRef | undefined {
  return isArtifactRef(value) ? value : undefined;
}

export function isArtifactRef(value: unknown): value is ArtifactRef {
  if (!isJsonObject(value) || value['kind'] !== undefined) return false;
  return typeof value['sha256'] === 'string' && typeof value['sizeBytes'] === 'number' && typeof value['mediaType'] === 'string';
}

/** The digest of a blob that the compiler made together with a plan: prompts, schemas, agent definitions. */
export type Sha256 = string;

/** How much of its output one step may bring into workflow history. */
export const CONTROL_VALUES_LIMIT_BYTES = 64 * 1024;
/** A frozen plan with more bytes or steps is refused with `plan.too-large`. A workflow gets the part that controls it packed. */
export const PLAN_LIMIT_BYTES = 16 * 1024 * 1024;
export const STEP_LIMIT = 100_000;
/** Above this a run's state is not carried over: packed, and together with the plan, it must fit into one execution's history of 50 MiB. */
export const STATE_LIMIT_BYTES = 64 * 1024 * 1024;
/** The largest output of one step that the store takes. */
export const ARTIFACT_LIMIT_BYTES = 64 * 1024 * 1024;
