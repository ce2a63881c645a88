import type { SourceSpan } from '../diagnostics/diagnostic';

/**
 * A YAML text as a tree that knows the place of every node. An aliased node is the same object in several places; `read/yaml.ts` has made
 * sure that walking the tree still ends soon.
 */
export type SourceNode = ScalarNode | SequenceNode | MappingNode;

export interface ScalarNode {
  kind: 'scalar';
  at: SourceSpan;
  /** What the scalar says as JSON: 5 for `5`, "5" for `"5"`. */
  value: string | number | boolean | null;
  /** Its characters after unquoting and folding. */
  text: string;
  style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  /** Indentation of a block scalar's lines. */
  indent: number;
  /** The node carried a tag that has already been reported: nothing more need be said about its value. */
  faulty?: true;
}

export interface SequenceNode {
  kind: 'sequence';
  at: SourceSpan;
  items: SourceNode[];
}

export interface MappingNode {
  kind: 'mapping';
  at: SourceSpan;
  entries: Entry[];
}

export interface Entry {
  key: string;
  keyAt: SourceSpan;
  value: SourceNode;
}

/** A loop rather than `find`, because it runs for every step and every key that a step may have. */
export function entryOf(node: MappingNode, key: string): Entry | undefined {
  for (const entry of node.entries) if (entry.key === key) return entry;
  return undefined;
}

/** What people call the node: "a list", "text", "the number 5". */
export function describeNode(node: SourceNode): string {
  if (node.kind === 'sequence') return 'a list';
  if (node.kind === 'mapping') return 'a mapping';
  if (node.value === null) return 'nothing';
  if (typeof node.value === 'string') return `the text ${JSON.stringify(shorten(node.value))}`;
  return `${typeof node.value === 'number' ? 'the number' : 'the truth value'} ${node.text}`;
}

export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
