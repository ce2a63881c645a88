import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { agent, command, wait } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';

/** Fails the first `times` tries, then answers. */
function failing(times: number, code: FailureCode, details?: Json): StepBehaviour {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries <= times) throw new ThermidorFailure(code, `${code} ${tries}`, details);
    return { artifact: artifact('report') };
  };
}

describe('docs/protocol.md, 4.8', () => {
  it('respawns an agent that timed out, with the timeout in its input', async () => {
    const world = runPlan(planOf([agent('intel')]), { steps: { intel: failing(1, 'agent.timeout') } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen[1]).toMatchObject({ call: { options: { address: 'intel#1~2' } }, input: { note: { reason: 'timeout' } } });
  });

  it('respawns an agent whose report has missing fields, demanding them', async () => {
    const details = { missingFields: ['invalidation'], previous: { ...artifact('raw') } };
    const world = runPlan(planOf([agent('bull')]), { steps: { bull: failing(1, 'reply.invalid', details) } });
    await world.result;
    expect(world.seen[1]?.input.note).toMatchObject({
      reason: 'missing_fields',
      missingFields: ['invalidation'],
      previous: { name: 'raw' },
    });
    const asked = world.journal().find((entry) => entry.kind === 'envelope' && entry.envelope.intent === 'request_clarification');
    expect(asked).toMatchObject({
      envelope: { from: 'lead', to: 'worker', payload: { missing_fields: ['invalidation'], previous_report: { $ref: 'raw' } } },
    });
  });

  it('respawns three times and no more', async () => {
    const world = runPlan(planOf([agent('bull')]), { steps: { bull: failing(9, 'agent.timeout') } });
    await expect(world.result).rejects.toMatchObject({ code: 'agent.timeout' });
    expect(world.seen).toHaveLength(4);
  });

  it('retries a model API error once of its own accord, then reports to #errors and stops', async () => {
    const world = runPlan(planOf([agent('structure')]), { steps: { structure: failing(9, 'model.api-error') } });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'model.api-error' });
    expect(world.seen).toHaveLength(2);
    expect(world.notices).toHaveLength(1);
    expect(world.notices[0]).toMatchObject({ channel: '#errors' });
  });

  it('reports a model API error to #errors even if the run goes on', async () => {
    const world = runPlan(planOf([agent('a', { onError: [{ kind: 'continue' }] }), command('b')]), {
      steps: { a: failing(9, 'model.api-error') },
    });
    await world.completes();
    expect(world.notices).toMatchObject([{ channel: '#errors' }]);
  });

  it('goes as on_invalid says once repair and respawn did not help', async () => {
    const world = runPlan(planOf([agent('a', { onInvalid: [{ kind: 'skip' }] }), command('b')]), {
      steps: { a: failing(9, 'reply.invalid') },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('a').state).toBe('skipped');
  });

  it('sends one message for one failure of the pipeline', async () => {
    const world = runPlan(planOf([command('a')]), { steps: { a: failing(1, 'command.failed') } });
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.notices).toHaveLength(1);
  });
});

describe('a channel that is down', () => {
  it('delays nothing but itself, and the journal says what was not delivered', async () => {
    const world = runPlan(planOf([command('a', { onError: [{ kind: 'notify', channel: '#ops' }, { kind: 'continue' }] }), command('b')]), {
      steps: { a: failing(9, 'command.failed') },
      notify: () => new Promise(() => undefined),
    });
    await world.settle();
    expect(world.order()).toEqual(['a#1~1', 'b#1~1']);
    await world.completes();
    expect(world.journal()).toContainEqual(expect.objectContaining({ kind: 'notification', channel: '#ops', delivered: false }));
  });
});

describe('escalation of an error', () => {
  it('asks a person, who lets the run go on without the step', async () => {
    const world = runPlan(planOf([command('a', { onError: [{ kind: 'escalate', to: { kind: 'human' } }] }), command('b')]), {
      steps: { a: failing(9, 'command.failed') },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'a', kind: 'escalation', choices: ['approve', 'revise', 'reject'] }]);
    world.signal('approve', { by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('a').state).toBe('failed');
  });
});

describe('a wait that is tried again', () => {
  test('fails again if its moment is none still', async () => {
    const world = runPlan(planOf([wait('w', { until: { kind: 'literal', value: 'rubbish' }, retry: { max: 2, delayMs: 1000 } })]));
    world.result.catch(() => undefined);
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'wait.bad-moment' });
    expect(world.step('w').try).toBe(2);
  });

  test('waits its whole time after the delay', async () => {
    const world = runPlan(planOf([wait('w', { signal: 'go', timeoutMs: 1000, retry: { max: 2, delayMs: 5000 } })]));
    world.result.catch(() => undefined);
    const started = world.clock.now();
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'wait.timeout' });
    expect(world.clock.now() - started).toBe(7000);
  });
});

test('a wait that would last longer than its timeout fails when that is up', async () => {
  const world = runPlan(planOf([wait('w', { forMs: 100_000, timeoutMs: 1000 })]));
  world.result.catch(() => undefined);
  const started = world.clock.now();
  await world.elapse();
  await expect(world.result).rejects.toMatchObject({ code: 'step.timeout' });
  expect(world.clock.now() - started).toBe(1000);
});

test('a notification goes to the workers and in the time that its step names', async () => {
  const notify = {
    kind: 'notify',
    id: 'n',
    channel: '#x',
    message: ['hi'],
    queue: 'desk',
    priority: 1,
    timeoutMs: 5000,
    summary: ['told'],
  } as const;
  let options: object | undefined;
  const world = runPlan(planOf([{ ...notify, message: [...notify.message], summary: [...notify.summary] }]), {
    notify: (_channel, _message, call) => {
      options = call.options;
    },
  });
  await world.result;
  expect(options).toMatchObject({ queue: 'desk', priority: 1, scheduleToCloseMs: 5000, summary: 'told' });
});
