import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type SourceNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { mappingOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';

/** Reads the keys of a vote that follows another step, written `{consensus: {voters, …}}`. `what`: the key that it is under, in words. */
export function readVote(entry: Entry, what: string, report: Report): Record<string, SourceNode> | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {consensus: {voters: [a, b, c]}}');
  if (!node) return undefined;
  checkKeys(node, { what, known: keysOf('vote-behind') }, report);
  requireKey(node, 'consensus', what, report, 'add `consensus: {voters: [a, b, c]}`');
  const consensus = entryOf(node, 'consensus');
  const keys = consensus && mappingOf(consensus, report, 'a mapping such as {voters: [a, b, c]}');
  if (!keys) return undefined;
  checkKeys(keys, { what: '"consensus"', known: keysOf('vote-keys') }, report);
  return Object.fromEntries(keys.entries.map(({ key, value }) => [key, value]));
}
