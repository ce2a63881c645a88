import { type Address, formatPath, parseAddress, type Segment, shortAddress } from '../../plan/steps/address';
import { addressOfCall } from '../../plan/steps/call-address';

/** A log by its name, and what it is the log of. */
export interface NamedLog {
  name: string;
  address: Address;
  /** The name for people: `build/tests[3]/ask#2`, followed by the call's own part. */
  shown: string;
}

export interface LogChoice {
  /** A step's id, place or address. Absent: every log. */
  step?: string;
  try?: number;
}

export function namedLogs(names: readonly string[]): NamedLog[] {
  return names.flatMap((name) => {
    const address = addressOfCall({ id: name });
    return address ? [{ name, address, shown: shortAddress(address) + name.replace(/^[^#~]+#\d+~\d+/, '') }] : [];
  });
}

/**
 * The logs that are asked for. A step means its newest round and try, unless the address or `try` says another; a step that holds others
 * means theirs; an id that is in several places, all of them.
 */
export function chooseLogs(logs: readonly NamedLog[], { step, try: wanted }: LogChoice): NamedLog[] {
  const at = step === undefined ? undefined : placeLogs(logs, step);
  const round = step?.includes('#') ? parseAddress(step)?.round : undefined;
  const again = wanted ?? (step?.includes('~') ? parseAddress(step)?.try : undefined);
  const fits = (at ?? [...logs]).filter(
    ({ address }) => (round === undefined || address.round === round) && (again === undefined || address.try === again),
  );
  if (at === undefined) return fits;
  const newest = new Map<string, Address>();
  for (const { address } of fits) {
    const place = formatPath(address.path);
    const known = newest.get(place);
    if (!known || isNewer(address, known)) newest.set(place, address);
  }
  return fits.filter(({ address }) => {
    const chosen = newest.get(formatPath(address.path));
    return chosen?.round === address.round && chosen.try === address.try;
  });
}

function isNewer(a: Address, b: Address): boolean {
  return a.round > b.round || (a.round === b.round && a.try > b.try);
}

function placeLogs(logs: readonly NamedLog[], step: string): NamedLog[] {
  const path = parseAddress(step)?.path ?? [];
  if (path.length === 0) return [];
  const exact = logs.filter(({ address }) => formatPath(address.path) === formatPath(path));
  if (exact.length > 0) return exact;
  const within = logs.filter(({ address }) => isWithin(address.path, path));
  if (within.length > 0) return within;
  const [only, ...more] = path;
  return only && more.length === 0 && only.index === undefined ? logs.filter(({ address }) => address.path.at(-1)?.id === only.id) : [];
}

function isWithin(path: readonly Segment[], container: readonly Segment[]): boolean {
  return container.every(({ id, index }, n) => path[n]?.id === id && (index === undefined || path[n]?.index === index));
}
