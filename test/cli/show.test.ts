import { nodeCheck } from '../../cli/checks/machine';
import { findRound } from '../../cli/commands/show';
import { isPast } from '../../cli/past-step';
import { runView, stepView } from './views';

const VIEW = runView([
  stepView('converge', {
    address: 'converge#3',
    round: 3,
    superseded: [
      { address: 'converge', state: 'superseded', round: 1, try: 1 },
      { address: 'converge#2', state: 'superseded', round: 2, try: 1 },
    ],
  }),
]);

test('a step’s id means its last round; --round or an address names an earlier one', () => {
  expect(findRound(VIEW, 'converge', undefined).round.address).toBe('converge#3');
  expect(findRound(VIEW, 'converge', 2).round.address).toBe('converge#2');
  expect(findRound(VIEW, 'converge#1', undefined).round.address).toBe('converge');
});

test('a step or a round that is not there is exit 2, with what there is', () => {
  expect(() => findRound(VIEW, 'convrge', undefined)).toThrow(
    expect.objectContaining({ exit: 2, more: { hint: expect.stringContaining('converge') } }),
  );
  expect(() => findRound(VIEW, 'converge', 4)).toThrow(expect.objectContaining({ exit: 2 }));
});

test('an address with a try means the last one; another is refused, and what it has printed is named', () => {
  const view = runView([stepView('draft', { address: 'draft~2', try: 2 })]);
  expect(findRound(view, 'draft~2', undefined).round.try).toBe(2);
  const refused = (given: string) => () => findRound(view, given, undefined);
  expect(refused('draft~9')).toThrow(expect.objectContaining({ exit: 2, more: { hint: 'tries: 1 to 2' } }));
  expect(refused('draft~1')).toThrow(expect.objectContaining({ more: { hint: expect.stringMatching(/thermidor logs \S+ 'draft~1'$/) } }));
});

test('what was in an iteration that is done is past; what was never within anything is not there', () => {
  const view = runView([stepView('each'), stepView('lint', { address: 'each[3]/lint' })]);
  expect(isPast(view, 'each[1]/lint')).toBe(true);
  expect(['each[3]/lint', 'each[3]/lint#2', 'each', 'lint', 'nowhere'].map((given) => isPast(view, given))).toEqual(Array(5).fill(false));
});

test('if an iteration is over, the hints name the commands that show its output and its transcript', () => {
  const view = runView([stepView('each', { kind: 'for_each', iterations: { done: 2, total: 2 } })]);
  expect(() => findRound(view, 'each[0]/ask', undefined)).toThrow(
    expect.objectContaining({
      exit: 2,
      more: { hint: expect.stringMatching(/output of each;.*thermidor show \S+ 'each\[0\]\/STEP' --transcript/) },
    }),
  );
});

test('of what is over, as a turn of a member of a board, the transcript is left, if somebody has said something', () => {
  const view = runView([stepView('team', { kind: 'board' })]);
  const find = (wasSaid: boolean) => () => findRound(view, 'team[2]/team_writer', undefined, wasSaid);
  const hint = expect.stringMatching(/thermidor show \S+ 'team\[2\]\/team_writer' --transcript$/);
  expect(find(true)).toThrow(expect.objectContaining({ exit: 2, more: { hint } }));
  expect(find(false)).toThrow(expect.objectContaining({ exit: 2, more: { hint: expect.not.stringContaining('--transcript') } }));
});

test('within a loop or a branch a step is named by its place, by its id only if that is enough', () => {
  const view = runView([
    stepView('lint', { address: 'each[3]/lint' }),
    stepView('lint', { address: 'each[4]/lint#2', round: 2 }),
    stepView('fetch', { address: 'par[0]/fetch' }),
  ]);
  expect(findRound(view, 'each[4]/lint', undefined).round.address).toBe('each[4]/lint#2');
  expect(findRound(view, 'fetch', undefined).step.address).toBe('par[0]/fetch');
  expect(() => findRound(view, 'lint', undefined)).toThrow(
    expect.objectContaining({ exit: 2, more: { hint: expect.stringContaining('each[4]/lint') } }),
  );
  expect(() => findRound(view, 'each[9]/lint', undefined)).toThrow(expect.objectContaining({ exit: 2 }));
});

test('doctor knows which Node is too old', () => {
  expect(['20.2.9', '20.3.0', '22.0.0', '18.19.0'].map((version) => nodeCheck(version).state)).toEqual(['failed', 'ok', 'ok', 'failed']);
});
