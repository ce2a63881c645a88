import { dryRun } from '../../cli/dry-run/dry-run';
import type { DryRunRequest, DryStep } from '../../cli/dry-run/model';
import { renderDryRun } from '../../cli/rendering/dry-run';
import type { Expr } from '../../plan/expression';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import type { Block, Step } from '../../plan/step';
import { fakeTerminal } from './fake-terminal';
import { NESTED, NESTED_BLOBS } from './nested-plan';

const { colors } = fakeTerminal();
const ARGS = {
  topic: "o'neill & sons",
  files: [{ name: 'a' }, { name: 'b' }],
  token: 'secret://env/TOKEN',
};
const set = <T>(value: T) => ({ value, source: 'a test' });
const SETTINGS = { models: set({}), adapters: set({}), defaultAdapter: set('scripted') };
const request = (over: Partial<DryRunRequest> = {}): DryRunRequest => ({
  plan: NESTED,
  blobs: NESTED_BLOBS,
  args: ARGS,
  settings: SETTINGS,
  ...over,
});

function everyStep(steps: readonly DryStep[]): DryStep[] {
  return steps.flatMap((step) => [step, ...everyStep(step.steps ?? []), ...everyStep(step.finally ?? [])]);
}
const byId = (run: ReturnType<typeof dryRun>): Map<string, DryStep> =>
  new Map([...everyStep(run.steps), ...everyStep(run.finally ?? [])].map((step) => [step.id, step]));

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
const planOf = (order: Block['order'], steps: Step[]): Plan => ({
  irVersion: 1,
  name: 'p',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  block: { order, steps },
});
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

test('args stand in their place, what only the run knows as what is meant', () => {
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

test('what the opening of the run would refuse is said', () => {
  const steps = [shell('a', ['x'], { worktree: { keep: true } }), shell('b', ['x'], { budget: { tokens: 1 } })];
  expect(dryRun(request({ plan: planOf('sequence', steps), args: {} })).problems).toHaveLength(1);
  expect(dryRun(request()).problems).toEqual([]);
});

test('categories of action, and who says yes to them, are told', () => {
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
  for (const said of ['approval of deploy', 'cfo in #approvals', 'proven', 'comment', 'say yes first: deploy'])
    expect(text).toContain(said);
});

describe('how an agent would be run', () => {
  const definition = (model: string) => ({ content: JSON.stringify({ id: 'x', role: 'Writes.', model }) });
  const plan: Plan = {
    ...planOf('sequence', [
      { id: 'draft', kind: 'agent', agent: 'writer' },
      { id: 'judge', kind: 'review', agent: 'editor', of: 'draft', critic: 'writer' },
    ]),
    agents: { writer: { definition: 'w' }, editor: { definition: 'e' } },
  };
  const blobs = new Map([
    ['w', definition('fast')],
    ['e', definition('deep')],
  ]);
  const settings = {
    models: set({ fast: { model: 'small' }, deep: { model: 'large', adapter: 'local' } }),
    adapters: set({ local: { kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' } as const }),
    defaultAdapter: set('anthropic'),
  };

  test('is told with what its name for a model stands for, of a second opinion too', () => {
    const steps = byId(dryRun(request({ plan, blobs, args: {}, settings })));
    const writer = { adapter: 'anthropic', model: 'small', modelAlias: 'fast' };
    expect(steps.get('draft')?.does).toMatchObject(writer);
    expect(steps.get('judge')?.does).toMatchObject({ adapter: 'local', model: 'large', modelAlias: 'deep', criticRunBy: writer });
    const text = renderDryRun(dryRun(request({ plan, blobs, args: {}, settings })), colors);
    expect(text).toContain('agent writer (adapter anthropic, model small as "fast")');
    expect(text).toContain('second opinion by writer (adapter anthropic, model small as "fast")');
  });

  test('names the adapter’s own model where it names none', () => {
    const own = { ...settings, adapters: set({ anthropic: { kind: 'anthropic', model: 'usual' } as const }) };
    const nameless = new Map([...blobs, ['w', { content: '{"id": "x", "role": "Writes."}' }]]);
    const does = byId(dryRun(request({ plan, blobs: nameless, args: {}, settings: own }))).get('draft')?.does;
    expect(does).toMatchObject({ adapter: 'anthropic', model: 'usual' });
    expect(does).not.toHaveProperty('modelAlias');
  });

  test('is by the script where there is one, whatever it names', () => {
    const does = byId(dryRun(request({ plan, blobs, args: {}, settings, script: 'night' }))).get('draft')?.does;
    expect(does).toMatchObject({ adapter: 'scripted' });
    expect(does).not.toHaveProperty('model');
  });
});

test('for people', () => {
  const run = dryRun(request());
  expect(renderDryRun(run, colors)).toMatchInlineSnapshot(`
    "weekly  dry run: nothing is started
      Everything at once.
      args: topic = "o'neill & sons", files = [{"name":"a"},{"name":"b"}], token = "secret://env/TOKEN"
      commands get: PATH, HOME, USER, LOGNAME, SHELL, LANG, TMPDIR, TERM, TZ, XDG_CACHE_HOME, XDG_CONFIG_HOME of their worker, LC_ALL=C, and what is set below
      budget: 50.0k tokens, $2.00
      at once: at most 8 steps; those with the same number may run side by side

    1. intel  agent writer (adapter scripted) → Brief.json
       at most 3 tries, 2.0 s doubling up to 30 s between them
       prompt:
         │ # Role
         │
         │ You are the writer.
         │
         │ You write.
         │
         │ # Answer
         │
         │ Answer with one JSON object and nothing else: no text before or after it. Leave no required field out and none blank; where you cannot know one, leave it out and list its path in a field \`missing_fields\`.
         │
         │ # Task
         │
         │ Look at o'neill & sons since ⟨run.startedAt⟩.
    2. looks  side by side: 50 % must give a result
       time-out 5 min 00 s
       merge: union over id
       1. fetch  command
          on a worker of queue host
          run: curl -o ⟨intel.market⟩
       1. deep  one after the other
          1. dig  agent writer (adapter scripted)
             prompt:
               │ # Role
               │
               │ You are the writer.
               │
               │ You write.
               │
               │ # Answer
               │
               │ Answer in plain text or JSON.
               │
               │ # Task
               │
               │ Do step "dig" of pipeline "weekly".
          2. judge  review of dig by writer (adapter scripted)
             on revise: retry dig, at most 2
             on block: escalate to human
             prompt:
               │ # Role
               │
               │ You are the writer.
               │
               │ You write.
               │
               │ # Answer
               │
               │ Answer with one JSON object and nothing else: no text before or after it. Leave no required field out and none blank; where you cannot know one, leave it out and list its path in a field \`missing_fields\`.
               │
               │ # Task
               │
               │ Do step "judge" of pipeline "weekly". You judge what step "dig" put out.
    3. each  for each file of args.files (2), 3 at once, a pause of 1.0 s after every 10
       when args.quick != true (which holds)
       1. lint  shell
          run: lint ⟨file.name⟩ 'o'\\''neill & sons'
          cwd: src
          env TOKEN: ⟨secret://env/TOKEN⟩
       2. accept  shell
          run: cat
          stdin: ⟨lint⟩
          ? then a person approves: Keep it?
    4. ship  pipeline deploy, as a run of its own
       arg target: ⟨intel.market⟩
       1. push  shell
          run: push to ⟨intel.market⟩
       2. allow  a person decides in #ops: ann, bob
          choices: approve, reject
          quorum: 2 must approve
    5. size  a person gives a value
       time-out 1 h 00 min
       asks: How large?
       schema: {"type":"object","required":["size"],"properties":{"size":{"type":"integer"}}}
       offers: {"size":3}
    6. pipe  pipe, in which a person is asked: approve
       pipe: exec --json ls "o'neill & sons" | where size>=3 | approve --prompt "All of these?"
    7. signal  wait for the signal market-open
       time-out 1 min 00 s
    8. approve  a person decides: chairman
       time-out 1 d 0 h
       asks: Trade on ⟨intel.market⟩?
       shows: intel
       choices: approve, reject
       four eyes: neither the owner nor who started the run
       when time is up: reject
       reminds: every 2 h 00 min
       on reject: retry intel, at most 2

    finally, whatever happened
    1. tell  notify #desk
       message: done with o'neill & sons
    "
  `);
});
