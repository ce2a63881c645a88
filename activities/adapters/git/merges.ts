import { unreachable } from '../../../plan/unreachable';
import type { Merged, MergeRequest, Merges, ObjectId, Repository } from '../../git-port';
import { commitsOf, type NewCommit, signedBy, writeCommit } from './commits';
import type { GitTools } from './git-tools';
import { rebaseOnto } from './rebase';
import { threeWay } from './three-way';

export function mergesOf(tools: GitTools): Merges {
  return { merge: (repository, request, signal) => merge(tools, repository, request, signal) };
}

/** The commit that a candidate becomes. Invariant: the same request makes the same commit; no ref, index or checkout is touched. */
async function merge(tools: GitTools, repository: Repository, request: MergeRequest, signal: AbortSignal): Promise<Merged> {
  const { mergeBase, treeOf } = commitsOf(tools);
  const { onto, candidate, strategy } = request;
  const base = await mergeBase(repository, onto, candidate, signal);
  if (base === undefined) return { kind: 'unrelated' };
  const ontoTree = await treeOf(repository, onto, signal);
  if (base === candidate) return { kind: 'already', commit: onto, tree: ontoTree };
  if (strategy === 'rebase') return await rebaseOnto(tools, repository, request, { commit: onto, tree: ontoTree }, signal);
  const merged = await threeWay(tools, repository.gitDir, onto, candidate, signal);
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
    return { kind, conflicts, at: candidate, ...(request.markConflicts ? { commit: await written(tree) } : {}) };
  }
  if (tree === ontoTree) return { kind: 'already', commit: onto, tree };
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
