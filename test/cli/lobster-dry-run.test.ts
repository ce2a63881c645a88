import { renderLobsterDryRun } from '../../cli/rendering/lobster-dry-run';
import { defined } from '../../plan/defined';
import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { planOf } from '../support/world';

const plain = (id: string, when?: Expr): Step => ({ id, kind: 'command', command: { shell: [], raw: true }, ...defined({ when }) });
const approved = (step: string): Expr => ({
  kind: 'call',
  function: 'lobster.flag',
  arguments: [{ kind: 'record', step, field: 'approved', path: [] }],
});
/** The plan is asked for its conditions only. */
const told = (steps: Json[], plan: Step[] = [], args: Record<string, Json> = {}): string[] =>
  renderLobsterDryRun({ plan: planOf(plan, { dialect: 'lobster' }), document: { steps }, args }).split('\n');

test('begins with the number of steps and an empty line', () => {
  expect(told([{ id: 'a', run: 'x' }]).slice(0, 2)).toEqual(['[DRY RUN] Would execute 1 step:', '']);
  expect(
    told([
      { id: 'a', run: 'x' },
      { id: 'b', run: 'y' },
    ])[0],
  ).toBe('[DRY RUN] Would execute 2 steps:');
});

test('args are put in, outputs stay as they are written and are marked', () => {
  const lines = told(
    [
      { id: 'a', run: `curl \${url} \${none}` },
      { id: 'b', command: 'echo $a.stdout', stdin: '$a.json' },
    ],
    [],
    { url: 'u' },
  );
  expect(lines.slice(2)).toEqual([
    '  1. a  [shell]',
    `     run: curl u \${none}`,
    '  2. b  [shell]',
    '     run: echo $a.stdout  [contains step output refs — unknown at plan time]',
    '     stdin: $a.json  [output unknown at plan time]',
    '',
  ]);
});

test('an approval counts as given, in conditions and in text', () => {
  const steps = [
    { id: 'gate', run: 'x', approval: 'Go?' },
    { id: 'yes', run: 'echo $gate.approved' },
    { id: 'no', run: 'x' },
  ];
  const lines = told(steps, [plain('gate'), plain('yes', approved('gate')), plain('no', { kind: 'not', operand: approved('gate') })]);
  expect(lines.slice(2)).toEqual([
    '  1. gate  [shell]',
    '     run: x',
    '     [approval required]',
    '  2. yes  [shell]',
    '     run: echo true',
    '  3. no  [skipped — condition: false]',
    '',
  ]);
});

test('every kind of step, and what surrounds it', () => {
  const steps = [
    { id: 'ask', input: { prompt: 'Which?', responseSchema: {} } },
    {
      id: 'both',
      parallel: {
        branches: [
          { id: 'l', run: 'x' },
          { id: 'r', pipeline: 'json | head 1' },
        ],
        timeout_ms: 5,
      },
    },
    {
      id: 'each',
      for_each: '$ask.json',
      batch_size: 2,
      steps: [
        { id: 's', run: 'y' },
        { id: 't', pipeline: 'json' },
      ],
      retry: { max: 1 },
    },
    {
      id: 'sub',
      workflow: 'other.lobster',
      workflow_args: { a: 1, b: 2 },
      timeout_ms: 9,
      on_error: 'continue',
      retry: { max: 3, jitter: true },
    },
    { id: 'halt', approval: true },
  ];
  expect(told(steps).slice(2)).toEqual([
    '  1. ask  [input]',
    '     prompt: Which?',
    '     [input required]',
    '  2. both  [parallel]',
    '     wait: all',
    '     timeout: 5ms',
    '     branch l: [shell] x',
    '     branch r: [pipeline] json | head 1',
    '  3. each  [for_each]',
    '     for_each: $ask.json  [contains step output refs — unknown at plan time]',
    '     item_var: item, index_var: index',
    '     batch_size: 2',
    '     sub-steps: 2',
    '       1. s  [shell] run: y',
    '       2. t  [pipeline] pipeline: json',
    '  4. sub  [workflow]',
    '     workflow: other.lobster',
    '     args: a, b',
    '     timeout: 9ms',
    '     on_error: continue',
    '     retry: up to 3 attempts, fixed backoff (base: 1000ms, jitter)',
    '  5. halt  [no-op]',
    '     [approval required]',
    '',
  ]);
});
