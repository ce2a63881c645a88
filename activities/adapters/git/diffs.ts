import { defined } from '../../../plan/defined';
import type { ChangedPath, DiffStat, GitPath, Repository } from '../../git-model';
import type { DiffRange, Diffs } from '../../git-port';
import { addedMarkers } from './conflict-markers';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { checkedId } from './names';
import { parseRawDiff } from './raw-diff';
import { restrictedPaths } from './restricted';

/** Differences of commits, as the repository has them: no program or setting of a user changes how they are shown. */
export function diffsOf(tools: GitTools): Diffs {
  const { run } = tools;
  const diff = async (
    { gitDir }: Repository,
    { from, to }: DiffRange,
    form: readonly string[],
    signal: AbortSignal,
    more: { limitBytes?: number; paths?: readonly string[] } = {},
  ) => {
    const { limitBytes, paths = [] } = more;
    const argv = ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--ignore-submodules=none', ...form];
    const range = [checkedId(from), checkedId(to), '--', ...paths];
    return (await run({ at: { gitDir }, argv: [...argv, ...range], ...defined({ limitBytes }) }, signal)).stdout;
  };
  return {
    async changed(repository, range, signal) {
      return parseRawDiff(await diff(repository, range, ['--raw', '-z'], signal)).map(asChanged);
    },
    async stat(repository, range, signal) {
      return nulParts(await diff(repository, range, ['--numstat', '-z'], signal)).map(parseStat);
    },
    async patch(repository, range, limitBytes, signal, paths = []) {
      return await diff(repository, range, ['-p', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/'], signal, {
        limitBytes,
        paths: paths.map((path) => `:(top,literal)${path}`),
      });
    },
    restricted: (repository, range, patterns, signal) =>
      restrictedPaths(tools, repository, range, patterns, (form, paths = []) => diff(repository, range, form, signal, { paths }), signal),
    markers: (repository, range, signal) => addedMarkers(tools, repository, range, signal),
  };
}

function asChanged({ path, change, mode }: ChangedPath): ChangedPath {
  return { path, change, mode };
}

/** `added TAB deleted TAB path`; two dashes for binary content. */
function parseStat(part: Buffer): DiffStat {
  const first = part.indexOf(0x09);
  const second = part.indexOf(0x09, first + 1);
  const path: GitPath = part.subarray(second + 1);
  const [added, deleted] = [part.toString('latin1', 0, first), part.toString('latin1', first + 1, second)];
  return added === '-' ? { path } : { path, lines: { added: Number(added), deleted: Number(deleted) } };
}
