import { goesInRounds, holdsBranches, iterates } from '../kinds/questions';
import type { JournalEntry } from '../plan/run/journal';
import type { RunView } from '../plan/run/status';
import { formatPath, parseAddress, type Segment } from '../plan/steps/address';
import { type ExistingTurns, noSuchTurn } from '../plan/steps/existing-turns';
import { pathOfStep } from './rendering/step-tree';

/** Steps of which a run keeps no record, because their turn is over: the journal still names them. */

/** Whether an address leads into a turn or an iteration that is over, or that there never was. */
export function isPast({ steps }: RunView, given: string): boolean {
  const address = parseAddress(given);
  if (!address || address.path.length === 1) return false;
  const place = formatPath(address.path);
  return !steps.some((step) => pathOfStep(step) === place);
}

export interface PastStep {
  /** What the journal has of the step itself, in the round that the address names, else in all of them. */
  entries: JournalEntry[];
  /** The paths of all steps in the journal. */
  places: ReadonlySet<string>;
}

export async function happenedAt(given: string, pages: AsyncIterable<readonly JournalEntry[]>): Promise<PastStep> {
  const named = parseAddress(given);
  const round = given.includes('#') ? named?.round : undefined;
  const place = named && formatPath(named.path);
  const found = { entries: [] as JournalEntry[], places: new Set<string>() };
  for await (const page of pages) {
    for (const entry of page) {
      const at = 'step' in entry && entry.step !== undefined ? parseAddress(entry.step) : undefined;
      if (!at) continue;
      const path = formatPath(at.path);
      found.places.add(path);
      if (path === place && (round ?? at.round) === at.round) found.entries.push(entry);
    }
  }
  return found;
}

/** Says of an address at which nothing has happened what there is in its place; undefined if the journal has nothing around it. */
export function whatThereIs(view: RunView, given: string, places: PastStep['places']): string | undefined {
  const path = parseAddress(given)?.path ?? [];
  for (const [at, { id, index }] of path.entries()) {
    const outer = formatPath(path.slice(0, at));
    const there = segmentsIn(outer, at, places);
    const same = there.filter((other) => other.id === id);
    if (same.some((other) => other.index === index)) continue;
    const numbers = same.flatMap((other) => other.index ?? []);
    if (index === undefined || numbers.length === 0) {
      if (at === 0 || there.length === 0) return undefined;
      return `${outer} has no ${id}: it has ${[...new Set(there.map((other) => other.id))].join(', ')}`;
    }
    const container = formatPath([...path.slice(0, at), { id }]);
    return noSuchTurn(container, index, { word: wordFor(view, container), first: Math.min(...numbers), last: Math.max(...numbers) });
  }
  return undefined;
}

function segmentsIn(outer: string, depth: number, places: PastStep['places']): Segment[] {
  return [...places].flatMap((place) => {
    const path = parseAddress(place)?.path ?? [];
    return formatPath(path.slice(0, depth)) === outer ? (path[depth] ?? []) : [];
  });
}

function wordFor({ steps }: RunView, container: string): ExistingTurns['word'] {
  const step = steps.find((one) => pathOfStep(one) === container);
  if (step === undefined) return 'turn';
  if (holdsBranches(step)) return 'branch';
  if (!iterates(step)) return 'turn';
  return goesInRounds(step) ? 'round' : 'iteration';
}
