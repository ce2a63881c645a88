import type { ObjectId, Repository } from '../../activities/git-model';
import type { DiffRange, Git } from '../../activities/git-port';
import { type CandidateChange, candidateRemarks, isTestFile, type JudgedBy } from '../../plan/queue/candidate-remarks';
import { ThermidorFailure } from '../../plan/run/failure';

/** How much of a changed test is read. */
const MOST_PATCH_BYTES = 1024 * 1024;
/** More tests than these are not read line by line. */
const MOST_TESTS = 200;

/** The changes of a candidate since it left the target that somebody should look at. */
export async function remarksOn(
  git: Git,
  repository: Repository,
  { bases, candidate }: { bases: readonly ObjectId[]; candidate: ObjectId },
  judged: JudgedBy,
  signal: AbortSignal,
): Promise<{ remarks?: string[] }> {
  const [base] = bases;
  if (base === undefined) return {};
  const since: DiffRange = { from: base, to: candidate };
  const changed = await git.diffs.changed(repository, since, signal);
  const changes: CandidateChange[] = changed.map(({ path, change }) => ({ path: path.toString('utf8'), change }));
  const tests = changes.filter(({ path }) => isTestFile(path, judged));
  if (tests.length > 0) await readTests(git, repository, since, tests, signal);
  const remarks = candidateRemarks(changes, judged);
  return remarks.length > 0 ? { remarks } : {};
}

async function readTests(
  git: Git,
  repository: Repository,
  since: DiffRange,
  tests: readonly CandidateChange[],
  signal: AbortSignal,
): Promise<void> {
  const counted = new Map((await git.diffs.stat(repository, since, signal)).map(({ path, lines }) => [path.toString('utf8'), lines]));
  for (const test of tests) {
    const lines = counted.get(test.path);
    if (lines) test.lines = lines;
  }
  for (const test of tests.slice(0, MOST_TESTS)) {
    const text = test.lines && (await linesOf(git, repository, since, test.path, signal));
    if (text) test.text = text;
  }
}

/** Undefined if there are more than somebody could have written: then only their number is useful. */
async function linesOf(
  git: Git,
  repository: Repository,
  since: DiffRange,
  path: string,
  signal: AbortSignal,
): Promise<CandidateChange['text'] | undefined> {
  try {
    const patch = await git.diffs.patch(repository, since, MOST_PATCH_BYTES, signal, [path]);
    const lines = patch.toString('utf8').split('\n');
    const body = lines.slice(lines.findIndex((line) => line.startsWith('@@')));
    const of = (sign: string) => body.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
    return { added: of('+'), deleted: of('-') };
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'output.too-large') return undefined;
    throw error;
  }
}
