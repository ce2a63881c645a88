import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { errorLines } from '../../cli/rendering/error-lines';
import { renderTree } from '../../cli/rendering/tree';
import type { RunView } from '../../plan/run/status';
import { fakeTerminal } from './fake-terminal';
import { at, runView, stepView } from './views';

const { colors } = fakeTerminal();
const deep = { code: 'command.failed', message: 'the command ended with exit code 3: deep err' };
const one = { code: 'command.failed', message: `step par[0]/one/deep: ${deep.message}` };
const par = { code: 'parallel.branch-failed', message: `Parallel branch failed: one: ${one.message}` };
const ended = { state: 'failed', startedAt: at(1), endedAt: at(2) } as const;

const NESTED: RunView = runView(
  [
    stepView('par', { ...ended, kind: 'parallel', error: par }),
    stepView('one', { ...ended, kind: 'group', address: 'par[0]/one', error: one }),
    stepView('deep', { ...ended, kind: 'command', address: 'par[0]/one/deep', error: deep }),
    stepView('two', { ...ended, state: 'done', kind: 'command', address: 'par[1]/two' }),
  ],
  { state: 'failed', error: { ...par, step: 'par' } },
);
const tree = (view: RunView): string => renderTree(view, { colors, columns: 200, now: Date.parse(at(60)) }).join('\n');
const times = (text: string, part: string): number => text.split(part).length - 1;

test('a failure deep in containers is reported once, with the address and the code of the step that failed', () => {
  const text = tree(NESTED);
  expect(times(text, deep.message)).toBe(1);
  expect(text).toMatch(/\n✗ par\[0\]\/one\/deep: the command ended with exit code 3: deep err {2}command\.failed$/);
});

test('a container says what it adds, such as how many of its branches failed', () => {
  expect(errorLines(NESTED).beside(NESTED.steps[0]!)).toEqual({ code: 'parallel.branch-failed', message: 'Parallel branch failed: one' });
  expect(errorLines(NESTED).beside(NESTED.steps[1]!)).toBeUndefined();
});

test('failures that are not the run’s are shown at their steps, and so are all while it goes on', () => {
  const other = stepView('other', { ...ended, error: { code: 'timeout', message: 'too slow' } });
  expect(tree({ ...NESTED, steps: [...NESTED.steps, other] })).toMatch(/✗ other .*timeout: too slow/);
  const { error: _none, ...going } = NESTED;
  expect(tree({ ...going, state: 'running' })).toMatch(/deep .*command\.failed: the command ended/);
});

test('a failure that no step has is reported with the run', () => {
  const error = { code: 'run.aborted', message: 'aborted by ann' };
  expect(tree({ ...NESTED, error })).toMatch(/\n✗ aborted by ann {2}run\.aborted$/);
});

test('a step that is held for its failure tells it once', () => {
  const held = stepView('b', {
    state: 'held',
    startedAt: at(1),
    error: deep,
    waitingFor: `an operator: step b failed: ${deep.code}: ${deep.message}`,
  });
  const text = tree(runView([held], { state: 'held' }));
  expect(text).toMatch(/waits for an operator {2}command\.failed: the command/);
  expect(times(text, deep.message)).toBe(1);
});

test('the reason of a rejection is below the run’s tree', () => {
  const asked = stepView('ask', { ...ended, state: 'done', decision: { choice: 'reject', by: 'bob', comment: 'no good' } });
  expect(tree(runView([asked], { state: 'rejected', reason: 'ask was rejected by bob: no good' }))).toMatch(
    /\n✗ ask was rejected by bob: no good$/,
  );
});

test('lines of a followed run tell a failure once, the innermost step first', () => {
  const lines = changesBetween(undefined, NESTED).map((change) => renderChange(change, colors));
  expect(times(lines.join('\n'), deep.message)).toBe(1);
  expect(lines.map((line) => line.split(' ')[0]).filter((place) => place?.startsWith('par'))).toEqual([
    'par[0]/one/deep',
    'par[0]/one',
    'par[1]/two',
    'par',
  ]);
});
