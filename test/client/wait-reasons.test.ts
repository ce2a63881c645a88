import type { PendingActivity } from '../../client/pending-activities';
import { reasonsOf } from '../../client/wait-reasons';
import { at, gateView, runView, stepView } from '../cli/views';

const work = (address: string, more: Partial<PendingActivity> = {}): PendingActivity => ({
  address,
  state: 'started',
  attempt: 1,
  since: at(3),
  ...more,
});

describe('a run waits', () => {
  it('for the people who may decide, until when, and until they are reminded next', () => {
    const gate = gateView('approve', {
      approvers: ['chairman', 'cfo'],
      delegates: { chairman: ['cto'] },
      quorum: 2,
      approvedBy: ['cfo'],
      deadline: at(900),
      identity: 'proven',
    });
    const view = runView([stepView('approve', { kind: 'approval', state: 'waiting', startedAt: at(4), remindAt: at(300) })], {
      state: 'waiting',
      gates: [gate],
    });
    expect(reasonsOf(view, [])).toEqual([
      {
        kind: 'gate',
        step: 'approve',
        text: 'a decision: Trade?',
        since: at(5),
        until: at(900),
        remindAt: at(300),
        who: expect.stringMatching(/chairman \(or cto\) or cfo.*1 of 2.*proves/),
        gate,
      },
    ]);
  });

  it('for a decision about what is asked, and not only who asks', () => {
    const asked = (question: string) =>
      reasonsOf(runView([], { state: 'waiting', gates: [gateView('team_person', { question })] }), []).map(({ text }) => text);
    expect(asked('The team asks:\n\n{\n  "task": "#5: Write it"\n}')).toEqual(['a decision: The team asks: { "task": "#5: Write it" }']);
    expect(asked(`The team asks:\n\n${'x'.repeat(5000)}`)[0]).toHaveLength('a decision: '.length + 300);
    expect(asked('Trade?\n\nThe long report.')).toEqual(['a decision: Trade?']);
  });

  it('for a person once, if the role of a brief asks', () => {
    const brief = stepView('brief', { kind: 'brief', state: 'running', waitingFor: 'a person: it is blocked' });
    const part = stepView('brief_operator', { kind: 'approval', address: 'brief[3]/brief_operator#1~1', state: 'waiting' });
    const gate = gateView('brief[3]/brief_operator', { question: '# A role is blocked\n\nexecutor: no key\n\n# Answers' });
    const reasons = reasonsOf(runView([brief, part], { state: 'waiting', gates: [gate] }), []);
    expect(reasons.map(({ text }) => text)).toEqual(['a decision: A role is blocked: executor: no key']);
    expect(reasonsOf(runView([brief, part], { gates: [gateView('briefer')] }), [])).toHaveLength(3);
  });

  it('for more budget, at a gate of that kind', () => {
    const view = runView([], { state: 'held', gates: [gateView('bull', { kind: 'budget', choices: ['extend_budget', 'abort'] })] });
    expect(reasonsOf(view, [])).toMatchObject([{ kind: 'budget', step: 'bull' }]);
  });

  it('for an operator at each step that is held, also in a child pipeline', () => {
    const held = [
      { step: 'a', reason: 'step a failed', since: at(2) },
      { step: 'deploy/build', reason: 'disk full' },
    ];
    const view = runView(
      [stepView('a', { state: 'held' }), stepView('deploy', { kind: 'pipeline', state: 'running', child: 'r.deploy' })],
      { state: 'held', held },
    );
    expect(reasonsOf(view, [])).toMatchObject([
      { kind: 'held', step: 'a', since: at(2), who: expect.stringContaining('retry') },
      { kind: 'held', step: 'deploy/build' },
    ]);
  });

  it('for the person who paused it', () => {
    const view = runView([], { state: 'paused', paused: { by: 'ops', reason: 'release', since: at(9) } });
    expect(reasonsOf(view, [])).toMatchObject([{ kind: 'paused', text: 'paused by ops: release', since: at(9) }]);
  });

  it('for the moment of the next try', () => {
    const error = { code: 'command.failed', message: 'exit 1' };
    const view = runView([stepView('a', { kind: 'command', state: 'running', startedAt: at(1), waitingFor: `try 2 at ${at(60)}`, error })]);
    expect(reasonsOf(view, [])).toMatchObject([{ kind: 'retry', step: 'a', until: at(60), text: expect.stringContaining('exit 1') }]);
  });

  it('for a rule that decides: since that began, and who knows why it lasts', () => {
    const step = stepView('vote', {
      kind: 'consensus',
      state: 'running',
      startedAt: at(1),
      storeSince: at(9),
      waitingFor: 'its rule to decide',
    });
    const [reason, ...others] = reasonsOf(runView([step]), []);
    expect(reason).toMatchObject({ kind: 'waits', step: 'vote', since: at(9), text: expect.stringContaining('log of the worker') });
    expect(others).toEqual([]);
  });

  it('for what each idle member of a board and each of its open tasks waits for, next to the members at work', () => {
    const task = { blockedBy: [], attempt: 0 };
    const board = {
      ...{ team: 'crew', completed: 0, total: 2 },
      tasks: [
        { ...task, number: 1, subject: 'lexer', status: 'in_progress' as const, owner: 'alice' },
        { ...task, number: 2, subject: 'parser', status: 'pending' as const, blockedBy: [1] },
      ],
      members: [
        { name: 'alice', agent: 'coder', status: 'working' as const, since: at(3), unread: 0, works: 1 },
        { name: 'bob', agent: 'coder', status: 'idle' as const, since: at(4), until: at(64), unread: 0, works: 0 },
      ],
    };
    const view = runView([
      stepView('team', { kind: 'board', state: 'running', board }),
      stepView('team_coder', { kind: 'agent', state: 'running', address: 'team[1]/team_coder' }),
    ]);
    expect(reasonsOf(view, [work('team[1]/team_coder#1~1')])).toMatchObject([
      { kind: 'waits', step: 'team', text: expect.stringContaining('bob is idle'), since: at(4), until: at(64) },
      { kind: 'waits', step: 'team', text: '#2 parser, waits for #1' },
      { kind: 'works', step: 'team[1]/team_coder' },
    ]);
  });

  it('for a signal, and for a moment', () => {
    const view = runView([stepView('w', { kind: 'wait', state: 'waiting', startedAt: at(1), waitingFor: 'the signal go' })], {
      state: 'waiting',
    });
    expect(reasonsOf(view, [])).toEqual([{ kind: 'waits', step: 'w', text: 'the signal go', since: at(1) }]);
  });
});

describe('a run works', () => {
  it('with an agent under way: since when, which attempt, its last heartbeat and its last failure', () => {
    const view = runView([stepView('bull', { agent: 'bullish', state: 'running', startedAt: at(1) })]);
    const pending = work('bull#1~1', { attempt: 3, heartbeat: at(30), lastFailure: 'model.overloaded\nstack' });
    expect(reasonsOf(view, [pending])).toEqual([
      {
        kind: 'works',
        step: 'bull',
        since: at(3),
        text: `bullish is running, attempt 3, last heartbeat ${at(30)}, last failed with: model.overloaded`,
      },
    ]);
  });

  it('with what nobody has taken, or what is tried again later', () => {
    const view = runView([stepView('a', { kind: 'command', state: 'running', address: 'a#2', round: 2 })]);
    expect(reasonsOf(view, [work('a#2~1', { state: 'scheduled', untaken: true })])).toMatchObject([
      { kind: 'waits', text: 'waits for a worker' },
    ]);
    expect(reasonsOf(view, [work('a#2~1', { state: 'scheduled' })])).toMatchObject([{ kind: 'works', text: 'command is running' }]);
    expect(reasonsOf(view, [work('a#2~1', { state: 'scheduled', nextAttempt: at(99) })])).toMatchObject([{ kind: 'retry', until: at(99) }]);
    expect(reasonsOf(view, [work('a#2~1', { state: 'paused' })])).toMatchObject([
      { kind: 'works', text: 'command is running, paused on the server', who: expect.stringContaining('unpause') },
    ]);
    expect(reasonsOf(view, [work('a#1~1')])).toMatchObject([{ kind: 'works', text: 'command is running' }]);
  });

  it('with what belongs to a step, and not with what is within it', () => {
    const view = runView([
      stepView('left', { kind: 'group', state: 'running', address: 'par[0]/left' }),
      stepView('a', { kind: 'command', state: 'running', address: 'par[0]/left/a' }),
    ]);
    expect(reasonsOf(view, [work('par[0]/left/a#1~1/chain')]).map(({ step }) => step)).toEqual(['par[0]/left/a']);
  });

  it('with nothing at the moment', () => {
    expect(reasonsOf(runView([stepView('a', { state: 'done' })]), [])).toMatchObject([{ kind: 'starting' }]);
  });

  it('and a channel has not taken its messages', () => {
    const lost = {
      channel: '#errors',
      message: 'it failed\nbadly',
      since: at(7),
      error: { code: 'channel.unavailable', message: 'timed out' },
    };
    const view = runView([], { undelivered: [lost, { channel: '#approvals', message: 'hello', since: at(8) }] });
    expect(reasonsOf(view, [])).toMatchObject([
      { kind: 'undelivered', since: at(7), text: expect.stringMatching(/#errors was dropped: timed out: it failed$/) },
      { kind: 'undelivered', since: at(8), text: expect.stringContaining('not delivered yet') },
    ]);
  });
});

test.each([
  ['completed', {}, 'ended: completed'],
  ['rejected', { reason: 'too risky' }, 'ended: rejected: too risky'],
  ['failed', { error: { code: 'command.failed', message: 'exit 1', step: 'a' } }, 'ended: failed: a: command.failed: exit 1'],
  ['cancelled', {}, 'ended: cancelled'],
] as const)('a run that is over says how it ended: %s', (state, more, text) => {
  const view = runView([stepView('a', { state: 'held' })], { state, endedAt: at(20), ...more });
  expect(reasonsOf(view, [])).toEqual([{ kind: 'ended', text, since: at(20) }]);
});
