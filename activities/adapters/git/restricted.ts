import { join } from 'node:path';
import type { GitPath, ObjectId, Repository } from '../../git-model';
import type { DiffRange } from '../../git-port';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { type OtherName, otherNames } from './other-names';
import { folderPathspecs, pathspecs } from './pathspecs';
import { unlessNothing } from './questions';
import { parseRawDiff } from './raw-diff';
import { withFolder } from './scratch-index';
import { leadsElsewhere, linksOf } from './tree-links';

type Diff = (form: readonly string[], paths?: readonly string[]) => Promise<Buffer>;

/**
 * The changed paths that patterns name, whatever their names in the tree. Invariants: 1. a path counts by each name that links of the new
 * tree give it; 2. an added, removed or changed link or submodule counts if a pattern names something below it; 3. a link counts that leads
 * to something a pattern names; 4. letter case counts as the repository treats it (`core.ignoreCase`).
 */
export async function restrictedPaths(
  tools: GitTools,
  { gitDir }: Repository,
  { to }: DiffRange,
  patterns: readonly string[],
  diff: Diff,
  signal: AbortSignal,
): Promise<GitPath[]> {
  const found = new Map<string, GitPath>();
  const add = (path: GitPath) => found.set(path.toString('latin1'), path);
  const named = pathspecs(patterns, false);
  if (named.length === 0) return [];
  const ignoresCase = await isCaseIgnored(tools, gitDir, signal);
  const groups = ignoresCase ? pathspecs(patterns, true) : named;
  const folders = folderPathspecs(patterns, ignoresCase);
  for (const paths of groups) for (const path of nulParts(await diff(['--name-only', '-z'], paths))) add(path);
  const changed = parseRawDiff(await diff(['--raw', '-z'])).map(({ path, mode, oldMode }) => ({
    path: path.toString('latin1'),
    leadsElsewhere: leadsElsewhere(mode) || leadsElsewhere(oldMode),
  }));
  if (changed.length === 0) return [];
  const fold = ignoresCase ? foldCase : (path: string) => path;
  const links = await linksOf(tools, { gitDir }, to, signal);
  const others = otherNames(changed, links, fold);
  // They cannot be enumerated: the links are to blame.
  if (!others) return [...found.values(), ...[...links.keys()].map((link) => Buffer.from(link, 'latin1'))];
  const all = [...changed.map((name) => ({ ...name, of: name.path })), ...others];
  const behind = all.filter(({ leadsElsewhere }) => leadsElsewhere);
  const fitting = [
    ...(await matching(tools, { gitDir, to }, others, groups, signal)),
    ...(await matching(tools, { gitDir, to }, behind, folders, signal)),
  ];
  for (const { path, of, isTarget } of fitting) for (const name of isTarget ? [of] : [of, path]) add(Buffer.from(name, 'latin1'));
  return [...found.values()];
}

async function isCaseIgnored({ ask }: GitTools, gitDir: string, signal: AbortSignal): Promise<boolean> {
  const argv = ['config', '--type=bool', '--get', 'core.ignoreCase'];
  return (await unlessNothing(ask({ at: { gitDir }, argv }, signal))) === 'true';
}

/** Folds case as git does. */
function foldCase(path: string): string {
  return path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The names that pathspecs match, by git's own rules: in an index, as if they were files. */
async function matching(
  { run, scratch }: GitTools,
  { gitDir, to }: { gitDir: string; to: ObjectId },
  names: readonly OtherName[],
  groups: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<OtherName[]> {
  if (names.length === 0 || groups.length === 0) return [];
  const anyId = '1'.repeat(to.length);
  const found = await withFolder({ scratch }, async (folder) => {
    const paths = new Set<string>();
    for (const [n, level] of levels(names).entries()) {
      const at = { gitDir, indexFile: join(folder, `${n}`) };
      const lines = level.map((path) => `100644 ${anyId}\t${path}\0`).join('');
      await run({ at, argv: ['update-index', '-z', '--index-info'], stdin: Buffer.from(lines, 'latin1') }, signal);
      for (const group of groups) {
        const listing = (await run({ at, argv: ['ls-files', '-z', '--', ...group] }, signal)).stdout;
        for (const path of nulParts(listing)) paths.add(path.toString('latin1'));
      }
    }
    return paths;
  });
  return names.filter(({ path }) => found.has(path));
}

/** An index cannot have a file in place of a folder: names below others go into another one. */
function levels(names: readonly OtherName[]): string[][] {
  const all = new Set(names.map(({ path }) => path));
  const byLevel: string[][] = [];
  for (const path of all) {
    let level = 0;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (all.has(path.slice(0, end))) level++;
    const paths = byLevel[level];
    if (paths) paths.push(path);
    else byLevel[level] = [path];
  }
  return byLevel.filter((paths) => paths.length > 0);
}
