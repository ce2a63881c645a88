import { PART_KINDS, type PartKind, partDigest, partId, type StorePart, shownPart } from './store-part';
import type { StoreTransfer } from './store-transfer';

/** Why an installation is not moved: one of the two stores is not what it has to be. Nothing of theirs was lost. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

export type CopyPhase = 'compared' | 'copied' | 'verified';

export interface CopyRequest {
  from: StoreTransfer;
  to: StoreTransfer;
  /** Only compares. */
  dryRun?: boolean;
  /** Called for each part. */
  progress?(phase: CopyPhase, done: number): void;
}

export interface CopyReport {
  /** Undefined in a dry run if the store has none yet. */
  installation: string | undefined;
  /** How many parts were copied, or would be, and how many were there before. */
  parts: Record<PartKind, { copied: number; there: number }>;
}

/** What a part said when it was read. */
type Digests = Map<string, string>;

const WRITES_AT_ONCE = 4;
/** Relaxed writes are settled after so many. */
const SETTLE_EACH = 500;

/**
 * Moves an installation to another store, part by part.
 *
 * Invariants: 1. `to` is empty, or a copy that was begun before: it belongs to the same installation, and all that it has is in `from` as
 * well; otherwise nothing is written; 2. a part is there whole or not at all, so a copy that was killed is finished by the next one, and
 * one that is complete changes nothing; 3. at the end every part of `to` was read, and has the digest that it has in `from`. Fails with
 * `CopyRefused`, `store.unavailable`, `artifact.missing`.
 */
export async function copyStore({ from, to, dryRun = false, progress = () => undefined }: CopyRequest): Promise<CopyReport> {
  await requireStopped(from, to);
  await requireContent(from);
  const installation = await from.identity.knownInstallation();
  const had = await digestsIn(to, (done) => progress('compared', done));
  await requireOwn(to, installation, had.size > 0);
  const parts = Object.fromEntries(PART_KINDS.map((kind) => [kind, { copied: 0, there: 0 }])) as CopyReport['parts'];
  if (dryRun || had.size > 0) await compare(from, to, had, dryRun ? parts : undefined);
  if (dryRun) return { installation, parts };
  const own = installation ?? (await from.identity.installation());
  await to.join(own);
  if ((await to.identity.knownInstallation()) !== own) throw ofAnother(to);
  const key = await from.key();
  if (key !== undefined) await to.takeKey(key);
  const wanted = await copyParts({ from, to, had, parts, progress });
  await verify(from, to, wanted, (done) => progress('verified', done));
  return { installation: own, parts };
}

async function requireStopped(from: StoreTransfer, to: StoreTransfer): Promise<void> {
  await from.check('from');
  await to.check('to');
  if ((await from.identity.storeId()) === (await to.identity.storeId())) {
    throw new CopyRefused(`${from.shown} and ${to.shown} are the same store`, 'name another store to copy to');
  }
  for (const store of [from, to]) {
    const hosts = await store.hostsAtWork();
    if (hosts.length > 0) {
      throw new CopyRefused(
        `workers use ${store.shown}: ${hosts.join(', ')}`,
        'stop them; one that was killed counts for 20 seconds after its last sign of life',
      );
    }
  }
}

async function requireOwn(to: StoreTransfer, installation: string | undefined, hasParts: boolean): Promise<void> {
  const its = await to.identity.knownInstallation();
  if (its === undefined ? hasParts : its !== installation) throw ofAnother(to);
}

function ofAnother(to: StoreTransfer): CopyRefused {
  return new CopyRefused(`${to.shown} belongs to another installation`, 'copy to an empty folder or schema');
}

/** Fails if `to` has something that `from` has not, or has otherwise. @param parts counts what is there and what is not */
async function compare(from: StoreTransfer, to: StoreTransfer, had: Digests, parts?: CopyReport['parts']): Promise<void> {
  let found = 0;
  for await (const part of from.parts()) {
    const before = had.get(partId(part));
    if (before !== undefined && before !== partDigest(part)) throw grownApart(from, to, shownPart(part));
    if (before !== undefined) found += 1;
    if (parts) parts[part.kind][before === undefined ? 'copied' : 'there'] += 1;
  }
  if (found < had.size) throw grownApart(from, to, `${had.size - found} of its ${had.size} parts`);
}

function grownApart(from: StoreTransfer, to: StoreTransfer, what: string): CopyRefused {
  return new CopyRefused(
    `${to.shown} is a copy that has other content by now than ${from.shown}: ${what}`,
    'one of the two was used since; copy to an empty folder or schema, and use that alone',
  );
}

async function requireContent(from: StoreTransfer): Promise<void> {
  for await (const _first of from.parts()) return;
  throw new CopyRefused(`there is nothing in ${from.shown}`, 'name the store that has the runs');
}

interface Copying {
  from: StoreTransfer;
  to: StoreTransfer;
  had: Digests;
  parts: CopyReport['parts'];
  progress(phase: CopyPhase, done: number): void;
}

/** @returns what `from` had */
async function copyParts({ from, to, had, parts, progress }: Copying): Promise<Digests> {
  const wanted: Digests = new Map();
  const writing = new Set<Promise<void>>();
  let unsettled = 0;
  let problem: unknown;
  const write = async (part: StorePart): Promise<void> => {
    try {
      await to.add(part);
    } catch (error) {
      problem ??= error;
    }
  };
  const settle = async (): Promise<void> => {
    await Promise.all(writing);
    if (problem !== undefined) throw problem;
    await to.settle();
    unsettled = 0;
  };
  try {
    for await (const part of from.parts()) {
      const id = partId(part);
      wanted.set(id, partDigest(part));
      progress('copied', wanted.size);
      if (had.has(id)) {
        parts[part.kind].there += 1;
        continue;
      }
      parts[part.kind].copied += 1;
      const written: Promise<void> = write(part).finally(() => writing.delete(written));
      writing.add(written);
      if (writing.size >= WRITES_AT_ONCE) await Promise.race(writing);
      if (problem !== undefined) break;
      unsettled += 1;
      if (unsettled >= SETTLE_EACH) await settle();
    }
    await settle();
  } finally {
    await Promise.all(writing);
  }
  return wanted;
}

async function verify(from: StoreTransfer, to: StoreTransfer, wanted: Digests, progress: (done: number) => void): Promise<void> {
  let found = 0;
  for await (const part of to.parts()) {
    found += 1;
    progress(found);
    if (wanted.get(partId(part)) === partDigest(part)) continue;
    throw new CopyRefused(`${shownPart(part)} is another in ${to.shown} than in ${from.shown}`, WAS_USED);
  }
  if (found < wanted.size) throw new CopyRefused(`${to.shown} lacks ${wanted.size - found} parts of ${from.shown}`, WAS_USED);
}

const WAS_USED = 'was one of the two used meanwhile? Stop what uses them, and copy again';

async function digestsIn(store: StoreTransfer, progress: (done: number) => void): Promise<Digests> {
  const digests: Digests = new Map();
  for await (const part of store.parts()) {
    digests.set(partId(part), partDigest(part));
    progress(digests.size);
  }
  return digests;
}
