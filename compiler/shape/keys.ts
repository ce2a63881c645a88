import type { Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { foreignWordHint } from '../language/foreign-word-hint';
import type { ForeignPlace } from '../language/foreign-words';
import { entryOf, type MappingNode } from '../read/node';

export interface KnownKeys {
  /** What the mapping is, in words: "a pipeline", "an agent". */
  what: string;
  known: readonly string[];
  /** Keys of the language that come with a later version. */
  later?: readonly string[];
  /** Keys of the language that are elsewhere. */
  elsewhere?: readonly string[];
  /** The place for which other systems have keys of their own. */
  place?: ForeignPlace;
  /** Where a key that is not allowed here belongs, in words. */
  belongs?(key: string): string | undefined;
}

/** Reports every key of a mapping that is not allowed there. */
export function checkKeys(node: MappingNode, keys: KnownKeys, report: Report): void {
  for (const { key, keyAt } of node.entries) {
    if (keys.known.includes(key)) continue;
    if (keys.later?.includes(key)) report('language.unsupported', keyAt, `"${key}" is not supported yet`, 'leave it out');
    else if (keys.elsewhere?.includes(key)) {
      report(
        'shape.key-not-here',
        keyAt,
        `${keys.what} does not take "${key}"`,
        keys.belongs?.(key) ?? `it takes ${keys.known.join(', ')}`,
      );
    } else report('shape.unknown-key', keyAt, `${keys.what} has no key "${key}"`, unknownKeyHint(key, keys));
  }
}

function unknownKeyHint(key: string, keys: KnownKeys): string | undefined {
  if (key === '<<') return 'merge keys are not part of the language: write the values out';
  const answer = keys.place && foreignWordHint(keys.place, key);
  return answer ?? didYouMean(key, keys.known, keys.known.length > 0 ? `known: ${keys.known.join(', ')}` : undefined);
}

/** Reports a required key that is absent. */
export function requireKey(node: MappingNode, key: string, what: string, report: Report, hint?: string): void {
  if (entryOf(node, key)) return;
  report('shape.missing-key', headOf(node), `${what} has no "${key}"`, hint ?? `add \`${key}:\``);
}

/** The span of a mapping for a mistake about all of it: its first key, so that the caret does not mark a whole step. */
export function headOf(node: MappingNode): MappingNode['at'] {
  return node.entries[0]?.keyAt ?? node.at;
}
