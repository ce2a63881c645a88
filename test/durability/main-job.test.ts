import { existsSync } from 'node:fs';
import { inSweep } from '../support/sweep';
import { MAIN_JOB, runOf, status, step } from './support/runs';
import { readJson, Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';

/** The main job as a stranger runs it: one command and no terminal. The first run starts the embedded server itself. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  scratch.addPipelines();
  writeScript(scratch, 'quick');
  writeScript(scratch, 'nobody', { people: [] });
  writeScript(scratch, 'rejected', { people: [{ gate: 'approve', reject: { by: 'chairman', comment: 'no' } }] });
}, SET_UP_MS);
afterAll(() => scratch.close());

test('prints tree, rounds, verdicts, thesis, who approved, and paths that exist, and ends with 0', async () => {
  const { code, out } = await scratch.ask('run', MAIN_JOB, '--script', 'quick');
  expect(code).toBe(0);
  const tree = out.slice(out.lastIndexOf('├─ ✓ intel'));
  expect(tree).toMatch(/converge .*round 2/);
  expect(tree).toMatch(/review .*round 2 .*pass/);
  expect(tree).toMatch(/round 1 .*revise/);
  expect(out).toMatch(/Strategy_Thesis\.json +direction long/);
  expect(tree).toMatch(/approve .*approve by chairman/);
  expect(out).toContain('pipeline complete');
  expect(out).toMatch(/\bcompleted\n/);
  const paths = [...out.matchAll(/^ {2}\w+ +(\/\S+\.json)$/gm)].map((match) => match[1] ?? '');
  expect(paths).toHaveLength(7);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

inSweep.test('a rejected approval ends with 1 and names who rejected', async () => {
  await scratch.keepServer();
  const finished = await scratch.ask('run', MAIN_JOB, '--script', 'rejected', '--json');
  expect(finished.code).toBe(1);
  const document = readJson(finished);
  expect(document).toMatchObject({ state: 'rejected', decidedByScript: [{ step: 'approve', choice: 'reject', by: 'chairman' }] });
});

inSweep.test('without a person it ends with 3, and the run stays until somebody approves', async () => {
  const running = scratch.follow('run', MAIN_JOB, '--script', 'nobody');
  const run = await runOf(running);
  expect((await running.finished).code).toBe(3);
  const approved = await scratch.ask('approve', run, '--by', 'chairman');
  expect(approved).toMatchObject({ code: 0, out: expect.stringMatching(/\bcompleted\n/) });
  const view = await status(scratch, run);
  expect(view.state).toBe('completed');
  expect(step(view, 'approve').decision).toEqual({ choice: 'approve', by: 'chairman' });
});
