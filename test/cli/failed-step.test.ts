import { failedStep } from '../../cli/rerun/failed-step';
import type { RunView } from '../../plan/run/status';
import { runView, stepView } from './views';

const error = (step: string) => ({ code: 'command.failed', message: 'no', step });
const nobody = async (): Promise<undefined> => undefined;
const failed = stepView('b', { kind: 'command', state: 'failed' });

test('a rerun begins at the step that the run’s error names', async () => {
  const view = runView([stepView('a', { state: 'failed' }), failed], { state: 'failed', error: error('b') });
  await expect(failedStep(view, nobody)).resolves.toBe('b');
});

test('within containers and loops it begins at the innermost step that failed', async () => {
  const view = runView(
    [
      stepView('each', { kind: 'for_each', state: 'failed' }),
      stepView('par', { kind: 'parallel', address: 'each[3]/par', state: 'failed' }),
      stepView('left', { address: 'each[3]/par[0]/left', state: 'done' }),
      stepView('right', { address: 'each[3]/par[1]/right#2~3', state: 'failed' }),
    ],
    { state: 'failed', error: error('each') },
  );
  await expect(failedStep(view, nobody)).resolves.toBe('each[3]/par[1]/right');
});

test('it begins at a container that failed by itself, whatever failed within it and was tolerated', async () => {
  const view = runView(
    [
      stepView('rounds', { kind: 'repeat', state: 'failed', error: { code: 'repeat.exhausted', message: 'rounds is not done' } }),
      stepView('tests', { address: 'rounds[2]/tests', state: 'failed', error: { code: 'command.failed', message: 'exit code 1' } }),
    ],
    { state: 'failed', error: { code: 'repeat.exhausted', message: 'rounds is not done', step: 'rounds' } },
  );
  await expect(failedStep(view, nobody)).resolves.toBe('rounds');
});

test('in a child pipeline it begins within the child, and at the child’s step if nobody knows the child', async () => {
  const parent = runView([stepView('deploy', { kind: 'pipeline', state: 'failed', child: 'kid' })], {
    state: 'failed',
    error: error('deploy'),
  });
  const child = runView([stepView('prepare', { state: 'done' }), stepView('build', { state: 'failed' })], {
    state: 'failed',
    error: error('build'),
  });
  await expect(failedStep(parent, async () => child)).resolves.toBe('deploy/build');
  await expect(failedStep(parent, nobody)).resolves.toBe('deploy');
});

test('a run that was cancelled or aborted goes on at the first step that is not done', async () => {
  const steps = [stepView('a', { state: 'done' }), stepView('b', { state: 'skipped' }), stepView('c', { state: 'running' })];
  await expect(failedStep(runView(steps, { state: 'cancelled' }), nobody)).resolves.toBe('c');
  const aborted = { state: 'failed', error: { code: 'run.aborted', message: 'no' } } as const;
  await expect(failedStep(runView(steps, aborted), nobody)).resolves.toBe('c');
});

test.each<RunView['state']>(['running', 'waiting', 'held', 'completed', 'rejected'])(
  'nothing failed in a run that is %s',
  async (state) => {
    await expect(failedStep(runView([failed], { state }), nobody)).resolves.toBeUndefined();
  },
);
