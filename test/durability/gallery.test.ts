import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { journal, runOf, status, step } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/**
 * The template with the most at stake, as a stranger runs it: written, tested, started, killed in the middle of deploying, and rolled back.
 */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make({ ANN_TOKEN: 'a phrase that only ann knows', THERMIDOR_USER: 'eve' });
  expect(await scratch.ask('init', '--template', 'release')).toMatchObject({ code: 0 });
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(() => scratch.close());

const live = (): string | undefined => (existsSync(scratch.path('live/current')) ? readlinkSync(scratch.path('live/current')) : undefined);

/** Starts a release; its script’s people sign off, and it waits for the yes that has to be proven. */
async function atTheGate(version: string): Promise<{ run: string; line: string[] }> {
  const running = scratch.follow('run', 'release', '--script', 'release', '--arg', `version=${version}`);
  const run = await runOf(running);
  const { code, out } = await running.finished;
  expect(code).toBe(3);
  const [, line = ''] = /^ {2}thermidor (approve .*)$/m.exec(out) ?? [];
  expect(line).toBe(`approve ${run} --by ann --token secret://env/ANN_TOKEN`);
  return { run, line: line.split(' ') };
}

inSweep.test('the lines that are printed release a version', async () => {
  const { run, line } = await atTheGate('1.4.0');
  expect(live()).toBeUndefined();
  expect(await scratch.ask('approve', run, '--by', 'ann')).toMatchObject({
    code: 1,
    err: expect.stringContaining('proven'),
  });
  expect(await scratch.ask(...line)).toMatchObject({ code: 0, out: expect.stringMatching(/\bcompleted\n/) });
  expect(live()).toBe('1.4.0');
  expect(readFileSync(scratch.path('releases/1.4.0.md'), 'utf8')).toContain('Starts twice as fast');
  const view = await status(scratch, run);
  expect(step(view, 'sign_off').decision).toMatchObject({ choice: 'approve', by: 'ben' });
  const decided = (await journal(scratch, run)).filter(({ kind }) => kind === 'decision');
  expect(decided.map((entry) => ('decision' in entry ? [entry.step, entry.decision.by, entry.decision.identity] : entry))).toEqual([
    ['sign_off', 'ann', 'claimed'],
    ['sign_off', 'ben', 'claimed'],
    ['deploy', 'ann', 'proven'],
  ]);
});

inSweep.test('a deployment whose worker is killed is not done again unasked, and is rolled back if it is cancelled', async () => {
  const { run, line } = await atTheGate('1.5.0');
  scratch.write(
    'pipelines/commands/release/deploy.sh',
    'mkdir -p "live/$1"\nln -sfn "$1" live/current\necho "$1" >> began\nwhile [ -L live/current ]; do sleep 0.1; done\n',
  );
  const deploying = scratch.thermidor(...line);
  await deploying.until('it deploys', () => scratch.lines('began').length > 0);
  await deploying.kill();
  expect(live()).toBe('1.5.0');
  const watching = scratch.follow('watch', run);
  await watching.untilLine(/deploy +held .*action\.unknown/);
  expect(await scratch.ask('cancel', run)).toMatchObject({ code: 0 });
  expect(await watching.finished).toMatchObject({ code: 1 });
  expect(live()).toBe('1.4.0');
  expect(scratch.lines('began')).toEqual(['1.5.0']);
  const view: RunView = await status(scratch, run);
  expect(view.state).toBe('cancelled');
  expect(['roll_back', 'not_released', 'released'].map((id) => step(view, id).state)).toEqual(['done', 'done', 'skipped']);
});
