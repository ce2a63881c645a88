import type { Conflict, GitPath, ObjectId, Repository } from '../../activities/git-model';
import type { DiffRange, MergeRequest } from '../../activities/git-port';
import type { CandidateToMerge } from '../../activities/queue-port';
import type { MergedAs } from '../../plan/queue/queue-activities';
import type { WorktreeHost } from '../worktrees/worktree-host';
import { remarksOn } from './candidate-changes';

const MOST_PATHS = 100;
/** The limit of listed paths: a result about a hundred candidates still fits into a history. */
const MOST_PATH_CHARACTERS = 5000;

/** Makes the commit that has a candidate on top of another; moves nothing. */
export async function mergeOnto(
  host: WorktreeHost,
  repository: Repository,
  { restricted, judged, ...request }: CandidateToMerge & Pick<MergeRequest, 'onto' | 'strategy'>,
  signal: AbortSignal,
): Promise<MergedAs> {
  const { onto, candidate } = request;
  const fork = await host.git.commits.fork(repository, onto, candidate, signal);
  const { bases } = fork;
  const { restricted: restrictedIn, markers: markersIn } = host.git.diffs;
  const since = (from: ObjectId): DiffRange => ({ from, to: candidate });
  const forbidden = await inAll(bases, (from) => restrictedIn(repository, since(from), restricted, signal));
  if (forbidden.length > 0) return { kind: 'restricted', ...shown(forbidden) };
  const merging = host.git.merges.merge(repository, { ...request, fork }, signal);
  // Side by side: most candidates merge.
  const marking = inAll(bases, (from) => markersIn(repository, since(from), signal));
  await Promise.allSettled([merging, marking]);
  const merged = await merging;
  switch (merged.kind) {
    case 'merged': {
      const marked = await marking;
      if (marked.length > 0) return { kind: 'markers', ...shown(marked) };
      // The target may have another name for a changed path: a file that was moved meanwhile, a folder that is now a link.
      const landing = await restrictedIn(repository, { from: onto, to: merged.commit }, restricted, signal);
      if (landing.length > 0) return { kind: 'restricted', ...shown(landing) };
      return { kind: 'merged', commit: merged.commit, ...(await remarksOn(host.git, repository, { bases, candidate }, judged, signal)) };
    }
    case 'already':
      return { kind: 'already' };
    case 'conflict':
      return { kind: 'conflict', ...shown(merged.conflicts.map(({ path }: Conflict) => path)) };
    case 'unrelated':
      return { kind: 'unrelated' };
  }
}

/** The candidate's own changes since it left the target; if the two were merged crosswise, since each commit in which they met. */
async function inAll(bases: readonly ObjectId[], look: (base: ObjectId) => Promise<GitPath[]>): Promise<GitPath[]> {
  const [first = [], ...others] = await Promise.all(bases.map(look));
  return first.filter((path) => others.every((paths) => paths.some((other) => other.equals(path))));
}

/** Paths for a result, as many as it may have. */
export function shown(paths: readonly GitPath[]): { paths: string[]; morePaths?: number } {
  const texts = [...new Set(paths.map((path) => path.toString('utf8')))].sort();
  const some: string[] = [];
  for (let left = MOST_PATH_CHARACTERS; some.length < Math.min(texts.length, MOST_PATHS); ) {
    const text = texts[some.length] ?? '';
    left -= text.length;
    if (left < 0) break;
    some.push(text);
  }
  const more = texts.length - some.length;
  return { paths: some, ...(more > 0 ? { morePaths: more } : {}) };
}
