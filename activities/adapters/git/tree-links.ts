import type { GitPlace } from './git-process';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { GITLINK } from './status';

/**
 * Symbolic links of a tree, and the other names that they give to its paths. Paths are text of one character a byte (latin1). Pure except
 * for the reading; link targets outside of the tree are not read.
 */
export type TreeLinks = ReadonlyMap<string, string>;

const LINK = '120000';

/** Whether an entry has no content of its own in the tree: content behind it is seen under its name. */
export function leadsElsewhere(mode: string): boolean {
  return mode === LINK || mode === GITLINK;
}

/** A target longer than a path may be leads nowhere, and so does one that cannot be read here. */
const MOST_BYTES = 4096;
const NOWHERE = '/';

export async function linksOf({ run }: GitTools, at: GitPlace, commit: string, signal: AbortSignal): Promise<TreeLinks> {
  const listing = (await run({ at, argv: ['ls-tree', '-r', '-z', '--full-tree', commit] }, signal)).stdout;
  const links = nulParts(listing).flatMap((entry) => {
    // `mode type id TAB path`
    if (entry.toString('latin1', 0, LINK.length) !== LINK) return [];
    const [, id = '', path = ''] = /^\d+ \w+ (\w+)\t(.*)$/s.exec(entry.toString('latin1')) ?? [];
    return [{ id, path }];
  });
  if (links.length === 0) return new Map();
  const asked = (ids: readonly string[]) => ids.map((id) => `${id}\n`).join('');
  const sizes = await run({ at, argv: ['cat-file', '--batch-check'], stdin: asked(links.map(({ id }) => id)) }, signal);
  const small = sizes.stdout
    .toString('latin1')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([id = '', , size]) => (Number(size) <= MOST_BYTES ? [id] : []));
  const contents = batched((await run({ at, argv: ['cat-file', '--batch'], stdin: asked(small) }, signal)).stdout);
  return new Map(links.map(({ id, path }) => [path, contents.get(id) ?? NOWHERE]));
}

/** Each object is `id type size`, a line end, the content, a line end. */
function batched(answer: Buffer): Map<string, string> {
  const contents = new Map<string, string>();
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(0x0a, at);
    const [id = '', , size] = answer.toString('latin1', at, end).split(' ');
    contents.set(id, answer.toString('latin1', end + 1, end + 1 + Number(size)));
    at = end + Number(size) + 2;
  }
  return contents;
}

/** The final target of a link, and the links on the way there. Without a target it leads out of the tree, or in a circle. */
export interface LinkWay {
  link: string;
  end?: string;
  by: string[];
}

/** The same limit as Linux. */
const MOST_HOPS = 40;

/** @param fold gives the same text for all spellings that are one path to git */
export function waysOf(links: TreeLinks, fold: (path: string) => string): LinkWay[] {
  const targets = new Map([...links].map(([link, target]) => [fold(link), { link, target }]));
  return [...links.keys()].map((link) => {
    const by: string[] = [];
    const done: string[] = [];
    const left = link.split('/');
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (done.pop() === undefined) return { link, by };
        continue;
      }
      done.push(part);
      const found = targets.get(fold(done.join('/')));
      if (!found) continue;
      by.push(found.link);
      if (by.length > MOST_HOPS || found.target.startsWith('/')) return { link, by };
      done.pop();
      left.unshift(...found.target.split('/'));
    }
    const isOfGit = done.some((name) => name.toLowerCase() === '.git');
    return isOfGit ? { link, by } : { link, by, end: done.join('/') };
  });
}
