import { sameness } from '../patterns/rank-texts';
import { percentDecoded } from '../text/percent-decoded';
import { entryId } from './entry-id';

/**
 * A team's memory: a Markdown file that runs add to and people edit. An entry is an item of a list at the margin, with Thermidor's own data
 * in a comment after it:
 *
 * - Run the linter before the tests. <!-- m-1a2b3c4d pattern confirmed=2 first=2026-01-02 last=2026-02-03 run=brief-7
 * runs=0f1e2d3c,4b5a6978 -->
 *
 * Invariants: 1. a line that is no entry stays unchanged; 2. an item without such a comment is a person's, and also an entry (`note`);
 * 3. an entry whose comment cannot be read stays unchanged, and is reported as a problem; 4. written entries read back the same.
 */
const ENTRY_KINDS = ['pattern', 'prevention', 'improvement'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export interface EntryFacts {
  id: string;
  kind: EntryKind;
  /** How many runs' post-mortems have named it. */
  confirmed: number;
  /** Days, `YYYY-MM-DD`. */
  first: string;
  last: string;
  /** The workflow id of the run that has named it first. */
  run: string;
  /** Digests of the runs that named it last: none counts twice. */
  runs: readonly string[];
}

/** The lines of an item, counted from 0; `to` is exclusive. */
interface Position {
  from: number;
  to: number;
}

export type MemoryItem = Position &
  (
    | ({ kind: 'entry'; text: string } & { facts: EntryFacts })
    /** Written by a person. */
    | { kind: 'note'; id: string; text: string }
    | { kind: 'unreadable'; problem: string }
  );

export interface MemoryFile {
  /** The lines unchanged, with their ends except for `\n`. */
  lines: readonly string[];
  items: readonly MemoryItem[];
}

/** The id by which an item is forgotten or confirmed; undefined if it cannot be read. */
export function idOf(item: MemoryItem): string | undefined {
  if (item.kind === 'entry') return item.facts.id;
  return item.kind === 'note' ? item.id : undefined;
}

const ITEM = /^[-*+][ \t]+\S/;
const CONTINUED = /^[ \t]+\S/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})\s*$/;

export function readMemory(text: string): MemoryFile {
  const lines = text.split('\n');
  const items: MemoryItem[] = [];
  const fenceEnd = fencesOf(lines);
  for (let at = 0; at < lines.length; at++) {
    at = fenceEnd(at) ?? at;
    if (!ITEM.test(lines[at] ?? '')) continue;
    let to = at + 1;
    while (CONTINUED.test(lines[to] ?? '')) to += 1;
    const item = itemIn(lines.slice(at, to), at + 1);
    // A line of marks, such as `- - -`, is not an item.
    if (item.kind !== 'note' || sameness(item.text) !== '') items.push({ from: at, to, ...item });
    at = to - 1;
  }
  return { lines, items };
}

/**
 * Finds the last line of the fence that begins at a line. A fence that never ends is not a fence, so that entries which runs add after it
 * are read.
 */
function fencesOf(lines: readonly string[]): (at: number) => number | undefined {
  // The shortest mark of each kind that has no end: a longer one further down has none either.
  const endless = new Map<string, number>();
  return (at) => {
    const mark = FENCE.exec(lines[at] ?? '')?.[1];
    if (mark === undefined) return undefined;
    const [kind = ''] = mark;
    if (mark.length >= (endless.get(kind) ?? Number.POSITIVE_INFINITY)) return undefined;
    for (let end = at + 1; end < lines.length; end++) if (FENCE_END.exec(lines[end] ?? '')?.[1]?.startsWith(mark)) return end;
    endless.set(kind, mark.length);
    return undefined;
  };
}

/** The limit of an item: a longer one is ignored. */
const MOST_CHARACTERS = 8192;
const BEGIN = /<!--\s{0,8}(?=m-)/;
const END = '-->';

function itemIn(lines: readonly string[], number: number) {
  const whole = lines.join('\n');
  if (whole.length > MOST_CHARACTERS) return unreadable(number, `it is longer than ${MOST_CHARACTERS} characters`);
  const comment = commentIn(whole);
  const text = textOf(comment ? `${whole.slice(0, comment.from)} ${whole.slice(comment.to)}` : whole);
  if (!comment) return BEGIN.test(whole) ? unreadable(number, 'its comment has no end') : noteOf(text);
  const facts = readFacts(comment.body);
  if (typeof facts === 'string') return unreadable(number, facts);
  if (text === '') return unreadable(number, 'it has no text');
  return { kind: 'entry', text, facts } as const;
}

/** The comment with an entry's data, and its position. */
function commentIn(text: string): { from: number; to: number; body: string } | undefined {
  const begin = BEGIN.exec(text);
  if (!begin) return undefined;
  const inside = begin.index + begin[0].length;
  const end = text.indexOf(END, inside);
  return end < 0 ? undefined : { from: begin.index, to: end + END.length, body: text.slice(inside, end).trim() };
}

function textOf(item: string): string {
  return item
    .replace(/^[-*+]/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function noteOf(text: string) {
  return { kind: 'note', id: entryId(sameness(text)), text } as const;
}

function unreadable(number: number, problem: string) {
  return { kind: 'unreadable', problem: `line ${number}: ${problem}` } as const;
}

const ID = /^m-[0-9a-f]{8}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns a text if something is wrong. */
function readFacts(body: string): EntryFacts | string {
  const [id = '', word = '', ...pairs] = body.split(/\s+/);
  const kind = ENTRY_KINDS.find((known) => known === word);
  const values = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const [first = '', last = '', run = '', runs = ''] = ['first', 'last', 'run', 'runs'].map((key) => values.get(key));
  const confirmed = Number(values.get('confirmed'));
  if (!ID.test(id)) return `"${id}" is not an id`;
  if (!kind) return `"${word}" is not one of ${ENTRY_KINDS.join(', ')}`;
  if (!Number.isSafeInteger(confirmed) || confirmed < 1) return '"confirmed" is not a count from 1 on';
  if (!DAY.test(first) || !DAY.test(last)) return '"first" or "last" is not a day such as 2026-01-31';
  const written = percentDecoded(run);
  if (written === undefined) return '"run" cannot be read';
  return { id, kind, confirmed, first, last, run: written, runs: runs === '' ? [] : runs.split(',') };
}

export function writeEntry(text: string, facts: EntryFacts): string {
  return `- ${withoutComments(text)} ${writeFacts(facts)}`;
}

function writeFacts({ id, kind, confirmed, first, last, run, runs }: EntryFacts): string {
  return `<!-- ${id} ${kind} confirmed=${confirmed} first=${first} last=${last} run=${encoded(run)} runs=${runs.join(',')} -->`;
}

/** The lines of an entry with other data; a person's edits of its text stay. */
export function withFacts(lines: readonly string[], facts: EntryFacts): string[] {
  const whole = lines.join('\n');
  const comment = commentIn(whole);
  return comment ? `${whole.slice(0, comment.from)}${writeFacts(facts)}${whole.slice(comment.to)}`.split('\n') : [...lines];
}

/** Escapes what would begin or end a comment. */
function withoutComments(text: string): string {
  return text.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
}

/** Escapes spaces, and what ends a comment. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
