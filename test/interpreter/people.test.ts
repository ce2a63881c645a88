import { jsonText, parseJson } from '../../plan/text/json-text';
import { approval, command, input, wait } from '../support/steps';
import { artifact, planOf, runPlan, type World } from '../support/world';

const HOUR = 3_600_000;
const outcomes = (world: World) => world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []));

describe('an input gate', () => {
  it('takes a response that fits its schema and puts it out', async () => {
    const world = runPlan(planOf([input('ask'), command('next')]));
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'ask', kind: 'input', choices: ['respond'] }]);
    await world.update('respond', { response: { size: 3 }, by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['ask#1~1/compose']).toEqual({ kind: 'value', value: { size: 3 } });
  });

  it.each(['update', 'signal'] as const)('keeps how a number is written that is the whole answer, sent by %s', async (way) => {
    const world = runPlan(planOf([input('ask'), approval('go'), command('next', { records: [{ step: 'go', field: 'response' }] })]));
    await world.settle();
    await world[way]('respond', parseJson('{"response":1.10,"by":"ann"}'));
    await world.settle();
    expect(jsonText(world.composed['ask#1~1/compose'])).toBe('{"kind":"value","value":1.10}');
    await world[way]('approve', parseJson('{"value":2.50,"by":"ann"}'));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(jsonText(world.seen.at(-1)?.input.records)).toBe('{"go":{"response":2.50}}');
  });

  it('refuses what does not fit, says why, and stays open', async () => {
    const world = runPlan(planOf([input('ask')]), { problems: (response) => (response === 1 ? ['must be text'] : []) });
    await world.settle();
    await expect(world.update('respond', { response: 1 })).rejects.toMatchObject({ outcome: 'refused' });
    world.signal('respond', { response: 1 });
    await world.settle();
    expect(world.status().gates).toHaveLength(1);
    expect(outcomes(world)).toEqual(['respond refused']);
    world.signal('respond', { response: 'x' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes the first of two answers that come at once', async () => {
    const world = runPlan(planOf([input('ask')]));
    await world.settle();
    world.signal('respond', { response: 'first', by: 'ann' });
    world.signal('respond', { response: 'second', by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['ask#1~1/compose']).toEqual({ kind: 'value', value: 'first' });
    expect(outcomes(world)).toEqual(['respond applied', 'respond late']);
  });

  it('is not decided by approve', async () => {
    const world = runPlan(planOf([input('ask')]));
    await world.settle();
    await expect(world.update('approve', {})).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('takes its defaults when its time runs out', async () => {
    const world = runPlan(planOf([input('ask', { timeoutMs: HOUR })]));
    await world.completes();
    expect(world.composed['ask#1~1/compose']).toEqual({ kind: 'defaults' });
  });
});

describe('a decision policy', () => {
  it('waits for as many people as the quorum says, each counted once', async () => {
    const world = runPlan(planOf([approval('ask', { quorum: 2 })]));
    await world.settle();
    await world.update('approve', { by: 'ann' });
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await expect(world.update('approve', {})).rejects.toMatchObject({ outcome: 'refused' });
    expect(world.status().gates).toMatchObject([{ quorum: 2, approvedBy: ['ann'] }]);
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('lets one rejection decide', async () => {
    const world = runPlan(planOf([approval('ask', { quorum: 2 })]));
    await world.settle();
    await world.update('approve', { by: 'ann' });
    await world.update('reject', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('with four eyes takes neither the owner nor the person who started the run', async () => {
    const world = runPlan(planOf([approval('ask', { fourEyes: true })]), { input: { startedBy: 'ann' } });
    await world.settle();
    for (const by of ['ann', 'lead', undefined]) {
      await expect(world.update('approve', by === undefined ? {} : { by })).rejects.toMatchObject({ outcome: 'refused' });
    }
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes the author’s own choices and no others', async () => {
    const world = runPlan(planOf([approval('ask', { choices: ['small', 'large'] })]));
    await world.settle();
    await expect(world.update('approve', {})).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('respond', { response: 'large' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('ask').decision).toEqual({ choice: 'large' });
  });

  it('reminds until somebody decides', async () => {
    const world = runPlan(planOf([approval('ask', { channel: '#approvals', remindMs: 2 * HOUR })]));
    await world.elapse(() => world.clock.now() - Date.UTC(2026, 0, 5, 7, 30) >= 5 * HOUR);
    expect(world.notices.filter(({ message }) => message.startsWith('Still waiting'))).toHaveLength(3);
    world.signal('approve', {});
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes silence up the escalation chain if the pipeline says so', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: HOUR, onTimeout: 'escalate' }), command('next')]));
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ step: 'ask', kind: 'escalation' }]);
    world.signal('approve', { by: 'boss' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes the most careful answer if the pipeline says so', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: HOUR, onTimeout: 'conservative' })]));
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });
});

describe('an approval after a command', () => {
  const asked = { form: artifact('form'), question: 'Ship it?', initiatedBy: 'ann', requireDifferentApprover: true as const };

  it('asks once the work is done, and the output stays the command’s', async () => {
    const world = runPlan(planOf([command('build', { approval: {} }), command('next')]), {
      steps: { build: () => ({ artifact: artifact('built'), approval: asked }) },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'build', kind: 'approval', question: 'Ship it?', form: artifact('form') }]);
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed', artifacts: { build: artifact('built') } });
    expect(world.order()).toEqual(['build#1~1', 'next#1~1']);
  });

  it('does not run the command again in another execution', async () => {
    const world = runPlan(planOf([command('build', { approval: {} }), command('next')]), {
      steps: { build: () => ({ artifact: artifact('built'), approval: asked }) },
      activitiesPerExecution: 3,
    });
    await world.settle();
    await world.settle();
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['build#1~1', 'next#1~1']);
  });

  it('rejects the run if it is rejected', async () => {
    const world = runPlan(planOf([command('build', { approval: {} }), command('never')]), {
      steps: { build: () => ({ approval: asked }) },
    });
    await world.settle();
    await world.update('reject', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });
});

describe('a wait', () => {
  it('until a moment takes ISO 8601 text', async () => {
    const until = { kind: 'literal' as const, value: '2026-01-06T00:00:00Z' };
    const world = runPlan(planOf([wait('night', { until })]));
    await world.completes();
    expect(world.clock.now()).toBe(Date.UTC(2026, 0, 6));
  });

  it.each([
    ['Europe/Berlin', Date.UTC(2026, 0, 6, 9)],
    ['UTC', Date.UTC(2026, 0, 6, 10)],
  ])('until a moment without an offset goes by the clock of the pipeline: %s', async (zone, ends) => {
    const world = runPlan(planOf([wait('night', { until: { kind: 'literal', value: '2026-01-06T10:00' }, zone })]));
    await world.completes();
    expect(world.clock.now()).toBe(ends);
  });

  it.each(['soon', null, 1e300, -1e300, 8_640_000_000_000_001])('until no moment fails: %p', async (value) => {
    const world = runPlan(planOf([wait('night', { until: { kind: 'literal', value } })]));
    await expect(world.result).rejects.toMatchObject({ code: 'wait.bad-moment' });
  });

  it('for a signal outputs its payload, even if it came early', async () => {
    const world = runPlan(planOf([approval('first'), wait('news', { signal: 'price' }), wait('more', { signal: 'price' })]));
    await world.settle();
    world.signal('price', { now: 1 });
    world.signal('approve', {});
    await world.settle();
    expect(world.step('more')).toMatchObject({ state: 'waiting', waitingFor: 'the signal price' });
    world.signal('price', { now: 2 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed).toMatchObject({
      'news#1~1/compose': { value: { now: 1 } },
      'more#1~1/compose': { value: { now: 2 } },
    });
  });

  it('for a signal that does not come in time fails', async () => {
    const world = runPlan(planOf([wait('news', { signal: 'price', timeoutMs: HOUR })]));
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'wait.timeout' });
  });
});
