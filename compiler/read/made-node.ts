import type { SourceSpan } from '../diagnostics/diagnostic';
import type { Entry, MappingNode, SourceNode } from './node';

/**
 * Nodes that the file does not spell out: JSON with nodes of the file in it. Mistakes in it are reported `at` the node that it was made
 * from.
 */
export type Made = SourceNode | string | number | boolean | readonly Made[] | { readonly [key: string]: Made | undefined };

export function madeNode(made: Made, at: SourceSpan): SourceNode {
  if (typeof made !== 'object') return { kind: 'scalar', at, value: made, text: String(made), style: 'plain', indent: 0 };
  if (isNode(made)) return made;
  if (isList(made)) return { kind: 'sequence', at, items: made.map((item) => madeNode(item, at)) };
  const entries = Object.entries(made).flatMap(([key, value]): Entry[] =>
    value === undefined ? [] : [{ key, keyAt: at, value: madeNode(value, at) }],
  );
  return { kind: 'mapping', at, entries } satisfies MappingNode;
}

function isNode(made: object): made is SourceNode {
  return 'kind' in made && 'at' in made;
}

function isList(made: Made): made is readonly Made[] {
  return Array.isArray(made);
}
