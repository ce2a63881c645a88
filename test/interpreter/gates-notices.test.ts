import { defined } from '../../plan/defined';
import type { NotifyInput } from '../../plan/people/gate-activities';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ApprovalStep } from '../../plan/steps/step';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { approval, command, input, parallel } from '../support/steps';
import { planOf, runPlan, type WorldOptions } from '../support/world';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5, 7, 30);
const told = { channel: '#approvals' };

/** A world that keeps every notice with the time of its delivery. */
function listening(plan: Parameters<typeof runPlan>[0], more: WorldOptions = {}) {
  const sent: (Pick<NotifyInput, 'kind' | 'gate' | 'channel'> & { atMs: number })[] = [];
  const world = runPlan(plan, {
    ...more,
    notify: async (channel, message, call) => {
      await more.notify?.(channel, message, call);
      const { kind, gate } = call.input as NotifyInput;
      sent.push({ channel, ...(kind ? { kind } : {}), ...defined({ gate }), atMs: call.clock.now() - START });
    },
  });
  return { world, sent };
}

const down = (): never => {
  throw new ThermidorFailure('channel.unavailable', 'connection refused');
};

describe('a gate that opens', () => {
  it('is announced once, with all that is needed to answer it from there', async () => {
    const more: Partial<ApprovalStep> = { ...told, approvers: ['ann'], timeoutMs: HOUR };
    const { world, sent } = listening(planOf([approval('ask', more)]));
    await world.settle();
    expect(sent).toEqual([
      {
        ...told,
        kind: 'gate',
        atMs: 0,
        gate: {
          step: 'ask',
          kind: 'approval',
          question: 'Approve?',
          choices: ['approve', 'reject'],
          shownSha256: 'f'.repeat(64),
          approvers: ['ann'],
          deadline: new Date(START + HOUR).toISOString(),
          answer: `temporal workflow signal -w test-run --name approve --input '{"step":"ask","by":"ann"}'`,
        },
      },
    ]);
    await world.update('approve', { by: 'ann' });
    await world.result;
    expect(sent).toHaveLength(1);
  });

  it('has no line of the plain CLI if a claimed name is not enough: a signal proves nothing', async () => {
    const { world, sent } = listening(planOf([approval('ask', { ...told, approvers: ['ann'], identity: 'proven' })]));
    await world.settle();
    expect(sent[0]?.gate).toMatchObject({ step: 'ask', identity: 'proven' });
    expect(sent[0]?.gate).not.toHaveProperty('answer');
  });

  it('has a line that a shell takes for one command, whatever the run is called', async () => {
    const { world, sent } = listening(planOf([approval('ask', told)]), { workflowId: "x; rm -rf ~ 'y'" });
    await world.settle();
    expect(sent[0]?.gate?.answer).toBe(
      `temporal workflow signal -w 'x; rm -rf ~ '\\''y'\\''' --name approve --input '{"step":"ask","by":"YOU"}'`,
    );
  });

  it('is not announced anywhere if it has no channel', async () => {
    const { world, sent } = listening(planOf([approval('ask')]));
    await world.settle();
    await world.update('approve', {});
    await world.result;
    expect(sent).toEqual([]);
  });

  it.each([
    [input('ask', told), '--name respond'],
    [approval('ask', { ...told, choices: ['it’s large', 'small'] }), '"response":"it’s large"'],
    [approval('ask', { ...told, choices: ["it's large"] }), `"it'\\''s large"`],
  ])('is announced with the line that answers it', async (step, line) => {
    const { world, sent } = listening(planOf([step]));
    await world.settle();
    expect(sent[0]?.gate?.answer).toContain(line);
  });
});

describe('a reminder', () => {
  it('keeps to the time since the gate opened, across continue-as-new', async () => {
    const chain = Array.from({ length: 6 }, (_, i) => command(`s${i}`, { after: i === 0 ? ['later'] : [`s${i - 1}`] }));
    const steps = [
      approval('ask', { after: [], ...told, remindMs: 2 * HOUR }),
      approval('later', { after: [], timeoutMs: 3 * HOUR, onTimeout: 'approve' }),
      ...chain,
    ];
    const { world, sent } = listening(planOf(steps, {}, 'graph'), { activitiesPerExecution: 5 });
    await world.elapse(() => world.clock.now() - START >= 8 * HOUR);
    expect(world.executions).toBeGreaterThan(1);
    expect(sent.map(({ kind, atMs }) => [kind, atMs / HOUR])).toEqual([
      ['gate', 0],
      ['reminder', 2],
      ['reminder', 4],
      ['reminder', 6],
      ['reminder', 8],
    ]);
  });

  it('is not sent at the moment at which the time of the gate runs out', async () => {
    const gate = approval('ask', { ...told, timeoutMs: 4 * HOUR, onTimeout: 'reject', remindMs: 2 * HOUR });
    const { world, sent } = listening(planOf([gate]));
    await world.elapse(() => world.clock.now() - START >= 6 * HOUR);
    expect(sent.map(({ kind, atMs }) => [kind, atMs / HOUR])).toEqual([
      ['gate', 0],
      ['reminder', 2],
      ['closed', 4],
    ]);
  });

  it('is left out while the one before it is still on its way', async () => {
    const open = deferred<void>();
    const { world, sent } = listening(planOf([approval('ask', { ...told, remindMs: HOUR })]), { notify: () => open.promise });
    await world.elapse(() => world.clock.now() - START >= 10 * HOUR);
    expect(world.status().undelivered).toMatchObject([{ ...told, since: new Date(START).toISOString() }]);
    open.resolve();
    await world.elapse(() => world.clock.now() - START >= 12 * HOUR);
    expect(sent.map(({ kind }) => kind)).toEqual(['gate', 'reminder', 'reminder']);
    expect(world.status().undelivered).toBeUndefined();
  });
});

describe('a gate that closes', () => {
  it('without anybody’s answer is closed where it was announced: its time ran out', async () => {
    const { world, sent } = listening(planOf([approval('ask', { ...told, timeoutMs: HOUR, onTimeout: 'approve' })]));
    await world.elapse();
    await world.result;
    expect(sent.map(({ kind, channel }) => [kind, channel])).toEqual([
      ['gate', '#approvals'],
      ['closed', '#approvals'],
    ]);
  });

  it('because the run ended is closed where it was announced', async () => {
    const { world, sent } = listening(planOf([approval('ask', told)]));
    await world.settle();
    world.signal('abort', { by: 'ops' });
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(sent.map(({ kind }) => kind)).toEqual(['gate', 'closed', 'error']);
  });

  it('because a branch next to it was first is closed where it was announced', async () => {
    const going = deferred<void>();
    const first = parallel('first', [approval('ask', told), command('quick')], { wait: 'any' });
    const { world, sent } = listening(planOf([first, approval('then')]), { steps: { quick: () => going.promise.then(() => ({})) } });
    await world.settle();
    expect(sent.map(({ kind }) => kind)).toEqual(['gate']);
    going.resolve();
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'then' }]);
    expect(sent.map(({ kind }) => kind)).toEqual(['gate', 'closed']);
  });
});

describe('a channel that is down', () => {
  it('delays nothing but itself, and a message it did not take is in the status until it takes one', async () => {
    let isDown = true;
    const { world, sent } = listening(planOf([approval('one', told), approval('two', told), command('end')]), {
      notify: () => (isDown ? down() : undefined),
    });
    await world.settle();
    expect(world.status().undelivered).toMatchObject([{ ...told, error: { code: 'channel.unavailable' } }]);
    isDown = false;
    await world.update('approve', {});
    await world.settle();
    expect(world.status().undelivered).toBeUndefined();
    await world.update('approve', {});
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(sent.map(({ gate }) => gate?.step)).toEqual(['two']);
    expect(world.journal().filter((entry) => entry.kind === 'notification')).toMatchObject([{ delivered: false }, { delivered: true }]);
  });

  it('keeps the last twenty messages that it did not take, and no more', async () => {
    const { world } = listening(planOf([approval('ask', { ...told, remindMs: HOUR })]), { notify: down });
    await world.elapse(() => world.clock.now() - START >= 50 * HOUR);
    expect(world.status().undelivered).toHaveLength(20);
    expect(world.status().undelivered?.at(-1)).toMatchObject({ since: new Date(START + 50 * HOUR).toISOString() });
  });
});

test('what goes to #errors is an error', async () => {
  const { world, sent } = listening(planOf([command('a')]), {
    steps: {
      a: () => {
        throw new ThermidorFailure('command.failed', 'x');
      },
    },
  });
  await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
  expect(sent).toMatchObject([{ channel: '#errors', kind: 'error' }]);
});
