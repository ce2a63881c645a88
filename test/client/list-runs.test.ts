import { fitsRunFilter, readMemo, stateOf, summaryOf, visibilityQuery } from '../../client/list-runs';

const GATE = {
  step: 'approve',
  kind: 'approval',
  question: 'Trade?',
  choices: ['approve', 'reject'],
  openedAt: '2026-11-21T07:30:05.000Z',
};

describe('the visibility query', () => {
  test('asks for the task queue and leaves out what was continued, and merge queues', () => {
    expect(visibilityQuery('thermidor', {})).toBe(
      "TaskQueue = 'thermidor' AND ExecutionStatus != 'ContinuedAsNew' AND WorkflowType != 'thermidor:queue'",
    );
  });

  test('narrows by what every server knows, and never by state in the memo', () => {
    const query = visibilityQuery('thermidor', { pipeline: 'p', state: 'waiting', startsWith: 'p-2026' });
    expect(query).toContain("WorkflowType = 'p'");
    expect(query).toContain("WorkflowId STARTS_WITH 'p-2026'");
    expect(query).toContain("ExecutionStatus = 'Running'");
    expect(query).not.toContain('waiting');
  });

  test.each([
    ['completed', "ExecutionStatus IN ('Completed') AND (ThermidorState = 'completed' OR ThermidorState IS NULL)"],
    ['rejected', "ExecutionStatus IN ('Completed') AND (ThermidorState = 'rejected' OR ThermidorState IS NULL)"],
    ['waiting', "ExecutionStatus = 'Running' AND (ThermidorState = 'waiting' OR ThermidorState IS NULL)"],
    // The attribute of a run that was terminated says what it did before.
    ['failed', "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')"],
    ['cancelled', "ExecutionStatus IN ('Canceled')"],
  ] as const)('asks the attribute of the state where the server has it: %s', (state, terms) => {
    const [, asked] = visibilityQuery('q', { state }, true).split("'thermidor:queue' AND ");
    expect(asked).toBe(terms);
  });

  test('those with a gate are asked for by their attribute where the server has it, with those that have not said so yet', () => {
    expect(visibilityQuery('q', { waiting: true }, true)).toContain("AND (ThermidorWaitingFor != '' OR ThermidorState IS NULL)");
    expect(visibilityQuery('q', { forPeople: true }, true)).toContain("AND (ThermidorWaitingFor != '' OR ThermidorState IS NULL)");
    expect(visibilityQuery('q', { waiting: true })).not.toContain('ThermidorWaitingFor');
  });

  test('a quote in what is looked for stays a part of it', () => {
    expect(visibilityQuery('q', { startsWith: "x' OR WorkflowId STARTS_WITH '" })).toContain("'x\\' OR WorkflowId STARTS_WITH \\''");
  });
});

describe('the state of a run', () => {
  test.each([
    ['RUNNING', 'waiting', 'waiting'],
    ['RUNNING', undefined, 'running'],
    ['RUNNING', 'completed', 'running'],
    ['COMPLETED', 'rejected', 'rejected'],
    ['COMPLETED', undefined, 'completed'],
    ['CANCELLED', 'running', 'cancelled'],
    ['FAILED', 'waiting', 'failed'],
    ['TERMINATED', 'running', 'failed'],
    ['TIMED_OUT', 'running', 'failed'],
  ] as const)('%s, remembered as %s, is %s', (status, remembered, state) => {
    expect(stateOf(status, remembered)).toBe(state);
  });
});

describe('the memo', () => {
  test('a run without one, or with rubbish in it, has no gates', () => {
    expect(readMemo(undefined)).toEqual({ gates: [] });
    expect(readMemo({ state: 'dancing', owner: 7, gates: [null, { step: 1 }, 'gate'] })).toEqual({ gates: [] });
  });

  test('state, owner and gates are read', () => {
    expect(readMemo({ state: 'waiting', owner: 'quant_strategist', gates: [GATE] })).toEqual({
      state: 'waiting',
      owner: 'quant_strategist',
      gates: [GATE],
    });
  });
});

test('a closed run shows no open gates, whatever its memo says', () => {
  const info = { workflowId: 'w', runId: 'r', type: 'p', startTime: new Date(0), memo: { state: 'waiting', gates: [GATE] } };
  expect(summaryOf({ ...info, status: { name: 'RUNNING' } }).gates).toHaveLength(1);
  expect(summaryOf({ ...info, status: { name: 'FAILED' }, closeTime: new Date(1000) })).toMatchObject({
    state: 'failed',
    gates: [],
    endedAt: '1970-01-01T00:00:01.000Z',
  });
});

test('a run that has gone on as new started when its first execution did; nobody can bring its start forward', () => {
  const info = { workflowId: 'w', runId: 'r', type: 'p', startTime: new Date(60_000), status: { name: 'RUNNING' } };
  const startedAt = (memo: Record<string, unknown>) => summaryOf({ ...info, memo }).startedAt;
  expect(startedAt({ startedAt: '1970-01-01T00:00:05.000Z' })).toBe('1970-01-01T00:00:05.000Z');
  for (const odd of [undefined, 7, 'yesterday', '2999-01-01T00:00:00.000Z'])
    expect(startedAt({ startedAt: odd })).toBe('1970-01-01T00:01:00.000Z');
});

describe('the run of a child pipeline', () => {
  const info = { workflowId: 'w', runId: 'r', type: 'p', startTime: new Date(0), status: { name: 'RUNNING' } };
  const child = summaryOf({ ...info, memo: { state: 'waiting', gates: [GATE], parent: 'weekly-1' } });

  test('names its parent', () => {
    expect(child.parent).toBe('weekly-1');
    expect(summaryOf({ ...info, memo: { parent: 7 } }).parent).toBeUndefined();
  });

  test('is left out if it is not asked for: its parent shows its gates', () => {
    expect([
      fitsRunFilter(child, { waiting: true }),
      fitsRunFilter(child, {}),
      fitsRunFilter(child, { children: true, waiting: true }),
    ]).toEqual([false, false, true]);
  });
});

test('letters in a memo are those of an open run, and only what is one', () => {
  const letter = { step: 'team', from: 'alice', to: 'lead', content: 'x', at: '1970-01-01T00:00:00.000Z' };
  const info = { workflowId: 'w', runId: 'r', type: 'p', startTime: new Date(0), status: { name: 'RUNNING' } };
  const of = (letters: unknown, more = {}) => summaryOf({ ...info, memo: { letters }, ...more });
  expect(of([letter, 7, { ...letter, at: 5 }, null]).letters).toEqual([letter]);
  for (const odd of ['x', [{}], {}, null]) expect(of(odd).letters).toBeUndefined();
  expect(of([letter], { status: { name: 'COMPLETED' } }).letters).toBeUndefined();
  expect([of([letter]), of([])].map((run) => fitsRunFilter(run, { forPeople: true }))).toEqual([true, false]);
  expect(fitsRunFilter(of([letter]), { waiting: true })).toBe(false);
});
