import { onOneLine, sameness } from '../patterns/rank-texts';
import { entryId, shortDigest } from './entry-id';
import { type EntryFacts, type EntryKind, idOf, type MemoryItem, readMemory, withFacts, writeEntry } from './memory-file';

/** What a run's post-mortem adds to a memory file. */
export interface Learned {
  lessons: readonly Lesson[];
  /** Entries that held in this run, by id. */
  confirmed: readonly string[];
  /** The run: its workflow id, and the id of its first execution, which no other run has. */
  run: string;
  runId: string;
  /** `YYYY-MM-DD`. */
  day: string;
}

export interface Lesson {
  kind: EntryKind;
  text: string;
}

export interface Remembered {
  text: string;
  added: number;
  confirmed: number;
  /** Entries in the file that cannot be read. */
  problems: string[];
}

/** The most characters of a lesson, and the most lessons that one run may add. */
const MOST_LESSON_CHARACTERS = 500;
export const MOST_LESSONS = 20;
/** How many runs an entry remembers: a run that continues after so many others would count twice. */
const MOST_RUNS = 20;

/**
 * A memory file with what a run has learned: a known lesson is confirmed, once by this run, and a new one is added at the end.
 *
 * Invariants: 1. a lesson that comes again from the same run changes nothing; 2. lines that are not entries of a run stay unchanged; 3. two
 * lessons are the same if their letters and digits are, ignoring case; a lesson that a person has written down is known.
 */
export function remember(file: string | undefined, learned: Learned, title: string): Remembered {
  const { lines, items } = readMemory(file ?? `# ${title}\n`);
  const known = new Map<string, MemoryItem>();
  for (const item of items) {
    if (item.kind === 'unreadable') continue;
    for (const key of [sameness(item.text), item.kind === 'entry' ? item.facts.id : ''])
      if (key !== '' && !known.has(key)) known.set(key, item);
  }
  const own = shortDigest(learned.runId);
  const confirmed = new Map<number, EntryFacts>();
  const added: string[] = [];
  const confirm = (item: MemoryItem): void => {
    if (item.kind !== 'entry' || item.facts.runs.includes(own)) return;
    const { facts } = item;
    confirmed.set(item.from, {
      ...facts,
      confirmed: facts.confirmed + 1,
      last: learned.day > facts.last ? learned.day : facts.last,
      runs: [...facts.runs, own].slice(-MOST_RUNS),
    });
  };
  for (const id of learned.confirmed) {
    const item = known.get(id);
    if (item) confirm(item);
  }
  const ids = new Set(items.flatMap((item) => idOf(item) ?? []));
  const fresh = new Set<string>();
  for (const { kind, text } of learned.lessons) {
    const line = onOneLine(text, MOST_LESSON_CHARACTERS);
    const key = sameness(line);
    const item = known.get(key);
    if (item) confirm(item);
    if (item || key === '' || fresh.has(key) || added.length >= MOST_LESSONS) continue;
    fresh.add(key);
    const id = freeId(key, ids);
    const facts = { id, kind, confirmed: 1, first: learned.day, last: learned.day, run: learned.run, runs: [own] };
    added.push(writeEntry(line, facts));
  }
  return {
    text: written(lines, items, confirmed, added),
    added: added.length,
    confirmed: confirmed.size,
    problems: items.flatMap((item) => (item.kind === 'unreadable' ? [item.problem] : [])),
  };
}

function freeId(key: string, ids: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const id = entryId(key, attempt);
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}

function written(
  lines: readonly string[],
  items: readonly MemoryItem[],
  confirmed: ReadonlyMap<number, EntryFacts>,
  added: readonly string[],
): string {
  const all = [...lines];
  // Goes from the end, because an entry may get other line numbers afterwards.
  for (const { from, to } of items.toReversed()) {
    const facts = confirmed.get(from);
    if (facts) all.splice(from, to - from, ...withFacts(lines.slice(from, to), facts));
  }
  if (added.length === 0) return all.join('\n');
  const end = lines.some((line) => line.endsWith('\r')) ? '\r\n' : '\n';
  const text = all.join('\n');
  const last = items.at(-1);
  const follows = last !== undefined && lines.slice(last.to).every((line) => line.trim() === '');
  // A list continues; anything else is set apart from it.
  const between = text.endsWith('\n') || text === '' ? '' : end;
  return `${text}${between}${follows || text === '' ? '' : end}${added.map((line) => `${line}${end}`).join('')}`;
}

/** The file without some entries, written by runs or by people; `forgotten` are those that it had. */
export function forget(file: string, ids: readonly string[]): { text: string; forgotten: string[] } {
  const { lines, items } = readMemory(file);
  const gone = items.flatMap((item) => {
    const id = idOf(item);
    return id !== undefined && ids.includes(id) ? [{ id, ...item }] : [];
  });
  const kept = lines.filter((_, at) => !gone.some(({ from, to }) => from <= at && at < to));
  return { text: kept.join('\n'), forgotten: gone.map(({ id }) => id) };
}
