import { compilePipeline } from '../../../compiler';
import { evaluate } from '../../../plan/expressions/evaluate';
import type { Json } from '../../../plan/text/json';
import { compiled, refusals, sourcesOf, stepsOf } from './compiled';
import { ofKind } from './of-kind';

const run = (id: string, more: object = {}) => ({ id, run: 'true', ...more });

describe('commands and pipes in a row', () => {
  it('are one chain, a hundred of them too', () => {
    const steps = stepsOf({ steps: Array.from({ length: 100 }, (_, i) => run(`s${i}`)) });
    expect(steps.map((step) => step.chained ?? false)).toEqual([false, ...Array.from({ length: 99 }, () => true)]);
  });

  it('break their chain where something is decided in between', () => {
    const steps = stepsOf({
      steps: [
        run('a', { retry: { max: 2 }, on_error: 'continue', timeout_ms: 5 }),
        run('b', { retry: { max: 2 }, on_error: 'skip_rest' }),
        run('c', { when: '$a.error' }),
        run('d'),
        run('e', { approval: true }),
        run('f'),
        { id: 'g', pipeline: 'json' },
        run('h'),
        { id: 'i', pipeline: 'json | approve' },
        run('j'),
        { id: 'k', pipeline: 'llm.invoke --prompt hello' },
        run('l', { stdin: '$j.stdout' }),
        run('m', { stdin: '$l.errorMessage' }),
      ],
    });
    expect(steps.filter((step) => step.chained).map((step) => step.id)).toEqual(['b', 'd', 'g', 'h']);
  });

  it('are chained within a loop, and never across its edge', () => {
    const steps = stepsOf({ steps: [run('a'), { id: 'l', for_each: '$a.json', steps: [run('x'), run('y')] }, run('b')] });
    const [, loop] = steps;
    expect(ofKind(loop, 'for_each').block.steps.map((step) => step.chained ?? false)).toEqual([false, true]);
    expect(steps.map((step) => step.chained ?? false)).toEqual([false, false, false]);
  });
});

describe('ids', () => {
  it('that are not part of an address, or are another’s, are others in the plan and say so', () => {
    const steps = stepsOf({
      steps: [
        run('l0'),
        ...['build web', 'build.web', '__proto__', 'constructor', 'é'].map((id) => run(id)),
        { id: 'l1', for_each: '$l0.json', steps: [run('x')] },
        { id: 'l2', for_each: '$l0.json', steps: [run('x'), run('l1')] },
      ],
    });
    expect(steps.map(({ id, as }) => [id, as])).toEqual([
      ['l0', undefined],
      ['build-web', 'build web'],
      ['build-web-2', 'build.web'],
      ['proto__', '__proto__'],
      ['constructor-step', 'constructor'],
      ['step', 'é'],
      ['l1', undefined],
      ['l2', undefined],
    ]);
    expect(steps.slice(-2).map((step) => ofKind(step, 'for_each').block.steps.map(({ id, as }) => [id, as]))).toEqual([
      [['x', undefined]],
      [
        ['x-2', 'x'],
        ['l1-2', 'l1'],
      ],
    ]);
  });

  it('are what the person is asked about', () => {
    expect(stepsOf({ steps: [{ id: 'go live!', approval: true }] })[0]).toMatchObject({
      id: 'go-live-',
      approval: { prompt: ['Approve go live!?'] },
    });
  });
});

describe('the name of a workflow', () => {
  it.each([
    ['the file’s', { name: 'daily_report' }, 'x.lobster', 'daily_report'],
    ['made fit to be a workflow type', { name: ' Ünser Täglicher (Report) ' }, 'x.lobster', 'Unser-Taglicher-Report'],
    ['that of the file where there is none', {}, 'flows/my report.lobster', 'my-report'],
    ['that of the file where it is no text', { name: 5 }, 'a.b.json', 'a-b'],
    ['never one of every object', { name: 'constructor' }, 'x.lobster', 'workflow-constructor'],
    ['never empty', { name: '!!!' }, 'x.lobster', 'workflow'],
    ['begun with a letter', { name: '2026 plan' }, 'x.lobster', 'workflow-2026-plan'],
    ['cut', { name: 'x'.repeat(100) }, 'x.lobster', 'x'.repeat(50)],
  ])('is %s', (_, head, file, expected) => {
    expect(compiled({ ...head, steps: [run('a')] }, {}, file).plan.name).toBe(expected);
  });
});

describe('retry', () => {
  it.each<[string, object, object | undefined]>([
    ['of one try is none', { max: 1 }, undefined],
    ['without a number is none', { backoff: 'exponential' }, undefined],
    ['has Lobster’s own defaults', { max: 3 }, { max: 3 }],
    ['keeps a fixed delay beyond the ceiling', { max: 2, delay_ms: 60_000 }, { max: 2, delayMs: 60_000, maxDelayMs: 60_000 }],
    [
      'keeps the ceiling of one that grows',
      { max: 2, backoff: 'exponential', max_delay_ms: 5.4 },
      { max: 2, backoff: 'exponential', maxDelayMs: 5 },
    ],
  ])('%s', (_, retry, expected) => {
    expect(stepsOf({ steps: [run('a', { retry })] })[0]?.retry).toEqual(expected);
  });
});

describe('approvals', () => {
  it.each<[string, Json, object | undefined]>([
    ['true', true, { prompt: ['Approve a?'] }],
    ['"required"', 'required', { prompt: ['Approve a?'] }],
    ['a prompt, as it stands', `Ship $a.json \${x}?`, { prompt: [`Ship $a.json \${x}?`] }],
    ['false', false, undefined],
    ['blank text', '  ', undefined],
    ['an object that says nothing', {}, { prompt: ['Approve a?'] }],
    ['both spellings, the later one first', { initiated_by: 'a', initiatedBy: ' b ' }, { prompt: ['Approve a?'], initiatedBy: ['b'] }],
  ])('%s', (_, approval, expected) => {
    expect(stepsOf({ steps: [run('a', { approval })] })[0]?.approval).toEqual(expected);
  });

  it('that are alone ask about what they are given', () => {
    expect(stepsOf({ steps: [run('a'), { id: 'ok', approval: 'Sure?', stdin: '$a.json.x' }] })[1]).toMatchObject({
      kind: 'stages',
      stages: [],
      stdin: [{ kind: 'output', step: 'a', path: ['x'] }],
      approval: { prompt: ['Sure?'] },
    });
  });
});

describe('an input', () => {
  const input = { prompt: 'Say', responseSchema: {} };

  it('is about the last step that ran', () => {
    const [, , step] = stepsOf({ steps: [run('a'), run('b', { when: '$a.json.go' }), { id: 'in', input }] });
    const [subject] = ofKind(step, 'input').subject ?? [];
    const about = (skipped: boolean, outputs: Record<string, Json>): Json =>
      typeof subject === 'object'
        ? evaluate(subject, {
            output: (id) => outputs[id],
            record: (_, field) => (field === 'skipped' ? skipped : field === 'error' ? false : undefined),
            arg: () => undefined,
            run: () => '',
            variable: () => undefined,
            state: () => 'done',
          })
        : null;
    expect(about(false, { a: 1, b: 2 })).toBe(2);
    expect(about(true, { a: 1 })).toBe(1);
  });

  it('has no subject if nothing is before it, and no policies', () => {
    const [step] = stepsOf({ steps: [{ id: 'in', input, timeout_ms: 5, retry: { max: 3 }, on_error: 'continue' }] });
    expect(step).toEqual({ id: 'in', kind: 'input', prompt: ['Say'], responseSchema: expect.any(String) });
  });

  it('has a response and no output of its own', () => {
    const [, step] = stepsOf({ steps: [{ id: 'in', input }, run('a', { run: 'echo $in.json $in.response.x' })] });
    expect(step).toMatchObject({ command: { shell: ['echo  ', { arguments: [{ kind: 'record', field: 'response', path: ['x'] }] }] } });
  });
});

describe('a child workflow', () => {
  const parent = (path: string, more: object = {}) => ({ steps: [{ id: 'c', workflow: path, ...more }] });

  it('is a Lobster file whatever its extension, counted from the folder of its parent', () => {
    const child = `steps: [{id: a, run: "echo \${anything}", extra: 1}]`;
    const made = compiled(parent('../parts/child.yml'), { 'parts/child.yml': child }, 'flows/flow.lobster');
    const [step] = made.plan.block.steps;
    const plan = JSON.parse(made.blobs.get(ofKind(step, 'pipeline').plan)?.content ?? '');
    expect(plan).toMatchObject({ name: 'child', dialect: 'lobster' });
  });

  it('gets text as text, and the rest as it is', () => {
    const made = compiled(
      { steps: [run('a'), ...parent('x.lobster', { workflow_args: { t: '$a.json', n: 1, l: ['$a.json'] } }).steps] },
      {
        'x.lobster': 'steps: [{id: a, run: "true"}]',
      },
    );
    const digest = ofKind(made.plan.block.steps[1], 'pipeline').with ?? '';
    expect(JSON.parse(made.blobs.get(digest)?.content ?? '')).toEqual({
      t: [{ kind: 'call', function: 'lobster.text', arguments: [{ kind: 'output', step: 'a', path: [] }] }],
      n: [{ kind: 'literal', value: 1 }],
      l: [{ kind: 'literal', value: ['$a.json'] }],
    });
  });

  it('that leads back to its parent, is not there or is faulty is refused', () => {
    const [circle] = refusals(parent('x.lobster'), { 'x.lobster': 'steps: [{id: back, workflow: flow.lobster}]' });
    expect(circle).toMatchObject({
      code: 'pipeline.cycle',
      message: 'Workflow step back creates a cycle: flow.lobster is already being executed',
      hint: 'remove one of the steps of flow.lobster → x.lobster → flow.lobster',
    });
    expect(refusals(parent('parts/gone.lobster'))).toMatchObject([
      { code: 'pipeline.missing-file', message: 'Workflow step c workflow file not found: parts/gone.lobster' },
    ]);
    expect(refusals(parent('x.lobster'), { 'x.lobster': 'steps: []' })).toMatchObject([{ code: 'lobster.no-steps', file: 'x.lobster' }]);
  });
});

describe('a Lobster file', () => {
  it('may have any extension if the caller says so', () => {
    const text = 'steps: [{id: a, run: "true", nonsense: 1}]';
    expect(compilePipeline('a.yaml', text, sourcesOf({})).plan).toBeUndefined();
    expect(compilePipeline('a.yaml', text, sourcesOf({}), { dialect: 'lobster' }).plan).toMatchObject({ dialect: 'lobster', name: 'a' });
  });

  it('starts all branches at once, as far as a run goes', () => {
    const wide = (count: number) => ({
      steps: [{ id: 'p', parallel: { branches: Array.from({ length: count }, (_, i) => run(`b${i}`)) } }],
    });
    expect(compiled(wide(8)).plan.concurrent).toBeUndefined();
    expect(compiled(wide(20)).plan.concurrent).toBe(20);
    expect(compiled(wide(90)).plan.concurrent).toBe(64);
  });

  it('has the same plan for the same text', () => {
    const text = JSON.stringify({ env: { B: '1', A: '2' }, steps: [run('a'), run('b', { stdin: '$a.json' })] });
    expect(compiled(text).planSha256).toBe(compiled(text).planSha256);
  });

  it('is refused in Lobster’s words', () => {
    const first = (workflow: object): string | undefined => refusals(workflow)[0]?.message;
    expect(first({ steps: [] })).toBe('Workflow file requires a non-empty steps array');
    expect(first({ steps: [run('a'), run('a')] })).toBe('Duplicate workflow step id: a');
    expect(first({ steps: [{ id: 'a' }] })).toBe(
      'Workflow step a requires run, command, pipeline, workflow, parallel, for_each, approval, or input',
    );
    expect(first({ steps: [run('a', { on_error: 'x' })] })).toBe('Workflow step a on_error must be "stop", "continue", or "skip_rest"');
    expect(first({ steps: [run('a', { stdin: '$b.json' })] })).toBe('Unknown step reference: b.json');
    expect(first({ steps: [run('a'), { id: 'l', for_each: '$a.json', steps: [run('b', { approval: true })] }] })).toBe(
      'Workflow step l for_each sub-steps cannot contain approval or input steps',
    );
  });
});
