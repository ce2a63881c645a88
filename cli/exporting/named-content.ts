import { isArtifactRef } from '../../plan/run/artifact';
import { isJsonObject, type Json } from '../../plan/text/json';

/** Content that a run names: by a reference, or by its digest alone, as plans and decisions do. */
export interface NamedContent {
  sha256: string;
  mediaType: string;
  name?: string;
  /** It may be no content at all, or none of this store. */
  byDigest?: true;
}

const DIGEST = /^[0-9a-f]{64}$/;

/** Content by digest, each once; the first name counts. */
export class NamedContents {
  private readonly found = new Map<string, NamedContent>();

  values(): Iterable<NamedContent> {
    return this.found.values();
  }

  /** Collects what a value names, at any depth. No recursion: payloads may be nested deep. */
  takeFrom(value: unknown): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const one = open.pop();
      if (Array.isArray(one)) open.push(...one);
      else if (isJsonObject(one)) {
        if (isArtifactRef(one) && DIGEST.test(one.sha256)) this.take(one);
        else this.takeDigests(one);
        open.push(...Object.values(one));
      }
    }
  }

  /** Collects every digest in the text of a plan: prompts, schemas, plans of children. */
  takeFromPlan(text: string): void {
    for (const [, sha256 = ''] of text.matchAll(/"([0-9a-f]{64})"/g)) this.takeDigest(sha256);
  }

  private takeDigests(of: { [key: string]: Json }): void {
    for (const [key, value] of Object.entries(of)) {
      if (typeof value === 'string' && key.endsWith('Sha256') && DIGEST.test(value)) this.takeDigest(value);
    }
  }

  private takeDigest(sha256: string): void {
    if (!this.found.has(sha256)) this.found.set(sha256, { sha256, mediaType: 'text/plain', byDigest: true });
  }

  private take({ sha256, mediaType, name }: { sha256: string; mediaType: string; name?: string }): void {
    const before = this.found.get(sha256);
    if (before === undefined || before.byDigest) this.found.set(sha256, { sha256, mediaType, ...(name === undefined ? {} : { name }) });
  }
}
