import { lobsterWords } from '../../../activities/commands/lobster-arguments';
import type { CommandRequest } from '../../../activities/ports';
import type { LoadedRun } from '../../../activities/run/loaded-run';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { CommandStep } from '../../../plan/steps/step';

/** A run in which only the dialect matters. */
const runIn = (dialect?: 'lobster'): LoadedRun => {
  const block = { order: 'sequence' as const, steps: [] };
  const plan = { irVersion: 2 as const, name: 'p', source: '', trigger: { kind: 'manual' as const }, block };
  const ref = { kind: 'plan' as const, sha256: '', sizeBytes: 0, mediaType: '' };
  return {
    key: { workflowId: 'w', run: 'r' },
    plan: dialect === undefined ? plan : { ...plan, dialect },
    record: { version: 1, plan: ref, args: {}, startedAt: '' },
    steps: new Map(),
  };
};
const STEP: CommandStep = { id: 'a_b', as: 'a b', kind: 'command', command: { shell: ['x'], raw: true } };
const REQUEST: CommandRequest = { command: { shell: 'make all' }, env: {}, timeoutMs: 50, outputLimitBytes: 1 };
const failed = (details: object): ThermidorFailure =>
  new ThermidorFailure('command.failed', 'ours', { exitCode: 3, stderr: '', ...details });

test.each([
  [{ stderr: ' why \n', stdout: 'out' }, 'workflow command failed (3): why'],
  [{ stdout: 'out\n' }, 'workflow command failed (3): out'],
  [{}, 'workflow command failed (3): make all'],
  [{ exitCode: null }, 'workflow command failed (null): make all'],
])('a command that failed with %j', (details, message) => {
  expect(lobsterWords(runIn('lobster'), STEP, REQUEST, failed(details))).toMatchObject({ code: 'command.failed', message, details });
});

test('a timeout names the step as its file does', () => {
  const late = new ThermidorFailure('command.timeout', 'ours');
  expect(lobsterWords(runIn('lobster'), STEP, REQUEST, late)).toMatchObject({ message: "Step 'a b' timed out after 50ms" });
});

test('any other failure, and any of the strict language, stays as it is', () => {
  const broken = new ThermidorFailure('command.failed', 'ours', { problems: [] });
  for (const error of [broken, new Error('else'), new ThermidorFailure('store.unavailable', 'full')]) {
    expect(lobsterWords(runIn('lobster'), STEP, REQUEST, error)).toBe(error);
  }
  const plain = failed({});
  expect(lobsterWords(runIn(), STEP, REQUEST, plain)).toBe(plain);
});
