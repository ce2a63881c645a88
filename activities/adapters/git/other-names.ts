import { type LinkWay, type TreeLinks, waysOf } from './tree-links';

/** A changed path, as text of one character a byte. Anything may be below one that `leadsElsewhere`. */
export interface ChangedName {
  path: string;
  leadsElsewhere: boolean;
}

export interface OtherName extends ChangedName {
  /** The path as the tree has it. */
  of: string;
  /** It is the unchanged target of a changed link. */
  isTarget?: true;
}

/** The most names of one path: links may be behind links. Each new link is itself checked, so the inner ones cannot be added unseen. */
const MOST_LINKS = 4;
/** Most names of all paths together: links that lead to folders around them multiply names. */
const MOST_NAMES = 20_000;

/**
 * The other names of changed paths, through the links of a tree: `ci/x` for `tools/x` if `ci` leads to `tools`; the link `ci` if another on
 * its way has changed; and the target of a changed link, with a name below it, which stands for everything there. Pure.
 *
 * Undefined: there are more than are checked.
 */
export function otherNames(changed: readonly ChangedName[], links: TreeLinks, fold: (path: string) => string): OtherName[] | undefined {
  if (links.size === 0) return [];
  const ways = waysOf(links, fold);
  const byEnd = grouped(ways.flatMap((way) => (way.end === undefined ? [] : [[fold(way.end), way] as const])));
  const byHop = grouped(ways.flatMap((way) => way.by.map((hop) => [fold(hop), way] as const)));
  const wayOf = new Map(ways.map((way) => [way.link, way]));
  const names: OtherName[] = [];
  const seen = new Set<string>();
  const add = (name: OtherName): boolean => {
    const key = `${name.leadsElsewhere ? 'l' : 'f'}${name.path}\0${name.of}`;
    if (seen.has(key)) return false;
    seen.add(key);
    names.push(name);
    return true;
  };
  for (const one of changed) {
    const of = one.path;
    let open: ChangedName[] = [one];
    for (let n = 0; n < MOST_LINKS && open.length > 0; n++) {
      const next: ChangedName[] = [];
      for (const name of open) {
        next.push(...namesThrough(name, byEnd, byHop, fold).filter((other) => add({ ...other, of })));
        if (names.length > MOST_NAMES) return undefined;
      }
      open = next;
    }
    const end = one.leadsElsewhere ? wayOf.get(of)?.end : undefined;
    if (end) for (const path of [end, `${end}/${ANYTHING}`]) add({ path, leadsElsewhere: false, of, isTarget: true });
  }
  return names;
}

/** A name that only a pattern for a whole folder matches. */
const ANYTHING = '\u0001';

type Ways = ReadonlyMap<string, readonly LinkWay[]>;

function namesThrough({ path, leadsElsewhere }: ChangedName, byEnd: Ways, byHop: Ways, fold: (path: string) => string): ChangedName[] {
  const found: ChangedName[] = [];
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : Math.max(path.lastIndexOf('/', end - 1), 0)) {
    const rest = path.slice(end === 0 ? 0 : end + 1);
    for (const { link } of byEnd.get(fold(path.slice(0, end))) ?? []) {
      found.push({ path: rest === '' ? link : `${link}/${rest}`, leadsElsewhere });
    }
  }
  if (leadsElsewhere) {
    for (const { link } of byHop.get(fold(path)) ?? []) if (link !== path) found.push({ path: link, leadsElsewhere });
  }
  return found;
}

function grouped<T>(entries: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
