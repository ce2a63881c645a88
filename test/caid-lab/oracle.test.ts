import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../../bench/caid/git-command';
import { processesIn } from '../../bench/caid/judge-leftovers';
import { LIBRARIES } from '../../bench/caid/library';
import { type Assignment, ENGINEER_REPORT_SCHEMA } from '../../kinds/caid/rules/assignment';
import { errorCode } from '../../plan/error-code';
import { until } from '../durability/support/until';
import { checkerOf } from './checker';
import { type LabFolder, makeLabFolder, type PlannedFault } from './lab-folder';

/** The engineer that knows the answer: what it does right, and each of its faults, in a worktree as an engine makes it. */
const TASK = 'lib-utils-basename';
const FILE = 'lib/utils/basename.js';
const OTHER = 'lib-utils-getlimit';
const OTHER_FILE = 'lib/utils/getLimit.js';

let folder: string;
let place: LabFolder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thermidor-oracle-'));
});
afterEach(() => {
  endThoseIn(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

function endThoseIn(path: string): void {
  for (const { pid } of processesIn([path])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process ended by itself meanwhile.
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
}

function lab(...faults: PlannedFault[]): void {
  place = makeLabFolder(folder, LIBRARIES.busboy, { seed: 5, latencyMs: [0, 30], faults });
}

function worktree(name: string): string {
  const path = join(folder, 'trees', name);
  git(place.repository, 'worktree', 'add', '-q', '-b', name, path);
  return path;
}

function assignment(task: string, more: Partial<Assignment> = {}): Assignment {
  const unit = place.lab.graph.units.find(({ id }) => id === task);
  if (!unit) throw new RangeError(`there is no ${task}`);
  return {
    ...{ task_id: task, engineer_id: 'e1', title: unit.title, description: unit.description, target_files: unit.files, functions: [] },
    ...{
      dependencies: unit.depends_on,
      acceptance: unit.acceptance ?? {},
      restricted_files: ['test/**'],
      base_commit: place.base,
      attempt: 1,
    },
    ...more,
  };
}

function ask(cwd: string, prompt: string): SpawnSyncReturns<string> {
  const [program = '', ...args] = place.oracle;
  return spawnSync(program, args, { cwd, input: prompt, encoding: 'utf8' });
}

function work(cwd: string, task: string, more?: Partial<Assignment>) {
  const prompt = `You are an {engineer}. Your assignment:\n\n${JSON.stringify(assignment(task, more), undefined, 2)}\n\nAnswer with {"the": report}.`;
  const { stdout, status, signal, stderr } = ask(cwd, prompt);
  if (status !== 0 && signal === null) throw new Error(stderr);
  return { signal, report: stdout === '' ? undefined : JSON.parse(stdout) };
}

const reference = (path: string): string => place.lab.reference.get(path) ?? '';
const stubbed = (path: string): string => place.lab.stubbed.get(path) ?? '';
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const changed = (tree: string): string[] => git(tree, 'status', '--porcelain', '-uall').split('\n').filter(Boolean);

describe('as it should', () => {
  beforeEach(() => lab());

  test('it puts back its own file and no other, tests it, and reports', () => {
    const tree = worktree('one');
    const { report } = work(tree, TASK);
    expect(checkerOf(ENGINEER_REPORT_SCHEMA)(report)).toEqual([]);
    expect(report).toMatchObject({ task_id: TASK, status: 'done', tests: { failed: 0 } });
    expect(report.tests.passed).toBeGreaterThan(place.lab.graph.units.length);
    expect(changed(tree)).toEqual([`M ${FILE}`]);
    expect(read(tree, FILE)).toBe(reference(FILE));
  });

  test('of a file that is shared, it puts back the functions that it is given', () => {
    const tree = worktree('one');
    work(tree, 'lib-utils-decoder', { functions: ['Decoder.prototype.end'] });
    work(tree, 'lib-utils-decoder', { functions: ['Decoder.prototype.reset'] });
    const text = read(tree, 'lib/utils/Decoder.js');
    expect(text.split('not implemented').length - 1).toBe(stubbed('lib/utils/Decoder.js').split('not implemented').length - 3);
    expect(text).toContain('const res = this.buffer === undefined');
  });

  test('what is not its own goes back to the base, whatever an earlier attempt has done', () => {
    const tree = worktree('one');
    for (const line of [
      'echo x >> package.json',
      'rm test/basename.test.js',
      'echo n > new.txt',
      'echo a > added.txt',
      'git add added.txt',
    ]) {
      expect(spawnSync('sh', ['-c', line], { cwd: tree }).status).toBe(0);
    }
    work(tree, TASK, { attempt: 2 });
    expect(changed(tree)).toEqual([`M ${FILE}`]);
  });

  test('it takes as long as its seed says', () => {
    work(worktree('one'), TASK);
    work(worktree('two'), TASK);
    work(worktree('three'), OTHER);
    const latencies = place.diary().flatMap(({ latencyMs }) => latencyMs ?? []);
    expect(latencies).toHaveLength(3);
    expect(latencies[0]).toBe(latencies[1]);
    expect(latencies[2]).not.toBe(latencies[0]);
  });

  test('as a manager it answers with the graph, and accepts in the end', () => {
    expect(JSON.parse(ask(folder, 'You manage a team. Answer with the graph as JSON.').stdout)).toEqual(place.lab.graph);
    expect(JSON.parse(ask(folder, 'Review it. Answer as JSON: `accepted`, a `summary`.').stdout)).toMatchObject({ accepted: true });
  });
});

describe('as it should not, in one attempt', () => {
  test('wrong code: the stubs are gone, and its tests are red', () => {
    lab({ task: TASK, fault: 'wrong' });
    const tree = worktree('one');
    const { report } = work(tree, TASK);
    expect(report.tests.failed).toBeGreaterThan(0);
    expect(read(tree, FILE)).not.toContain('not implemented');
    // Its worker was killed, and the attempt is begun anew.
    expect(work(tree, TASK).report.tests.failed).toBeGreaterThan(0);
    expect(work(tree, TASK, { attempt: 2 }).report.tests.failed).toBe(0);
    expect(read(tree, FILE)).toBe(reference(FILE));
    expect(place.diary().filter(({ event }) => event === 'fault')).toHaveLength(1);
  });

  test('a conflict: it changes another task’s file once that task is merged, and takes that back when it is returned', () => {
    lab({ task: TASK, fault: 'conflict', with: OTHER, patienceMs: 10_000 });
    const tree = worktree('one');
    expect(spawnSync('cp', [join(folder, 'reference', OTHER_FILE), join(place.repository, OTHER_FILE)]).status).toBe(0);
    git(place.repository, 'commit', '-q', '-a', '-m', OTHER);
    work(tree, TASK);
    git(tree, 'commit', '-q', '-a', '-m', TASK);
    const merged = spawnSync('git', ['-C', tree, '-c', 'user.name=a', '-c', 'user.email=a@b', 'merge', 'main'], { encoding: 'utf8' });
    expect(merged.stdout).toContain(`CONFLICT (content): Merge conflict in ${OTHER_FILE}`);
    work(tree, TASK, { attempt: 2, base_commit: git(place.repository, 'rev-parse', 'main') });
    expect([read(tree, OTHER_FILE), read(tree, FILE)]).toEqual([reference(OTHER_FILE), reference(FILE)]);
    expect(place.diary().map(({ event }) => event)).not.toContain('given-up');
  });

  test('a crash: half of a file, and no answer', () => {
    lab({ task: TASK, fault: 'crash' });
    const tree = worktree('one');
    expect(work(tree, TASK)).toEqual({ signal: 'SIGKILL', report: undefined });
    expect(reference(FILE).startsWith(read(tree, FILE))).toBe(true);
    expect(read(tree, FILE)).not.toBe(reference(FILE));
    expect(work(tree, TASK).report.tests.failed).toBe(0);
  });

  test('a zombie goes on writing and committing after the report', async () => {
    lab({ task: TASK, fault: 'zombie', delayMs: 20 });
    const tree = worktree('one');
    expect(work(tree, TASK).report.tests.failed).toBe(0);
    const { zombie } = place.diary().find(({ event }) => event === 'zombie') ?? {};
    expect(processesIn([tree]).map(({ pid }) => pid)).toContain(zombie);
    await until('the zombie has written', () => existsSync(join(folder, 'diary.zombie')));
    endThoseIn(folder);
    await until('it is gone', () => processesIn([folder]).length === 0);
    expect(git(tree, 'log', '--format=%s', '-1')).toBe('of a zombie');
    // The file itself may be half-written, because its writer was killed.
    expect(git(tree, 'show', `HEAD:${FILE}`)).toBe('module.exports = "of a zombie"');
  });

  test('a restricted file next to its own', () => {
    lab({ task: TASK, fault: 'restricted' });
    const tree = worktree('one');
    work(tree, TASK);
    expect(changed(tree)).toEqual([`M ${FILE}`, ' M package.json']);
  });

  test('wrong code, with its test deleted', () => {
    lab({ task: TASK, fault: 'test-deleted', path: 'test/basename.test.js' });
    const tree = worktree('one');
    work(tree, TASK);
    expect(changed(tree)).toEqual([`M ${FILE}`, ' D test/basename.test.js']);
  });

  test('a history without the target in it', () => {
    lab({ task: TASK, fault: 'rewrites-history' });
    const tree = worktree('one');
    work(tree, TASK);
    expect(git(tree, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(spawnSync('git', ['-C', tree, 'merge-base', 'HEAD', place.base]).status).toBe(1);
  });

  test('no `.git` any more', () => {
    lab({ task: TASK, fault: 'deletes-git' });
    const tree = worktree('one');
    expect(work(tree, TASK).report).toMatchObject({ status: 'done' });
    expect(existsSync(join(tree, '.git'))).toBe(false);
  });

  test('other engineers’ worktrees are written into, and the checkout', () => {
    lab({ task: TASK, fault: 'trespasses', paths: [join(folder, 'repository')] });
    const [own, beside] = [worktree('one'), worktree('two')];
    work(own, TASK);
    expect(changed(own)).toEqual([`M ${FILE}`]);
    for (const tree of [beside, place.repository]) expect(read(tree, OTHER_FILE)).toBe('"of another engineer"\n');
  });
});
