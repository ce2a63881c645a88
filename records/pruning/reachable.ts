import { CONTROL_KINDS, type ControlKind, type ControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { ContentName } from '../old-content';
import type { Records } from '../records';
import { DigestFilter } from './digest-filter';

const DIGEST = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/** Contents that were read are not read again; a few may be. */
const MOST_READ = 200_000;

/**
 * The content that JSON leads to: every digest in any of its texts, whatever it stands for, and what the JSON under such a digest leads to.
 * It marks too much rather than too little.
 */
export class Reachable {
  private readonly marked = new DigestFilter();
  private readonly read = new Set<string>();

  constructor(private readonly stores: Pick<Records, 'artifacts' | 'control'>) {}

  has(sha256: string): boolean {
    return this.marked.has(sha256);
  }

  /** Fails with `store.unavailable`. */
  async add(value: Json): Promise<void> {
    for (const next of this.mark(value)) await this.follow(next);
  }

  /** Control content, with what it leads to. */
  async addContent(name: ContentName): Promise<void> {
    this.marked.add(name.sha256);
    await this.follow(name);
  }

  private async follow(first: ContentName): Promise<void> {
    const waiting = [first];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const key = `${next.kind} ${next.sha256}`;
      if (this.read.has(key)) continue;
      if (this.read.size >= MOST_READ) this.read.clear();
      this.read.add(key);
      const value = await this.json(next);
      if (value === undefined) continue;
      waiting.push(...this.mark(value, next.kind === 'plan'));
    }
  }

  /** Marks digests, and returns where more may be. A plan names blobs by digest alone: prompts, and plans of child pipelines. */
  private mark(value: Json, isPlan = false): ContentName[] {
    const found: ContentName[] = [];
    const texts = (text: string): void => {
      for (const [sha256] of text.matchAll(DIGEST)) {
        this.marked.add(sha256);
        if (isPlan) found.push({ kind: 'output', sha256 }, { kind: 'plan', sha256 });
      }
      const [, snapshot] = /^snapshot\/([0-9a-f]{64})$/.exec(text) ?? [];
      if (snapshot !== undefined) found.push({ kind: 'snapshot', sha256: snapshot });
    };
    const waiting: Json[] = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next === 'string') texts(next);
      else if (Array.isArray(next)) for (const one of next) waiting.push(one);
      else if (isJsonObject(next)) {
        const { kind, sha256, mediaType } = next;
        const isDigest = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
        const control = CONTROL_KINDS.find((one) => one === kind);
        if (isDigest && control) found.push({ kind: control, sha256 });
        else if (isDigest && mediaType === 'application/json') found.push({ kind: 'output', sha256 });
        for (const [name, one] of Object.entries(next)) {
          texts(name);
          waiting.push(one);
        }
      }
    }
    return found;
  }

  /** Undefined if it is no JSON, or not there. */
  private async json({ kind, sha256 }: ContentName): Promise<Json | undefined> {
    try {
      const bytes = await (kind === 'output' ? this.stores.artifacts.get({ sha256 }) : this.stores.control.get(refTo(kind, sha256)));
      return /^\s*[[{"]/.test(bytes.toString('utf8', 0, 64)) ? jsonIn(bytes.toString('utf8')) : undefined;
    } catch (error) {
      if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
      throw error;
    }
  }
}

function refTo(kind: ControlKind, sha256: string): ControlRef {
  return { kind, sha256, sizeBytes: 0, mediaType: 'application/json' };
}
