import { changesBetween, renderChange } from '../../cli/rendering/changes';
import { nested } from '../../cli/rendering/step-tree';
import { renderTree } from '../../cli/rendering/tree';
import type { StepView } from '../../plan/run/status';
import { fakeTerminal } from './fake-terminal';
import { at, gateView, runView, stepView } from './views';

const { colors } = fakeTerminal();
const tree = (steps: StepView[], more: Parameters<typeof runView>[1] = {}, columns = 120): string[] =>
  renderTree(runView(steps, more), { colors, columns, now: Date.parse(at(60)) });
const DONE = { state: 'done', startedAt: at(1), endedAt: at(3) } as const;
const inside = (address: string, more: Partial<StepView> = {}): StepView =>
  stepView(address.replace(/.*\//, '').replace(/#.*/, ''), { address, ...more });

const STEPS: StepView[] = [
  stepView('intel', { ...DONE, agent: 'finance' }),
  stepView('looks', { kind: 'parallel', state: 'running', startedAt: at(3) }),
  inside('looks[0]/fetch', { ...DONE, kind: 'command' }),
  inside('looks[1]/deep', { kind: 'group', state: 'running', startedAt: at(3) }),
  inside('looks[1]/deep/dig', { ...DONE, agent: 'finance' }),
  inside('looks[1]/deep/judge#2', {
    kind: 'review',
    agent: 'reviewer',
    state: 'running',
    startedAt: at(8),
    round: 2,
    superseded: [
      { address: 'looks[1]/deep/judge', state: 'superseded', round: 1, try: 1, verdict: { verdict: 'revise', findings: { high: 1 } } },
    ],
  }),
  stepView('each', { kind: 'for_each', state: 'running', startedAt: at(3), iterations: { done: 4, total: 9 } }),
  inside('each[4]/lint', { ...DONE, kind: 'command' }),
  inside('each[4]/accept', { kind: 'command', state: 'waiting', waitingFor: 'a decision by a person' }),
  inside('each[5]/lint', { kind: 'command', state: 'running', startedAt: at(50) }),
  stepView('ship', { kind: 'pipeline', state: 'waiting', startedAt: at(9), child: 'weekly-20261121-7f3k2a/ship' }),
  stepView('tell', { kind: 'notify' }),
];

test('a step is under the one whose address is a prefix of its own, an iteration by its number', () => {
  const names = (branches: ReturnType<typeof nested>): unknown[] =>
    branches.map(({ name, within }) => (within.length > 0 ? [name, names(within)] : name));
  expect(names(nested(STEPS))).toEqual([
    'intel',
    ['looks', ['fetch', ['deep', ['dig', 'judge']]]],
    ['each', ['[4] lint', '[4] accept', '[5] lint']],
    'ship',
    'tell',
  ]);
});

test('a loop within a loop keeps its iterations apart', () => {
  const steps = [
    stepView('outer', { kind: 'for_each' }),
    inside('outer[0]/inner', { kind: 'for_each' }),
    inside('outer[0]/inner[7]/x'),
    inside('outer[1]/inner', { kind: 'for_each' }),
    inside('outer[1]/inner[0]/x'),
  ];
  expect(nested(steps)[0]?.within.map(({ name, within }) => [name, within.map((branch) => branch.name)])).toEqual([
    ['[0] inner', ['[7] x']],
    ['[1] inner', ['[0] x']],
  ]);
});

test('a step whose container is not in the list is at the top level', () => {
  expect(nested([inside('gone[3]/x')]).map(({ name }) => name)).toEqual(['x']);
});

test('a tree with all there can be in it', () => {
  const gates = [gateView('ship/allow', { approvers: ['ann', 'bob'], question: 'Go?' }), gateView('each[4]/accept')];
  expect(tree(STEPS, { state: 'waiting', gates }).join('\n')).toMatchInlineSnapshot(`
"daily-20261121-7f3k2a  waiting  1 min 00 s
├─ ✓ intel          finance   2.0 s
├─ ▸ looks          parallel  57 s
│  ├─ ✓ fetch       command   2.0 s
│  └─ ▸ deep        group     57 s
│     ├─ ✓ dig      finance   2.0 s
│     └─ ▸ judge    reviewer  52 s  round 2
│        └─ ↺ round 1  revise  1 high
├─ ▸ each           for_each  57 s  4/9
│  ├─ ✓ [4] lint    command   2.0 s
│  ├─ ? [4] accept  command   waits for a decision by a person
│  └─ ▸ [5] lint    command   10 s
├─ ? ship           pipeline  51 s  run weekly-20261121-7f3k2a/ship
│  └─ ? allow  waits for ann or bob  Go?
└─ · tell           notify"
`);
});

test('many steps side by side are summed up in numbers, but for those that need attention', () => {
  const branches = Array.from({ length: 60 }, (_, i) =>
    inside(`par[${i}]/b${i}`, { state: i === 7 ? 'failed' : i < 50 ? 'done' : 'pending' }),
  );
  const lines = tree([stepView('par', { kind: 'parallel', state: 'running' }), ...branches]);
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain('b7');
  expect(lines[3]).toContain('49 done, 10 pending');
});

test('no line is wider than the terminal, however deep', () => {
  const steps = [
    stepView('a', { kind: 'group' }),
    inside('a/b', { kind: 'group' }),
    inside('a/b/c', { state: 'failed', error: { code: 'internal', message: 'x'.repeat(300) } }),
  ];
  for (const line of tree(steps, {}, 70).slice(1)) expect(line.length).toBeLessThanOrEqual(70);
});

describe('the progress of a loop', () => {
  const loop = (done: number, total: number): ReturnType<typeof runView> =>
    runView([stepView('each', { kind: 'for_each', state: 'running', iterations: { done, total } })]);
  const told = (from: number, to: number, total: number): string[] =>
    changesBetween(loop(from, total), loop(to, total)).map((change) => renderChange(change, colors));

  test('is reported at each turn if they are few, at every tenth if they are many', () => {
    expect(told(1, 2, 5)).toHaveLength(1);
    expect(told(1001, 1999, 10_000)).toEqual([]);
    expect(told(1999, 2001, 10_000)[0]).toContain('2001/10000');
  });

  test('is not reported twice', () => {
    expect(told(3, 3, 5)).toEqual([]);
  });
});
