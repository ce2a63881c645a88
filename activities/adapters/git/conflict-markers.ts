import type { GitPath, Repository } from '../../git-model';
import type { DiffRange } from '../../git-port';
import type { GitTools } from './git-tools';
import { nulParts } from './listings';
import { checkedId } from './names';

/** Uses at most two processes, and one if no line looks like a marker. */
export async function addedMarkers({ run }: GitTools, { gitDir }: Repository, range: DiffRange, signal: AbortSignal): Promise<GitPath[]> {
  const diff = async (form: readonly string[], paths: readonly string[] = []): Promise<Buffer> => {
    const argv = ['diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', ...form];
    const { stdout } = await run({ at: { gitDir }, argv: [...argv, checkedId(range.from), checkedId(range.to), '--', ...paths] }, signal);
    return stdout;
  };
  const suspects = nulParts(await diff(['--name-only', '-z', '--diff-filter=AM', '-G^(<<<<<<<|>>>>>>>)']));
  const found: GitPath[] = [];
  for (const path of suspects) {
    // Arguments of a process are text: a file whose name is not text is not checked.
    const pathspec = path.equals(Buffer.from(path.toString('utf8'))) ? [`:(top,literal)${path.toString('utf8')}`] : undefined;
    if (pathspec && addsMarkers(await diff(['-p', '-U0'], pathspec))) found.push(path);
  }
  return found;
}

const MARKERS = [/^\+<{7}( |\r?$)/, /^\+={7}\r?$/, /^\+>{7}( |\r?$)/];

/** All three in their order, in what a patch of one file adds. */
function addsMarkers(patch: Buffer): boolean {
  let next = 0;
  for (const line of patch.toString('latin1').split('\n')) {
    if (MARKERS[0]?.test(line)) next = 1;
    else if (next > 0 && MARKERS[next]?.test(line)) next++;
    if (next === MARKERS.length) return true;
  }
  return false;
}
