import type { ThermidorFailure } from '../../../plan/run/failure';
import type { LateStage } from '../../../plan/stages/stage';
import { codeOf, failureOf, literal } from '../workshop';
import { done, LOBSTER, run, shop, stage, step, stored } from './pipe-step';

/** Stages whose names a step before them has output. */
const late = (name: string, ...rest: string[]): LateStage => ({ name: [literal(name)], rest: rest.map((word) => [word]) });
const printed = stage('exec', ['echo', '[3,1,2]'], { json: true });
const output = async (...pipe: Parameters<typeof step>[0]) => {
  const at = shop();
  return JSON.parse((await stored(at, (await done(at, step(pipe))).artifact)).content) as unknown;
};

test.each<[string, LateStage, unknown]>([
  ['a flag has its value', late('head', '--n', '2'), [3, 1]],
  ['a flag has its value behind =', late('head', '--n=2'), [3, 1]],
  ['blanks around a name are none of it', late(' sort\n', '--desc'), [3, 2, 1]],
  ['exec takes its command', late('exec', '--json', 'echo', '[9]'), 9],
])('%s', async (_rule, pipe, value) => {
  expect(await output(printed, pipe)).toEqual(value);
});

test('a value is one word, and no flag', async () => {
  const wrap: LateStage = { name: [literal('template')], rest: [['--text'], [literal('--file x')]] };
  expect(await output(stage('exec', ['echo', 'a']), wrap)).toBe('--file x');
  const word: LateStage = { name: [literal('template')], rest: [[literal('--file=x')]] };
  expect(await output(stage('exec', ['echo', 'a']), word)).toBe('--file=x');
});

test.each<[string, LateStage, string]>([
  ['names no stage', late('nosuch'), 'Unknown command: nosuch'],
  ['is a whole pipe', late('head --n 1 | json'), 'Unknown command: head --n 1 | json'],
  ['is what every object has', late('constructor'), 'Unknown command: constructor'],
  ['is empty', late(' \n'), 'Empty command stage'],
  ['names a stage that wants other words', late('pick'), 'pick requires a comma-separated field list'],
])('before any stage begins it fails where the value %s', async (_what, pipe, message) => {
  const at = shop();
  const first = stage('state.set', ['touched']);
  const failure = await failureOf(run(at, step([first, pipe]), {}, LOBSTER));
  expect(failure).toMatchObject({ code: 'stage.failed', message } satisfies Partial<ThermidorFailure>);
  expect(await codeOf(run(shop(), step([pipe]), {}, LOBSTER))).toBe('stage.failed');
});

test('a stage that asks halts the pipe', async () => {
  const asked = await run(shop(), step([printed, late('approve', '--prompt', 'Go?'), stage('json', [])]));
  expect(asked).toMatchObject({ kind: 'asks', stage: 1, gate: 'approval', question: { question: 'Go?' } });
});
