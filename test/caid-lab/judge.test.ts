import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../../bench/caid/evidence';
import { git } from '../../bench/caid/git-command';
import { judge } from '../../bench/caid/judge';
import { testBy } from '../../bench/caid/judge-advances';
import { scratchFolder } from '../support/scratch-folder';

/** The judge finds each kind of violation, and reports nothing about a run without any. */
let folder: string;
let repository: string;

beforeEach(() => {
  folder = scratchFolder();
  repository = join(folder, 'lib');
  mkdirSync(repository);
  git(repository, 'init', '-q', '-b', 'main');
  commit({ 'a.txt': 'stub\n', 'b.txt': 'stub\n', 'test.sh': '! grep -l bad *.txt\n' });
});

function commit(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(repository, path), text);
  git(repository, 'add', '-A');
  git(repository, 'commit', '-q', '--allow-empty', '-m', Object.keys(files).join(' '));
  return git(repository, 'rev-parse', 'HEAD');
}

/** `b` depends on `a`. The run lands `a`, then `b`, as it should. */
function goodRun(): Evidence {
  const base = git(repository, 'rev-parse', 'HEAD');
  const a = commit({ 'a.txt': 'A\n' });
  return {
    ...emptyRun(base),
    dispatched: [assigned('a', base), assigned('b', a)],
    merged: [landed('a', a), landed('b', commit({ 'b.txt': 'B\n' }))],
  };
}

const assigned = (task: string, base: string) => ({ task, base });
const landed = (task: string, result: string) => ({ task, result });

function emptyRun(base: string): Evidence {
  return {
    ...{ repository, branch: 'main', base, dispatched: [], merged: [], journal: [] },
    reference: new Map([
      ['a.txt', 'A\n'],
      ['b.txt', 'B\n'],
      ['test.sh', '! grep -l bad *.txt\n'],
    ]),
    units: [
      { id: 'a', files: ['a.txt'], depends_on: [] },
      { id: 'b', files: ['b.txt'], depends_on: ['a'] },
    ],
    test: testBy('sh test.sh'),
    keptRefs: /^refs\/thermidor\/[^/]+\/task\//,
    folders: [repository],
    worktreeFolders: [join(folder, 'trees')],
  };
}

const found = (evidence: Evidence): string[] => judge(evidence).map(({ kind, message }) => `${kind}: ${message}`);

test('a run that did all as it should is proven', () => {
  const evidence = goodRun();
  git(repository, 'update-ref', 'refs/thermidor/run-1/task/1', 'HEAD');
  mkdirSync(join(folder, 'trees'));
  expect(found(evidence)).toEqual([]);
});

test('a final tree that is not the reference', () => {
  const evidence = goodRun();
  const reference = new Map([...evidence.reference, ['c.txt', 'C\n'], ['a.txt', 'AA\n']]);
  reference.delete('b.txt');
  expect(found({ ...evidence, reference })).toEqual([
    'tree: a.txt is not as in the reference',
    'tree: b.txt is too many',
    'tree: c.txt is missing',
  ]);
});

test('an advance that is red, though the one after it is green', () => {
  const base = git(repository, 'rev-parse', 'HEAD');
  const red = commit({ 'a.txt': 'bad\n', 'b.txt': 'B\n' });
  const a = commit({ 'a.txt': 'A\n' });
  const kinds = judge({ ...emptyRun(base), merged: [landed('a', a), landed('b', red)] });
  expect(kinds.map(({ kind }) => kind)).toEqual(['red', 'merged-twice']);
  expect(kinds[0]?.message).toContain(`the tests fail at ${red}:\na.txt`);
});

test('a branch that went back, also to its base', () => {
  const evidence = goodRun();
  git(repository, 'update-ref', 'refs/heads/main', evidence.base);
  git(repository, 'update-ref', 'refs/heads/main', evidence.merged[1]?.result ?? '');
  expect(judge(evidence).map(({ kind }) => kind)).toEqual(['rewound', 'merged-twice', 'merged-twice']);
});

test('a base that the branch never had', () => {
  const evidence = goodRun();
  git(repository, 'checkout', '-q', '--orphan', 'other');
  const base = commit({ 'a.txt': 'other\n' });
  git(repository, 'checkout', '-q', 'main');
  git(repository, 'branch', '-q', '-D', 'other');
  expect(judge({ ...evidence, base }).map(({ kind }) => kind)).toContain('rewound');
});

test('a task that was merged twice, by the branch or by what the queue says', () => {
  const evidence = goodRun();
  const [first, second] = [commit({ 'a.txt': 'A2\n' }), commit({ 'a.txt': 'A\n' })];
  expect(found(evidence)).toEqual([`merged-twice: a was merged by ${evidence.merged[0]?.result}, ${first}, ${second}`]);
  const twice = { ...evidence, merged: [...evidence.merged, landed('b', evidence.merged[1]?.result ?? '')] };
  expect(found(twice)).toContain('merged-twice: the queue says so 2 times of b');
});

test('a task that was not merged, one of which only the queue says so, and one whose result is something else', () => {
  const base = git(repository, 'rev-parse', 'HEAD');
  const a = commit({ 'a.txt': 'A\n' });
  expect(found({ ...emptyRun(base), merged: [landed('a', a), landed('b', a)] })).toEqual([
    'tree: b.txt is not as in the reference',
    'not-merged: no advance has the files of b',
    `not-merged: ${a}, which the queue names for b, is no advance of it`,
  ]);
  const b = commit({ 'b.txt': 'B\n' });
  expect(found({ ...emptyRun(base), merged: [landed('b', b)] })).toEqual(['not-merged: the queue does not say that a was merged']);
});

test('a task that was dispatched before what it depends on was merged, and one that is none', () => {
  const evidence = goodRun();
  const dispatched = [assigned('a', evidence.base), assigned('b', evidence.base), assigned('c', evidence.base)];
  expect(found({ ...evidence, dispatched })).toEqual([
    `early: b was dispatched from ${evidence.base}, which does not have a`,
    'early: c was dispatched, and is none of the units',
  ]);
});

test('a journal that assigns a task too early, or merges one that it never assigned', () => {
  const evidence = goodRun();
  const journal: Evidence['journal'] = [
    { event: 'assigned', task: 'b' },
    { event: 'merged', task: 'a' },
    { event: 'assigned', task: 'b' },
    { event: 'merged', task: 'b' },
  ];
  expect(found({ ...evidence, journal })).toEqual([
    'early: the journal has b assigned before a was merged',
    'early: a was merged, and never assigned',
  ]);
});

test('a worktree that is registered, a folder of one, a ref, and a lock', () => {
  const evidence = goodRun();
  const tree = join(folder, 'elsewhere');
  git(repository, 'worktree', 'add', '-q', '--detach', tree);
  git(repository, 'update-ref', 'refs/thermidor/run-1/queue/1', 'HEAD');
  git(repository, 'branch', 'thermidor/a');
  mkdirSync(join(folder, 'trees', 'one'), { recursive: true });
  writeFileSync(join(repository, '.git', 'refs', 'heads', 'main.lock'), '');
  expect(found(evidence)).toEqual([
    `worktree: ${tree} is registered in ${repository}`,
    `worktree: ${join(folder, 'trees', 'one')} is there`,
    'ref: refs/heads/thermidor/a is there',
    'ref: refs/thermidor/run-1/queue/1 is there',
    `lock: ${join(repository, '.git', 'refs', 'heads', 'main.lock')} is there`,
  ]);
});

test('a process that works in a folder of the run', async () => {
  const evidence = goodRun();
  const child = spawn('cat', [], { cwd: repository, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  expect(found(evidence)).toEqual([`process: ${child.pid} runs: cat`]);
  child.stdin.end();
  await once(child, 'exit');
  expect(found(evidence)).toEqual([]);
});
