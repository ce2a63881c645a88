import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { numberAt, type Spelled } from '../../plan/text/spelled-json';
import { boxedUntrustedJson } from '../../plan/text/untrusted-json';
import type { ArtifactStore } from '../../records/artifact-store';
import { LruCache } from './lru-cache';

/** An artifact's text, and its value if it is JSON; the text itself if it is not. */
export interface StoredValue {
  text: string;
  /** Shared by all who read it: never to be changed. The field remembers how a number was written (`spelled-json.ts`). */
  value: Json;
  json: boolean;
}

/** The limit of text, in all. Parsed values take several times as much. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** A value composed from outputs is nested deeper than each of them may be. */
const STORED_LEVELS = 500;
/** Caches by store, because two workers of one process may have different ones. */
const caches = new WeakMap<ArtifactStore, LruCache<StoredValue>>();

/**
 * An artifact, parsed. Recently read ones are kept in the process, so that ten thousand iterations of a loop parse its list once. Fails
 * with `artifact.missing`, also if it claims to be JSON and is not.
 */
export function storedValue(artifacts: ArtifactStore, ref: ArtifactRef): Promise<StoredValue> {
  const cache = caches.get(artifacts) ?? new LruCache<StoredValue>(KEPT_BYTES);
  caches.set(artifacts, cache);
  const json = ref.mediaType === 'application/json';
  return cache.get(`${json ? 'json' : 'text'} ${ref.sha256}`, () => read(artifacts, ref, json), ref.sizeBytes);
}

/** The value of an artifact, with the spelling of a number. */
export function storedSpelled(stored: StoredValue): Spelled {
  return numberAt(stored, 'value') ?? stored.value;
}

/** A list in the store. Fails with `artifact.missing` if it is not a list. */
export async function storedList(artifacts: ArtifactStore, ref: ArtifactRef): Promise<readonly Json[]> {
  const { value } = await storedValue(artifacts, ref);
  if (Array.isArray(value)) return value;
  throw new ThermidorFailure('artifact.missing', `artifact ${ref.sha256} is not a list`, { sha256: ref.sha256 });
}

async function read(artifacts: ArtifactStore, ref: ArtifactRef, json: boolean): Promise<StoredValue> {
  const text = (await artifacts.get(ref)).toString('utf8');
  if (!json) return { text, value: text, json };
  const box = boxedUntrustedJson(text, STORED_LEVELS);
  if (box) return Object.assign(box, { text, json });
  const name = ref.name === undefined ? 'an artifact' : `"${ref.name}"`;
  throw new ThermidorFailure('artifact.missing', `${name}, ${ref.sha256}, is not JSON`, { sha256: ref.sha256 });
}
