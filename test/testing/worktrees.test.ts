import { benchOne, missed } from './bench';

const STEPS = `steps:
  - {id: write, agent: w, prompt: Write., worktree: {repo: ., setup: [npm ci], teardown: [npm stop]}}
  - {id: check, run: make test, worktree: write, cwd: packages/api, retry: {max: 2, delay: 1s}}
  - {id: again, run: make, worktree: true}`;

const MERGED = `steps:
  - {id: write, agent: w, prompt: Write., worktree: {repo: .}}
  - {id: land, type: merge, from: [write], into: main, on_conflict: [return_to_author, stop]}`;

describe('candidates of worktrees', () => {
  const played = async (merges: string, expect: string) =>
    (await benchOne(MERGED, `replies: {write: [{json: {done: true}}]}\nmerges: ${merges}\nexpect: ${expect}`)).failing;

  it('land if the test says nothing about them', async () => {
    expect(await played('{}', '{status: completed, calls: {write: 1}}')).toEqual([]);
  });

  it('come back as the test says, each in its round', async () => {
    const merges = '{write: [{round: 1, conflict: [a.js]}, {round: 2, red: "1 test fails"}, {round: 3, restricted: [package.json]}]}';
    const expected = '{status: completed, rounds: {write: 4}, steps: {write: {prompt: ["a.js", "1 test fails", "package.json"]}}}';
    expect(await played(merges, expected)).toEqual([]);
  });

  it('differ by a part of their title', async () => {
    expect(await played('{write: [{title: another, red: "no"}]}', '{status: completed, calls: {write: 1}}')).toEqual([]);
  });
});

describe('steps with worktrees', () => {
  it('are played without git: scripts and stand-ins answer, and no setup runs', async () => {
    const report = await benchOne(
      STEPS,
      `replies: {write: [{json: {done: true}}]}
commands:
  check: [{try: 1, exit_code: 1}, {stdout: green}]
  again: {stdout: made}
expect:
  status: completed
  calls: {check: 2}
  steps: {check: {try: 2, output: green}}`,
    );
    expect(report.failing).toEqual([]);
  });

  it('need stand-ins as others do', async () => {
    const report = await benchOne(STEPS, 'replies: {write: [{json: {}}]}\nexpect: {status: completed}');
    expect(missed(report)).toContain('stand-ins');
  });

  it('cannot execute their commands: no test touches the folder that it runs in', async () => {
    const report = await benchOne(
      STEPS,
      `replies: {write: [{json: {done: true}}]}
commands: {check: {execute: true}}
expect: {status: completed}`,
    );
    expect(JSON.stringify(report)).toContain('a command in a worktree cannot be executed in a test');
  });
});
