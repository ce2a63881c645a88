import { submittedOutcome } from '../../activities/queue/take-ticket';
import { type CandidateChange, candidateRemarks, type JudgedBy } from '../../plan/queue/candidate-remarks';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import type { Submission } from '../../plan/queue/ticket';
import { queueId } from '../../records/queues/queue-id';
import { readSubmission, recordOutcome } from '../../records/queues/queue-ledger';
import { handle } from '../../workflows/queue/machine';
import { viewOf } from '../../workflows/queue/queue';
import { emptyQueue } from '../../workflows/queue/queue-state';
import { commit, type Files, sh } from '../git/scene';
import { QueueScene } from './scene';

const TEST = "test('adds', () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 0), 0);\n});\n";
const FILES = {
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': TEST,
  'check.sh': 'exit 0\n',
  'pkg/test_sum.py': 'def test_sum():\n    assert sum([1]) == 1\n',
};

/** The remarks about a candidate with these changes of files; `null` removes a file. */
async function remarksOf(changes: Readonly<Record<string, string | null>>, more: Partial<Submission> = {}): Promise<string[]> {
  const scene = new QueueScene({ files: FILES });
  const gone = Object.keys(changes).filter((path) => changes[path] === null);
  const written = Object.fromEntries(Object.entries(changes).filter((one): one is [string, string] => one[1] !== null)) satisfies Files;
  sh(scene.folder, 'checkout', '--quiet', '--detach', 'main');
  for (const path of gone) sh(scene.folder, 'rm', '--quiet', path);
  const candidate = commit(scene.folder, 'candidate', { ...written, 'src/other.js': 'x\n' });
  sh(scene.folder, 'checkout', '--quiet', 'main');
  const asked = await scene.submit('a', { 'unused.txt': 'x\n' }, { candidate, test: 'sh check.sh', ...more });
  const { parts, result } = await scene.merge([asked]);
  const [part] = parts;
  if (part?.kind !== 'merged') throw new Error(`it is ${part?.kind}`);
  // The asker gets the same remarks with the outcome, from the ledger.
  await recordOutcome(scene.ledger, queueId(scene.target), asked, { kind: 'merged', result });
  const submission = await readSubmission(scene.ledger, asked);
  const outcome = submission && (await submittedOutcome({ ledger: scene.ledger }, submission, asked));
  expect(outcome).toEqual({ kind: 'merged', result, ...(part.remarks ? { remarks: part.remarks } : {}) });
  return part.remarks ?? [];
}

describe('a candidate that guts the tests that it is judged by is pointed out', () => {
  it.each<[string, Record<string, string | null>, string[]]>([
    ['removes them', { 'test/add.test.js': null }, ['it removes tests: "test/add.test.js"']],
    ['empties them', { 'test/add.test.js': '' }, ['it takes tests or assertions out of: "test/add.test.js"']],
    [
      'takes an assertion away, and writes a comment in its place',
      { 'test/add.test.js': TEST.replace('  assert.equal(add(0, 0), 0);', '  // Nothing to see.') },
      ['it takes tests or assertions out of: "test/add.test.js"'],
    ],
    ['empties the file that the command names', { 'check.sh': '' }, ['it takes tests or assertions out of: "check.sh"']],
    ['skips them', { 'test/add.test.js': TEST.replace('test(', 'test.skip(') }, ['it skips tests in: "test/add.test.js"']],
    [
      'has them hold whatever happens',
      { 'pkg/test_sum.py': 'def test_sum():\n    assert True\n' },
      ['it has assertions that hold whatever happens in: "pkg/test_sum.py"'],
    ],
    ['moves them', { 'test/add.test.js': null, 'test/unit/add.test.js': TEST }, []],
    ['adds to them', { 'test/add.test.js': `${TEST}${TEST}` }, []],
    ['rewrites one', { 'test/add.test.js': TEST.replace('add(0, 0), 0', 'add(2, 2), 4') }, []],
    ['leaves them alone', { 'src/add.js': 'export const add = (a, b) => b + a;\n' }, []],
  ])('that %s', async (_, changes, expected) => {
    expect(await remarksOf(changes)).toEqual(expected);
  });
});

it('points out files that a task does not name, if somebody has said which are its own', async () => {
  const changes = { 'debug.log': 'x\n', 'notes/today.md': 'x\n', 'src/add.js': '// add\n' };
  expect(await remarksOf(changes, { own: ['src'] })).toEqual([
    'it brings files that its task does not name: "debug.log", "notes/today.md"',
  ]);
  expect(await remarksOf(changes)).toEqual([]);
});

it('is shown with its ticket once it is merged, as long as the queue knows of it', () => {
  const state = emptyQueue();
  const asked = { workflowId: 'run-1', run: 'r1', name: 'a' };
  handle(state, { kind: 'asked', asked });
  const candidate = { candidate: 'c', title: 'a', author: 'e1', priority: 3 as const };
  const target = { repository: '/r', refsIn: 'repository' as const, branch: 'main' };
  handle(state, { kind: 'admitted', ticket: 1, admission: { kind: 'admitted', target, candidate } });
  handle(state, { kind: 'settings', settings: DEFAULT_QUEUE_SETTINGS });
  const parts = [{ ticket: 1, kind: 'merged' as const, commit: 'm', remarks: ['it removes tests: "a"'] }];
  handle(state, { kind: 'merged', attempt: 1, answer: { onto: 'h', result: 'm', parts } });
  expect(viewOf(state).line[0]?.tickets).toMatchObject([{ ticket: 1, remarks: ['it removes tests: "a"'] }]);
  handle(state, { kind: 'tested', attempt: 1, answer: { kind: 'green' } });
  handle(state, { kind: 'advanced', attempt: 1, answer: { kind: 'moved' } });
  handle(state, { kind: 'concluded', tickets: [1], at: '2026-11-23T10:00:00.000Z' });
  expect(viewOf(state).done).toMatchObject([{ ticket: 1, outcome: { kind: 'merged' }, remarks: ['it removes tests: "a"'] }]);
});

it('says it in few words, whatever the files are called', () => {
  const change = (path: string): CandidateChange => ({ path, change: 'deleted' });
  const paths = ['\u001b[31m', `${'x'.repeat(4000)}.test.js`, 'b', 'c', 'd'];
  const judged: JudgedBy = { commands: [] };
  const [remark = ''] = candidateRemarks(
    paths.map((path) => change(`test/${path}`)),
    judged,
  );
  expect(remark).toMatch(/^it removes tests: "test\/\\u001b\[31m", .* and 2 more$/);
  expect(remark.length).toBeLessThan(500);
});
