/**
 * One string names a step's execution everywhere: status, gates, activity ids, journal, scripts, command line.
 *
 * build/tests[3]/ask#2~1
 *
 * Segments are step ids, outermost first, `[i]` an iteration or branch, `#round` counts revisions from 1, `~try` counts tries from 1.
 * People may leave out `#1~1`.
 *
 * Invariants: 1. `parse(format(a))` gives `a` back. 2. Two executions of one run never share an address, because a duplicate pending
 * activity id wedges a Temporal workflow.
 */
export interface Address {
  path: readonly Segment[];
  round: number;
  try: number;
}

export interface Segment {
  id: string;
  index?: number;
}

const SEGMENT = /^([A-Za-z0-9_-]+)(?:\[(\d{1,9})\])?$/;
const WHOLE = /^([^#~]+)(?:#(\d{1,6}))?(?:~(\d{1,6}))?$/;

/** The address in full, `#round~try` always written. */
export function formatAddress(address: Address): string {
  return `${formatPath(address.path)}#${address.round}~${address.try}`;
}

/** The address as people read it: `converge#2`, with whatever is 1 left out. */
export function shortAddress(address: Address): string {
  const round = address.round > 1 ? `#${address.round}` : '';
  const again = address.try > 1 ? `~${address.try}` : '';
  return `${formatPath(address.path)}${round}${again}`;
}

export function formatPath(path: readonly Segment[]): string {
  return path.map((s) => (s.index === undefined ? s.id : `${s.id}[${s.index}]`)).join('/');
}

/** Reads either form; undefined if the text is no address. */
export function parseAddress(text: string): Address | undefined {
  const whole = WHOLE.exec(text);
  if (!whole) return undefined;
  const path: Segment[] = [];
  for (const part of (whole[1] ?? '').split('/')) {
    const segment = SEGMENT.exec(part);
    if (!segment?.[1]) return undefined;
    path.push(segment[2] === undefined ? { id: segment[1] } : { id: segment[1], index: Number(segment[2]) });
  }
  const round = Number(whole[2] ?? 1);
  const again = Number(whole[3] ?? 1);
  if (round < 1 || again < 1) return undefined;
  return { path, round, try: again };
}

/** The path in an address, whatever its round and try; a text that is no address is its own path. */
export function pathIn(text: string): string {
  const address = parseAddress(text);
  return address ? formatPath(address.path) : text;
}

/** The id of the step that an address executes: its innermost segment. */
export function stepIdOf(address: Address): string {
  return address.path[address.path.length - 1]?.id ?? '';
}

/** Whether a path is within a container, at any depth. */
export function isWithin(path: string, container: string): boolean {
  const next = path[container.length];
  return path.length > container.length && (next === '/' || next === '[') && path.startsWith(container);
}
