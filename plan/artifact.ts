/**
 * A reference to content in the artifact store. Content-addressed: the same bytes have the same reference wherever they
 * are stored, so a reference can never point at something that changed.
 */
export interface ArtifactRef {
  /** Lower-case hexadecimal SHA-256 of the content. */
  sha256: string;
  sizeBytes: number;
  mediaType: string;
  /** The name people know it by, e.g. `Strategy_Thesis.json`. */
  name?: string;
  /** Of a pipe's JSON: digest of its text output, where that is not this content. */
  stdout?: Sha256;
  /** Of a pipe: how many items came out of its end. The content is the one item, or the list of several. */
  items?: number;
}

/** A reference that came as data; undefined where it is none. */
export function readArtifactRef(value: unknown): ArtifactRef | undefined {
  return isArtifactRef(value) ? value : undefined;
}

export function isArtifactRef(value: unknown): value is ArtifactRef {
  if (typeof value !== 'object' || value === null || !('sha256' in value) || !('sizeBytes' in value) || !('mediaType' in value))
    return false;
  return typeof value.sha256 === 'string' && typeof value.sizeBytes === 'number' && typeof value.mediaType === 'string';
}

/** An artifact in a plan that the compiler put out beside it: prompts, schemas, agent definitions, by digest only. */
export type Sha256 = string;

/** What one step may bring into workflow history of its output (engine.md, *State*). */
export const CONTROL_VALUES_LIMIT_BYTES = 64 * 1024;
/** Above this a frozen plan is refused with `plan.too-large`; a payload over 2 MiB would wedge the run. */
export const PLAN_LIMIT_BYTES = 1024 * 1024;
/** The largest output of one step that the store takes. */
export const ARTIFACT_LIMIT_BYTES = 64 * 1024 * 1024;
