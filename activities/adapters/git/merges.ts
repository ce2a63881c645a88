import { defined } from '../../../plan/defined';
import { unreachable } from '../../../plan/unreachable';
import type { Merged, ObjectId, Repository } from '../../git-model';
import type { MergeRequest, Merges } from '../../git-port';
import { forkOf, type NewCommit, writeCommit } from './commits';
import type { GitTools } from './git-tools';
import { rebaseOnto } from './rebase';
import { signedBy } from './signed-by';
import { threeWay } from './three-way';

export function mergesOf(tools: GitTools): Merges {
  return { merge: (repository, request, signal) => merge(tools, repository, request, signal) };
}

/** The commit that a candidate becomes. Invariant: the same request makes the same commit; no ref, index or checkout is touched. */
async function merge(tools: GitTools, repository: Repository, request: MergeRequest, signal: AbortSignal): Promise<Merged> {
  const { onto, candidate, strategy, allowEmpty } = request;
  // Side by side: few candidates have nothing to merge.
  const asked = request.fork ?? forkOf(tools, repository, onto, candidate, signal);
  const tried = strategy === 'rebase' ? undefined : threeWay(tools, repository.gitDir, onto, candidate, signal);
  await Promise.allSettled([asked, tried]);
  const { tree: ontoTree, bases } = await asked;
  const [base] = bases;
  if (base === undefined) return { kind: 'unrelated' };
  if (base === candidate && !allowEmpty) return { kind: 'already', commit: onto, tree: ontoTree };
  if (strategy === 'rebase' || !tried) return await rebaseOnto(tools, repository, request, { commit: onto, tree: ontoTree }, signal);
  const merged = await tried;
  const written = (tree: ObjectId): Promise<ObjectId> => {
    const commit: NewCommit = {
      tree,
      parents: parentsOf(strategy, onto, candidate),
      message: request.message,
      env: signedBy(request.signature),
    };
    return writeCommit(tools, repository.gitDir, commit, signal);
  };
  const { tree } = merged;
  if (merged.kind === 'conflict') {
    const { kind, conflicts } = merged;
    return { kind, conflicts, at: candidate, ...defined({ commit: request.markConflicts && (await written(tree)) }) };
  }
  if (tree === ontoTree && !allowEmpty) return { kind: 'already', commit: onto, tree };
  return { kind: 'merged', commit: await written(tree), tree };
}

function parentsOf(strategy: 'merge' | 'squash', onto: ObjectId, candidate: ObjectId): ObjectId[] {
  switch (strategy) {
    case 'merge':
      return [onto, candidate];
    case 'squash':
      return [onto];
    default:
      return unreachable(strategy);
  }
}
