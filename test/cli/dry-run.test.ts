import { dryRun } from '../../cli/dry-run/dry-run';
import type { DryStep } from '../../cli/dry-run/dry-run-model';
import { renderDryRun } from '../../cli/rendering/dry-run';
import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { Block, Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { ARGS, byId, planOf, request } from './dry-run-request';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();
const ref = (step: string, ...path: string[]): Expr => ({
  kind: 'output',
  step,
  path,
});
const call = (name: string, ...given: Expr[]): Expr => ({
  kind: 'call',
  function: name,
  arguments: given,
});
const arg = (name: string): Expr => ({ kind: 'arg', name, path: [] });
const shell = (id: string, command: (string | Expr)[], more: Partial<Step> = {}): Step =>
  ({ id, kind: 'command', command: { shell: command }, ...more }) as Step;
const dry = (steps: Step[], args: Record<string, Json> = {}, order: Block['order'] = 'sequence') =>
  byId(dryRun(request({ plan: planOf(order, steps), args })));
const commandOf = (step: DryStep | undefined): string | undefined => (step?.does.kind === 'command' ? step.does.shell : undefined);

test('every step of the plan is in it, child pipelines’ steps under theirs', () => {
  const ids = [...byId(dryRun(request())).keys()];
  expect(ids).toEqual([
    ...['intel', 'looks', 'fetch', 'deep', 'dig', 'judge', 'each', 'lint', 'accept', 'ship', 'push', 'allow'],
    ...['size', 'pipe', 'signal', 'approve', 'tell'],
  ]);
});

test('args are in their place, and what only the run knows is named', () => {
  const steps = byId(dryRun(request()));
  const intel = steps.get('intel')?.does;
  expect(intel?.kind === 'agent' && intel.prompt).toContain("Look at o'neill & sons since ⟨run.startedAt⟩.");
  expect(intel?.kind === 'agent' && intel.prompt).toContain('You are the writer.');
  expect(steps.get('fetch')?.does).toMatchObject({
    argv: ['curl', '-o', '⟨intel.market⟩'],
  });
  expect(steps.get('approve')?.does).toMatchObject({
    question: 'Trade on ⟨intel.market⟩?',
    approvers: ['chairman'],
    onTimeout: 'reject',
  });
});

test('a value in a shell command is quoted as its place asks', () => {
  const value = arg('v');
  const steps = dry([shell('a', ['echo ', value, ' "', value, '" \'', value, "' ", ref('b', 'x')])], { v: `it's $5 "now"` });
  expect(commandOf(steps.get('a'))).toBe(`echo 'it'\\''s $5 "now"' "it's \\$5 \\"now\\"" 'it'\\''s $5 "now"' ⟨b.x⟩`);
});

test('the Lobster dialect puts values in as they are', () => {
  const raw: Step = {
    id: 'a',
    kind: 'command',
    command: { shell: ['echo ', arg('v')], raw: true },
  };
  expect(commandOf(dry([raw], { v: '$(id)' }).get('a'))).toBe('echo $(id)');
});

test('a secret is shown as its reference', () => {
  const run = dryRun(request());
  expect(byId(run).get('lint')?.does).toMatchObject({
    env: { TOKEN: '⟨secret://env/TOKEN⟩' },
  });
});

test('a child gets what its parent knows, and its parent’s words for the rest', () => {
  const steps = byId(dryRun(request()));
  expect(steps.get('ship')?.does).toMatchObject({
    args: { target: '⟨intel.market⟩' },
  });
  expect(commandOf(steps.get('push'))).toBe('push to ⟨intel.market⟩');
});

test('a list that is known says how many turns a loop takes', () => {
  expect(byId(dryRun(request())).get('each')?.does).toMatchObject({
    count: 2,
    itemVar: 'file',
    maxConcurrent: 3,
  });
  expect(
    dry([
      {
        id: 'l',
        kind: 'for_each',
        items: ref('a'),
        block: { order: 'sequence', steps: [] },
      },
    ]).get('l')?.does,
  ).toMatchObject({
    items: '⟨a⟩',
  });
});

describe('conditions', () => {
  test('one that is known decides, one that is not is shown', () => {
    const quick = byId(dryRun(request({ args: { ...ARGS, quick: true } })));
    expect(quick.get('each')).toMatchObject({
      when: { text: 'args.quick != true', value: false },
      skipped: 'its condition is false',
    });
    expect(quick.has('lint')).toBe(false);
    expect(dry([shell('a', ['x'], { when: ref('b', 'ok') })]).get('a')).toMatchObject({ when: { text: 'b.ok' } });
    expect(dry([shell('a', ['x'], { when: ref('b', 'ok') })]).get('a')?.skipped).toBeUndefined();
  });

  test('the left side alone can decide', () => {
    const when: Expr = {
      kind: 'binary',
      operator: '&&',
      left: arg('deploy'),
      right: ref('b', 'ok'),
    };
    expect(dry([shell('a', ['x'], { when })], { deploy: false }).get('a')?.skipped).toBeDefined();
    expect(dry([shell('a', ['x'], { when })], { deploy: true }).get('a')?.when).toEqual({ text: 'args.deploy && b.ok' });
  });

  const graph = (when: Expr): Step[] => [
    shell('a', ['x'], { when: { kind: 'literal', value: false } }),
    shell('b', ['x'], { after: ['a'] }),
    shell('c', ['x'], { after: ['b'], when }),
  ];

  test('in a graph, what depends on a skipped step is skipped with it', () => {
    expect(dry(graph(arg('yes')), { yes: true }, 'graph').get('c')?.skipped).toBe('b is skipped');
  });

  test('unless its condition is about just that', () => {
    expect(dry(graph(call('skipped', ref('b'))), {}, 'graph').get('c')).toMatchObject({ when: { value: true } });
    expect(dry(graph(call('failed', ref('b'))), {}, 'graph').get('c')?.skipped).toBe('its condition is false');
    expect(dry(graph(call('always')), {}, 'graph').get('c')?.skipped).toBeUndefined();
  });

  test('how a step that runs will end is not known', () => {
    expect(dry([shell('a', ['x']), shell('b', ['x'], { when: call('failed', ref('a')) })]).get('b')?.when).toEqual({ text: 'failed(a)' });
  });
});

test('steps of a graph that may run side by side have the same number', () => {
  const steps = [
    shell('d', ['x'], { after: ['b', 'c'] }),
    shell('b', ['x'], { after: ['a'] }),
    shell('c', ['x'], { after: ['a'] }),
    shell('a', ['x']),
  ];
  expect([...dry(steps, {}, 'graph').values()].map(({ id, turn }) => [id, turn])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 2],
    ['d', 3],
  ]);
});

test('categories of action, and who says yes to them, are reported', () => {
  const plan: Plan = {
    ...planOf('sequence', [shell('a', ['x'], { category: 'deploy' })]),
    requiresApproval: {
      deploy: {
        approvers: ['cfo'],
        identity: 'proven',
        comment: 'always',
        quorum: 1,
      },
    },
  };
  const run = dryRun(request({ plan, args: {} }));
  expect(run).toMatchObject({
    requiresApproval: plan.requiresApproval,
    steps: [{ id: 'a', category: 'deploy' }],
  });
  const text = renderDryRun(run, colors);
  for (const said of ['approval of deploy', 'cfo in #approvals', 'proven', 'comment', 'needs approval first: deploy'])
    expect(text).toContain(said);
});
