import { type AliasEvent, EVENT_ID, type Event, type MappingEvent, type ScalarEvent, type SequenceEvent } from 'js-yaml';
import { type Report, type SourceSpan, type SourceText, topOf } from '../diagnostics/diagnostic';
import { secondDocument, severalDocuments } from './documents';
import type { MappingNode, SourceNode } from './node';
import { readScalar } from './scalar';
import { refuseSplitTexts } from './split-text';

/** The deepest nesting. */
export const DEPTH_LIMIT = 100;
/** How many more nodes walking a tree may meet because of aliases than are written out. */
const ALIASED_NODE_LIMIT = 200_000;

interface Open extends Anchored {
  /** The mapping's key whose value comes next. */
  key?: SourceNode | undefined;
  keyIsAlias?: boolean;
  /** The keys so far, once there are many: a few are faster to scan. */
  keys?: Set<string>;
  anchor?: string;
}
interface Anchored {
  node: SourceNode;
  depth: number;
  nodes: number;
}

/** Builds the tree of the first document, iteratively: deeply nested text must not exhaust the stack. */
export function buildTree(source: SourceText, events: readonly Event[], report: Report): SourceNode | undefined {
  const spot = (start: number, end: number): SourceSpan => ({ source, start, end });
  const anchors = new Map<string, Anchored>();
  const open: Open[] = [];
  let documents = 0;
  let root: SourceNode | undefined;
  let bombed = false;
  let lastEnd = topOf(source).start;

  const add = (node: SourceNode, depth: number, nodes: number, alias: boolean): void => {
    const parent = open[open.length - 1];
    if (!parent) {
      root ??= node;
      return;
    }
    parent.depth = Math.max(parent.depth, depth + 1);
    parent.nodes += nodes;
    parent.node.at.end = Math.max(parent.node.at.end, alias ? lastEnd : node.at.end);
    if (!bombed && (parent.nodes > events.length + ALIASED_NODE_LIMIT || parent.depth > DEPTH_LIMIT)) {
      bombed = true;
      report(
        'yaml.alias-bomb',
        alias ? spot(lastEnd - 1, lastEnd) : node.at,
        'the file has too many values once its aliases are expanded',
        'write the values in full, or remove them',
      );
    }
    if (bombed) return;
    if (parent.node.kind === 'sequence') parent.node.items.push(node);
    else if (parent.node.kind === 'mapping') addToMapping(parent, parent.node, node, alias, report);
  };
  const anchorOf = (event: MappingEvent | SequenceEvent | ScalarEvent | AliasEvent): string | undefined =>
    event.anchorStart < 0 ? undefined : source.text.slice(event.anchorStart, event.anchorEnd);

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        documents++;
        if (documents === 2) severalDocuments(source, secondDocument(source.text) ?? { start: lastEnd, end: lastEnd + 1 }, report);
        anchors.clear();
        open.length = 0;
        break;
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        if (documents > 1) break;
        const at = spot(event.start, event.start + 1);
        const node: SourceNode =
          event.type === EVENT_ID.MAPPING ? { kind: 'mapping', at, entries: [] } : { kind: 'sequence', at, items: [] };
        const anchor = anchorOf(event);
        const opened: Open = { node, depth: 1, nodes: 1 };
        if (anchor !== undefined) opened.anchor = anchor;
        open.push(opened);
        checkTag(source, event, ['!!map', '!!seq'], report);
        break;
      }
      case EVENT_ID.SCALAR: {
        if (documents > 1) break;
        const node = readScalar(source, event, lastEnd, open[open.length - 1]?.node.kind === 'sequence', report);
        lastEnd = Math.max(lastEnd, node.at.end);
        const anchor = anchorOf(event);
        if (anchor !== undefined) anchors.set(anchor, { node, depth: 1, nodes: 1 });
        add(node, 1, 1, false);
        break;
      }
      case EVENT_ID.ALIAS: {
        if (documents > 1) break;
        const name = anchorOf(event) ?? '';
        lastEnd = event.anchorEnd;
        const target = anchors.get(name);
        if (target) add(target.node, target.depth, target.nodes, true);
        else {
          const at = spot(event.anchorStart - 1, event.anchorEnd);
          report('yaml.unknown-alias', at, `alias "*${name}" has no anchor before it`, 'put text that begins with `*` in quotes');
          add({ kind: 'scalar', at, value: null, text: '', style: 'plain', indent: 0, faulty: true }, 1, 1, false);
        }
        break;
      }
      case EVENT_ID.POP: {
        const done = open.pop();
        if (!done) break;
        if (done.node.kind === 'mapping') refuseSplitTexts(done.node, report);
        if (done.anchor !== undefined) anchors.set(done.anchor, done);
        add(done.node, done.depth, done.nodes, false);
        break;
      }
    }
  }
  if (bombed || documents > 1) return undefined;
  return root ?? { kind: 'scalar', at: topOf(source), value: null, text: '', style: 'plain', indent: 0 };
}

function addToMapping(parent: Open, mapping: MappingNode, node: SourceNode, alias: boolean, report: Report): void {
  if (parent.key === undefined) {
    parent.key = node;
    parent.keyIsAlias = alias;
    return;
  }
  const key = parent.key;
  parent.key = undefined;
  if (key.kind !== 'scalar' || parent.keyIsAlias) {
    report('yaml.bad-key', key.at, 'a key must be text', 'put the key in quotes');
    return;
  }
  if (hasKey(parent, mapping, key.text)) {
    report('yaml.duplicate-key', key.at, `the key "${key.text}" appears here for the second time`, 'remove one of the two');
    return;
  }
  parent.keys?.add(key.text);
  mapping.entries.push({ key: key.text, keyAt: key.at, value: node });
}

const FEW_KEYS = 16;

function hasKey(parent: Open, { entries }: MappingNode, key: string): boolean {
  if (entries.length < FEW_KEYS) return entries.some((entry) => entry.key === key);
  parent.keys ??= new Set(entries.map((entry) => entry.key));
  return parent.keys.has(key);
}

function checkTag(source: SourceText, event: MappingEvent | SequenceEvent, known: readonly string[], report: Report): void {
  if (event.tagStart < 0) return;
  const tag = source.text.slice(event.tagStart, event.tagEnd);
  if (!known.includes(tag))
    report('yaml.tag', { source, start: event.tagStart, end: event.tagEnd }, `the tag "${tag}" has no meaning here`, 'leave it out');
}
