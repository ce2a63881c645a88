import type { Merged, ObjectId, Repository, Signature } from '../../git-model';
import type { MergeRequest } from '../../git-port';
import { writeCommit } from './commits';
import type { GitTools } from './git-tools';
import { signedBy } from './signed-by';
import { type ThreeWay, threeWay } from './three-way';

interface Tip {
  commit: ObjectId;
  tree: ObjectId;
}

/** Rebases the candidate's commits one by one, without a checkout. Commits that change nothing there are left out. */
export async function rebaseOnto(
  tools: GitTools,
  repository: Repository,
  { onto, candidate, signature }: MergeRequest,
  start: Tip,
  signal: AbortSignal,
): Promise<Merged> {
  const { gitDir } = repository;
  let tip = start;
  for (const { commit, parent, tree, parentTree } of await commitsToMove(tools, gitDir, onto, candidate, signal)) {
    if (parent === tip.commit) {
      tip = { commit, tree };
      continue;
    }
    const applied = await applyChange(tools, gitDir, { before: parentTree, after: tree, to: tip.tree }, signature, signal);
    if (applied.kind === 'conflict') return { kind: 'conflict', conflicts: applied.conflicts, at: commit };
    if (applied.tree === tip.tree) continue;
    const raw = (await tools.run({ at: { gitDir }, argv: ['cat-file', 'commit', commit] }, signal)).stdout;
    const rewritten = rewriteCommit(raw, { tree: applied.tree, parent: tip.commit, signature });
    tip = { commit: await writeObject(tools, gitDir, rewritten, signal), tree: applied.tree };
  }
  return { kind: tip.commit === onto ? 'already' : 'merged', ...tip };
}

interface MovedCommit {
  commit: ObjectId;
  tree: ObjectId;
  /** Undefined for a first commit. */
  parent: ObjectId | undefined;
  parentTree: ObjectId | undefined;
}

async function commitsToMove(
  { run }: GitTools,
  gitDir: string,
  onto: ObjectId,
  candidate: ObjectId,
  signal: AbortSignal,
): Promise<MovedCommit[]> {
  const range = ['--reverse', '--topo-order', '--no-merges', '--right-only', '--cherry-pick', `${onto}...${candidate}`, '--'];
  const lines = async (argv: string[]) => {
    const { stdout } = await run({ at: { gitDir }, argv: ['rev-list', '--no-commit-header', ...argv] }, signal);
    return stdout
      .toString('latin1')
      .split('\n')
      .filter((line) => line !== '');
  };
  const commits = (await lines(['--format=%H %T %P', ...range])).map((line) => line.split(' '));
  const parents = commits.flatMap(([, , parent]) => (parent === undefined || parent === '' ? [] : [parent]));
  const trees = parents.length === 0 ? [] : await lines(['--no-walk=unsorted', '--format=%H %T', ...new Set(parents), '--']);
  const treeOf = new Map(trees.map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  return commits.map(([commit = '', tree = '', parent]) => ({
    commit,
    tree,
    parent: parent || undefined,
    parentTree: treeOf.get(parent ?? ''),
  }));
}

/**
 * Applies the difference between two trees to a third. `merge-tree` takes an explicit base only from git 2.40, so the trees become commits
 * with a history that makes it the base.
 */
async function applyChange(
  tools: GitTools,
  gitDir: string,
  trees: { before: ObjectId | undefined; after: ObjectId; to: ObjectId },
  signature: Signature,
  signal: AbortSignal,
): Promise<ThreeWay> {
  const commit = (tree: ObjectId, parents: ObjectId[]) =>
    writeCommit(tools, gitDir, { tree, parents, message: 'scratch', env: signedBy(signature) }, signal);
  const base = await commit(trees.before ?? (await emptyTree(tools, gitDir, signal)), []);
  return await threeWay(tools, gitDir, await commit(trees.to, [base]), await commit(trees.after, [base]), signal);
}

async function emptyTree({ run }: GitTools, gitDir: string, signal: AbortSignal): Promise<ObjectId> {
  return (await run({ at: { gitDir }, argv: ['hash-object', '-t', 'tree', '-w', '--stdin'] }, signal)).stdout.toString('latin1').trim();
}

async function writeObject({ run }: GitTools, gitDir: string, raw: Buffer, signal: AbortSignal): Promise<ObjectId> {
  return (await run({ at: { gitDir }, argv: ['hash-object', '-t', 'commit', '-w', '--stdin'], stdin: raw }, signal)).stdout
    .toString('latin1')
    .trim();
}

/** Author, encoding and message stay as they are, byte for byte; a signature would no longer hold. */
export function rewriteCommit(
  raw: Buffer,
  { tree, parent, signature }: { tree: ObjectId; parent: ObjectId; signature: Signature },
): Buffer {
  const text = raw.toString('latin1');
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end).split(/\n(?! )/);
  const kept = (name: string) => headers.filter((header) => header.startsWith(`${name} `));
  const person = `${signature.name} <${signature.email}>`.replace(/[\n\0]/g, '');
  const committer = Buffer.from(`committer ${person} ${Math.floor(signature.atMs / 1000)} +0000`, 'utf8').toString('latin1');
  const rewritten = [`tree ${tree}`, `parent ${parent}`, ...kept('author'), committer, ...kept('encoding')].join('\n');
  return Buffer.from(rewritten + text.slice(end), 'latin1');
}
