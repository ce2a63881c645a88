import { defined } from '../../plan/defined';
import type { JournalEntry } from '../../plan/run/journal';
import { UpdateRefused } from '../../workflows/run-context';
import { agent, approval, command, forEach, parallel, wait } from '../support/steps';
import { artifact, planOf, runPlan, type World } from '../support/world';

const DAY = 24 * 3600 * 1000;
const outcomes = (world: World) =>
  world.journal().flatMap((entry: JournalEntry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []));

describe('an approval gate', () => {
  it('waits for ever for a silent person, and three days cost nothing', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: DAY }), command('b')]));
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: 'ask', choices: ['approve', 'reject'] }] });
    await world.elapse();
    expect(world.status().state).toBe('waiting');
    world.signal('approve', { by: 'chairman', comment: 'go' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('ask').decision).toEqual({ choice: 'approve', by: 'chairman', comment: 'go' });
  });

  it('stops the run as rejected, with who said so and why', async () => {
    const world = runPlan(planOf([approval('ask'), command('b')]));
    await world.settle();
    world.signal('reject', { by: 'chairman', comment: 'no appetite' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected', reason: 'ask was rejected by chairman: no appetite' });
    expect(world.order()).toEqual([]);
  });

  it('does on_reject instead if there is one', async () => {
    const world = runPlan(
      planOf([agent('draft'), approval('ask', { onReject: [{ kind: 'retry', step: 'draft', max: 1 }] }), command('b')]),
    );
    await world.settle();
    world.signal('reject', { by: 'chairman', comment: 'shorter' });
    await world.settle();
    expect(world.seen.at(-1)).toMatchObject({ input: { findings: { instructions: expect.stringContaining('shorter') } } });
    world.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['draft#1~1', 'draft#2~1', 'b#1~1']);
  });

  it.each([
    ['approve', 'completed'],
    ['reject', 'rejected'],
  ] as const)('means %s when its time runs out and the pipeline says so', async (onTimeout, status) => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: DAY, onTimeout })]));
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status });
    expect(world.journal().find((entry) => entry.kind === 'decision')).toMatchObject({ decision: { via: 'time-out' } });
  });

  it('gives what was decided to conditions and later steps', async () => {
    const world = runPlan(
      planOf([
        approval('ask', { reads: [['value', 'size']] }),
        command('big', {
          when: {
            kind: 'binary',
            operator: '>',
            left: { kind: 'output', step: 'ask', path: ['value', 'size'] },
            right: { kind: 'literal', value: 5 },
          },
        }),
        command('log', { records: [{ step: 'ask', field: 'approvedBy' }] }),
      ]),
    );
    await world.settle();
    world.signal('approve', { by: 'cfo', value: { size: 7 } });
    await world.result;
    expect(world.order()).toEqual(['big#1~1', 'log#1~1']);
    expect(world.seen.at(-1)?.input.records).toEqual({ ask: { approvedBy: 'cfo' } });
  });

  it('gives its place to other steps while it waits', async () => {
    const world = runPlan(
      planOf([approval('ask', { after: [] }), command('a', { after: [] }), command('b', { after: ['a'] })], { concurrent: 1 }, 'graph'),
    );
    await world.settle();
    expect(world.order()).toEqual(['a#1~1', 'b#1~1']);
  });
});

describe('people’s signals', () => {
  it('counts the first of two approvals at once, and journals the second', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    world.signal('approve', { by: 'chairman' });
    world.signal('reject', { by: 'cfo' });
    world.signal('approve', { by: 'chairman' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(outcomes(world)).toEqual(['approve applied', 'reject late', 'approve duplicate']);
  });

  it('does not apply an early approval: nobody approves what was not shown', async () => {
    const world = runPlan(planOf([agent('draft'), approval('ask')]));
    world.signal('approve', { by: 'chairman' });
    await world.settle();
    expect(world.status().state).toBe('waiting');
    expect(outcomes(world)).toEqual(['approve early']);
  });

  const escalates = [{ kind: 'escalate' as const, to: { kind: 'human' as const, channel: '#desk' } }];
  const gatedAgents = { worker: { definition: 'a'.repeat(64), gated: true as const } };
  it.each([
    ['an agent that escalates when it fails', planOf([agent('draft', { onError: escalates })])],
    ['an agent that escalates a bad reply', planOf([agent('draft', { onInvalid: escalates })])],
    ['an agent whose tools need a yes', planOf([agent('draft')], { agents: gatedAgents })],
    ['a command that escalates when it fails', planOf([command('make', { onError: escalates })])],
  ])('is early where %s may still open its gate', async (_, plan) => {
    const world = runPlan(plan);
    world.signal('approve', { by: 'chairman' });
    await world.settle();
    expect(outcomes(world)).toEqual(['approve early']);
  });

  it('is late if no step will ask anybody', async () => {
    const world = runPlan(planOf([agent('draft')]));
    world.signal('approve', { by: 'chairman' });
    await world.settle();
    expect(outcomes(world)).toEqual(['approve late']);
  });

  it.each(['signal', 'update'] as const)('is not given by JSON null, and is by no payload at all, in a %s', async (via) => {
    const world = runPlan(planOf([approval('ask')]));
    world.signal('approve', null);
    await world.settle();
    if (via === 'signal') world.signal('approve', null);
    else
      await expect(world.update('approve', null)).rejects.toMatchObject({
        outcome: 'unreadable',
        message: expect.stringContaining('JSON null'),
      });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'ask' }]);
    expect(new Set(outcomes(world))).toEqual(new Set(['approve unreadable']));
    if (via === 'signal') world.signal('approve');
    else await world.update('approve');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('journals late, misdirected, unreadable and unknown ones, and none of them harms the run', async () => {
    const world = runPlan(planOf([approval('ask'), approval('then')]));
    await world.settle();
    world.signal('approve', { step: 'nowhere' });
    world.signal('approve', { step: 'then' });
    world.signal('approve', 42);
    world.signal('approve', { undecodable: true, encoding: 'binary/x', sizeBytes: 3 });
    world.signal('respond', {});
    world.signal('respond', { response: 'maybe' });
    world.signal('dance', {});
    world.signal('approve', 'looks good');
    await world.settle();
    world.signal('approve', { step: 'ask', by: 'x' });
    world.signal('approve');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(outcomes(world)).toEqual([
      'approve misdirected',
      'approve early',
      'approve unreadable',
      'approve unreadable',
      'respond unreadable',
      'respond refused',
      'dance unknown',
      'approve applied',
      'approve late',
      'approve applied',
    ]);
    expect(world.step('ask').decision?.comment).toBe('looks good');
  });

  it('wants a name when several gates are open', async () => {
    const world = runPlan(planOf([approval('x', { after: [] }), approval('y', { after: [] })], {}, 'graph'));
    await world.settle();
    world.signal('approve', { by: 'a' });
    expect(outcomes(world)).toEqual(['approve misdirected']);
    world.signal('approve', { step: 'y', by: 'a' });
    world.signal('approve', { step: 'x#1~1', by: 'a' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('refuses who may not decide', async () => {
    const world = runPlan(planOf([approval('ask', { approvers: ['chairman', 'cfo'] })]));
    await world.settle();
    world.signal('approve', { by: 'intern' });
    world.signal('approve');
    expect(outcomes(world)).toEqual(['approve refused', 'approve refused']);
    world.signal('approve', { by: 'cfo' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('refuses at once, with the open gates, an update that would change nothing', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    const refused = await world.update('approve', { step: 'nowhere' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UpdateRefused);
    expect(refused).toMatchObject({ outcome: 'misdirected', gates: [{ step: 'ask' }] });
    await expect(world.update('approve', { by: 'chairman' })).resolves.toEqual({ outcome: 'applied', step: 'ask' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('brings a message to the agent’s next task', async () => {
    const world = runPlan(planOf([approval('ask'), agent('draft')]));
    await world.settle();
    world.signal('message', { to: 'worker', content: 'mind the fees', from: 'cfo' });
    world.signal('message', { to: 'nobody', content: 'x' });
    world.signal('approve');
    await world.result;
    expect(world.seen.at(-1)?.input.messages).toMatchObject([{ from: 'cfo', content: 'mind the fees' }]);
    expect(outcomes(world)).toContain('message misdirected');
  });
});

test('an answer to a gate within a container that has been decided is late, by whatever part of its address', async () => {
  const world = runPlan(planOf([parallel('par', [approval('ask'), command('other')]), wait('w', { forMs: 1000 })]));
  await world.settle();
  await world.update('approve', { step: 'ask', by: 'ann' });
  await world.settle();
  for (const step of ['ask', 'par[0]/ask', undefined])
    await expect(world.update('approve', { ...defined({ step }), by: 'bob' })).rejects.toMatchObject({
      outcome: 'late',
    });
  for (const step of ['other/ask', 'nobody'])
    await expect(world.update('approve', { step, by: 'bob' })).rejects.toMatchObject({ outcome: 'misdirected' });
});

test('an answer to a gate of an iteration that is done is late; of one to come it is early', async () => {
  const world = runPlan(planOf([forEach('loop', [approval('ask')])]), { lists: { loop: [1, 2] } });
  await world.settle();
  await expect(world.update('approve', { step: 'loop[1]/ask', by: 'ann' })).rejects.toMatchObject({ outcome: 'early' });
  await world.update('approve', { step: 'loop[0]/ask', by: 'ann' });
  await world.settle();
  await expect(world.update('approve', { step: 'loop[0]/ask', by: 'bob' })).rejects.toMatchObject({ outcome: 'late' });
});

test('a step at which a person said no is done, however far up the matter went', async () => {
  const escalates = command('ask', { approval: { onReject: [{ kind: 'escalate', to: { kind: 'human' } }] } });
  const world = runPlan(planOf([escalates]));
  await world.settle();
  await world.update('reject', { by: 'ann' });
  await world.settle();
  await world.update('reject', { by: 'bob' });
  await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  expect(world.step('ask').state).toBe('done');
});

test('the question after a step’s work is given what came of it', async () => {
  const world = runPlan(planOf([parallel('par', [command('a')], { approval: {} })]));
  await world.settle();
  expect(world.gateInputs.at(-1)?.inputs).toMatchObject({ par: { name: 'par#1~1/compose' } });
});

test('a question after a container is kept to those who may answer it', async () => {
  const world = runPlan(planOf([parallel('par', [command('a')], { approval: {} })]), {
    gate: () => ({ approval: { form: artifact('form'), question: 'Ok?', initiatedBy: 'joe', requireDifferentApprover: true } }),
  });
  await world.settle();
  await expect(world.update('approve', { by: 'joe' })).rejects.toMatchObject({ outcome: 'refused' });
  await world.update('approve', { by: 'ann' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

describe('an answer while a run is ending', () => {
  it('comes too late, for a signal and for an update', async () => {
    let release: () => void = () => undefined;
    const slow = agent('slow');
    const world = runPlan(planOf([parallel('all', [approval('no'), approval('late'), slow])]), {
      steps: {
        slow: async () => {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return { artifact: artifact('x') };
        },
      },
    });
    await world.settle();
    world.signal('reject', { step: 'no', by: 'ann' });
    world.signal('approve', { step: 'late', by: 'bob' });
    await expect(world.update('approve', { step: 'late', by: 'bob' })).rejects.toBeInstanceOf(UpdateRefused);
    release();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.journal().filter((entry) => entry.kind === 'gate' && entry.event === 'closed')).toHaveLength(2);
  });
});
