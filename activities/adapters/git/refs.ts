import { isUtf8 } from 'node:buffer';
import type { ObjectId, Ref, Repository, Swap, Swapped } from '../../git-model';
import { problemOf } from './failures';
import type { GitTools } from './git-tools';
import { checkedId, checkedPrefix, checkedRef } from './names';

export async function readRef({ ask }: GitTools, { gitDir }: Repository, ref: string, signal: AbortSignal): Promise<ObjectId | undefined> {
  return await ask({ at: { gitDir }, argv: ['rev-parse', '--verify', checkedRef(ref)] }, signal).catch((error: unknown) => {
    if (problemOf(error) === 'failed') return undefined;
    throw error;
  });
}

export async function listRefs(
  { read }: GitTools,
  { gitDir }: Repository,
  prefixes: readonly string[],
  signal: AbortSignal,
): Promise<Ref[]> {
  const argv = ['for-each-ref', '--format=%(objectname) %(refname)', '--', ...prefixes.map(checkedPrefix)];
  return parseRefs(await read({ at: { gitDir }, argv }, signal), prefixes);
}

/** Lines of an object's name, a blank or a tab, and a ref's name. */
export function parseRefs(listing: Buffer, prefixes: readonly string[]): Ref[] {
  const lines = isUtf8(listing) ? listing.toString('utf8').split('\n') : validLines(listing);
  const refs = lines.flatMap((line) => {
    const [, id = '', name = ''] = /^([0-9a-f]+)[ \t](.+)$/.exec(line) ?? [];
    return prefixes.some((prefix) => name.startsWith(prefix)) ? [{ name, id }] : [];
  });
  return refs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function validLines(listing: Buffer): string[] {
  const lines = listing
    .toString('latin1')
    .split('\n')
    .map((line) => Buffer.from(line, 'latin1'));
  return lines.filter((line) => isUtf8(line)).map((line) => line.toString('utf8'));
}

export async function swapRef(tools: GitTools, repository: Repository, { ref, from, to }: Swap, signal: AbortSignal): Promise<Swapped> {
  const at = { gitDir: repository.gitDir };
  checkedRef(ref);
  const [before, after] = [from === undefined ? undefined : checkedId(from), to === undefined ? undefined : checkedId(to)];
  const known = after ?? before;
  if (known === undefined) return outcome(await readRef(tools, repository, ref, signal), from, to) ?? { kind: 'already' };
  // The name of no object is as long as that of an object.
  const old = before ?? known.replace(/./g, '0');
  const change = after === undefined ? ['-d', ref, old] : [ref, after, old];
  try {
    await tools.run({ at, argv: ['update-ref', '-m', 'thermidor', '--no-deref', ...change] }, signal);
    return { kind: before === after ? 'already' : 'moved' };
  } catch (error) {
    if (problemOf(error) === undefined) throw error;
    const lost = outcome(await readRef(tools, repository, ref, signal), from, to);
    if (lost) return lost;
    throw error;
  }
}

/** The result of a failed swap, judged by the ref's value; undefined if it has the old value, so something else was wrong. */
export function outcome(actual: ObjectId | undefined, from: ObjectId | undefined, to: ObjectId | undefined): Swapped | undefined {
  if (actual === to) return { kind: 'already' };
  return actual === from ? undefined : { kind: 'stale', actual };
}
