import { type CharSet, overlap } from './char-set';
import { type Part, readPattern } from './parts';

/**
 * Whether a regular expression can take time that grows exponentially with the text it is tried on, in words where it can.
 * Node's matcher goes back and tries again; it runs away exactly where it can come from one place of the expression back to
 * it in two ways over the same characters (as in `(a+)+`). Two walkers through the expression find such a place: they start
 * together, go apart, and meet where they began.
 *
 * Invariants: 1. the answer depends on the text alone, and comes within `WORK_LIMIT` moves; 2. a count over `COPIES` is
 * taken for "any number", so that the answer may be too strict and is never too lax.
 */
export function runaway(text: string): string | undefined {
  if (text.length > LENGTH_LIMIT) return `it is longer than ${LENGTH_LIMIT} characters`;
  if (nesting(text) > NESTING_LIMIT) return 'its groups are nested too deeply';
  const { root, asides, backreference } = readPattern(text);
  if (backreference) return 'it refers back to what it has matched';
  for (const part of [root, ...asides]) {
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const LENGTH_LIMIT = 2000;
const NESTING_LIMIT = 50;
const PLACE_LIMIT = 1000;
const WORK_LIMIT = 500_000;
const COPIES = 3;
const TOO_LARGE = 'it is too large to be checked';

function nesting(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const char of text) {
    if (char === '(') deepest = Math.max(deepest, ++depth);
    else if (char === ')') depth--;
  }
  return deepest;
}

/** The places where a character is taken, and in how many ways one leads to the next. */
class Places {
  readonly sets: CharSet[] = [];
  readonly ways: Map<number, number>[] = [];
  moves = 0;

  add(set: CharSet): number {
    this.sets.push(set);
    this.ways.push(new Map());
    return this.sets.length - 1;
  }

  join(from: readonly number[], to: readonly number[]): void {
    this.moves += from.length * to.length;
    if (this.tooLarge) return;
    for (const a of from) for (const b of to) this.ways[a]?.set(b, (this.ways[a]?.get(b) ?? 0) + 1);
  }

  get tooLarge(): boolean {
    return this.sets.length > PLACE_LIMIT || this.moves > WORK_LIMIT;
  }
}

/** Where a part can begin and end, and whether it can be passed over. */
interface Ends {
  first: number[];
  last: number[];
  empty: boolean;
}

function lay(part: Part, places: Places): Ends {
  if (places.tooLarge) return { first: [], last: [], empty: true };
  switch (part.kind) {
    case 'chars': {
      const place = places.add(part.set);
      return { first: [place], last: [place], empty: false };
    }
    case 'one-of': {
      const ends = part.parts.map((one) => lay(one, places));
      return { first: ends.flatMap((e) => e.first), last: ends.flatMap((e) => e.last), empty: ends.some((e) => e.empty) };
    }
    case 'all':
      return inTurn(part.parts, places);
    case 'repeat': {
      const { min, max } = part;
      if (max <= COPIES) {
        const optional: Part = { kind: 'one-of', parts: [part.part, { kind: 'all', parts: [] }] };
        return inTurn(
          Array.from({ length: max }, (_, i) => (i < min ? part.part : optional)),
          places,
        );
      }
      const ends = lay(part.part, places);
      places.join(ends.last, ends.first);
      return { ...ends, empty: ends.empty || min === 0 };
    }
  }
}

function inTurn(parts: readonly Part[], places: Places): Ends {
  let whole: Ends = { first: [], last: [], empty: true };
  for (const part of parts) {
    const next = lay(part, places);
    places.join(whole.last, next.first);
    whole = {
      first: whole.empty ? [...whole.first, ...next.first] : whole.first,
      last: next.empty ? [...whole.last, ...next.last] : next.last,
      empty: whole.empty && next.empty,
    };
  }
  return whole;
}

function problemOf(part: Part): string | undefined {
  const places = new Places();
  lay(part, places);
  if (places.tooLarge) return TOO_LARGE;
  const pairs = pairsFrom(places);
  if (!pairs) return TOO_LARGE;
  const component = components(pairs);
  const together = new Set<number>();
  const count = places.sets.length;
  for (let place = 0; place < count; place++) {
    const found = component.get(place * count + place);
    if (found !== undefined) together.add(found);
  }
  for (const [pair, found] of component) {
    const [a, b] = [Math.floor(pair / count), pair % count];
    const apart = a !== b || [...(places.ways[a] ?? [])].some(([next, ways]) => ways > 1 && component.get(next * count + next) === found);
    if (apart && together.has(found)) return 'a repetition in it can be gone through in several ways, as in (a+)+';
  }
  return undefined;
}

/** Where two walkers over the same characters can get from being together: each pair with those that follow. */
function pairsFrom({ sets, ways }: Places): Map<number, number[]> | undefined {
  const count = sets.length;
  const like = sets.map((set) => sets.flatMap((other, i) => (overlap(set, other) ? [i] : [])));
  const found = new Map<number, number[]>();
  const queue = sets.map((_, place) => place * count + place);
  let work = 0;
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    if (found.has(pair)) continue;
    const [a, b] = [Math.floor(pair / count), pair % count];
    const next: number[] = [];
    for (const one of ways[a]?.keys() ?? []) {
      for (const other of like[one] ?? []) {
        if (++work > WORK_LIMIT) return undefined;
        if (ways[b]?.has(other)) next.push(one * count + other);
      }
    }
    found.set(pair, next);
    queue.push(...next);
  }
  return found;
}

/** The circles of a graph: each node that lies on one, with the number of its circle (Tarjan, without recursion). */
function components(graph: ReadonlyMap<number, readonly number[]>): Map<number, number> {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const found = new Map<number, number>();
  let circles = 0;
  for (const root of graph.keys()) {
    if (order.has(root)) continue;
    const path = [{ node: root, next: 0 }];
    for (let top = path[0]; top; top = path[path.length - 1]) {
      const { node } = top;
      if (!order.has(node)) {
        order.set(node, order.size);
        low.set(node, order.size - 1);
        open.push(node);
        isOpen.add(node);
      }
      const child = graph.get(node)?.[top.next++];
      if (child === undefined) {
        path.pop();
        const parent = path[path.length - 1];
        if (parent) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(node) ?? 0));
        if (low.get(node) !== order.get(node)) continue;
        const members = open.splice(open.indexOf(node));
        for (const member of members) isOpen.delete(member);
        const round = members.length > 1 || graph.get(node)?.includes(node) === true;
        if (round) for (const member of members) found.set(member, circles);
        circles++;
      } else if (!order.has(child)) path.push({ node: child, next: 0 });
      else if (isOpen.has(child)) low.set(node, Math.min(low.get(node) ?? 0, order.get(child) ?? 0));
    }
  }
  return found;
}
