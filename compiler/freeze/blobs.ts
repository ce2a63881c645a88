import { createHash } from 'node:crypto';
import type { Sha256 } from '../../plan/run/artifact';
import { canonicalText } from '../../plan/text/json-text';

/** A content that a plan names by its digest. */
export interface Blob {
  content: string;
  mediaType: string;
  name: string;
}

/** Collects the blobs that go with the plan. Equal contents are one blob, under the name that came first. */
export interface Blobs {
  add(value: unknown, name: string, mediaType?: string): Sha256;
  /** Adds a text as it is, not as JSON. */
  addText(content: string, name: string, mediaType: string): Sha256;
  all: ReadonlyMap<Sha256, Blob>;
}

export function collectBlobs(): Blobs {
  const all = new Map<Sha256, Blob>();
  const addText: Blobs['addText'] = (content, name, mediaType) => {
    const digest = sha256(content);
    if (!all.has(digest)) all.set(digest, { content, mediaType, name });
    return digest;
  };
  return { all, addText, add: (value, name, mediaType = 'application/json') => addText(canonicalText(value), name, mediaType) };
}

export function sha256(text: string): Sha256 {
  return createHash('sha256').update(text).digest('hex');
}
