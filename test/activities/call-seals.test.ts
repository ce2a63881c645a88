import { randomBytes } from 'node:crypto';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import type { ActivitySerializationContext } from '@temporalio/common';
import { KeyedCallSeals } from '../../activities/adapters/call-seals';
import { createActivities } from '../../activities/create-activities';
import type { WorkerToolbox } from '../../activities/toolbox';
import type { QueueActivityName } from '../../plan/queue/queue-activities';
import { CALL_MARK, type MarkedCall } from '../../plan/run/call-seal';
import type { ActivityName } from '../../plan/run/contract';
import { openRecords } from '../../records/open-records';
import { sealingCodec } from '../../worker/sealing-codec';
import { createCallSeals } from '../../worker/toolbox';
import { MarkedInput, payloadConverter } from '../../workflows/temporal/payload-converter';
import { scratchFolder } from '../git/scene';

type Name = ActivityName | QueueActivityName;

/**
 * Every activity that a worker registers. Only our workflow code makes these calls; apart from its input, what an activity does comes from
 * here.
 */
const COMES_FROM: Record<Name, string> = {
  openRun: 'the input as it was typed, every reference of which the store vouches for; the order in the ledger of a parent',
  loadPlan: 'the frozen plan',
  agent: 'the frozen plan, by the activity’s id',
  command: 'the frozen plan, by the activity’s id',
  commands: 'the frozen plan, by the addresses',
  stages: 'the frozen plan, by the activity’s id',
  items: 'the frozen plan, by the activity’s id',
  itemValues: 'the store, by digest',
  emitted: 'the log of items in the run’s ledger',
  emitItems: 'the frozen plan’s schema of items',
  compose: 'the store, by digest',
  applyRule: 'the frozen plan’s form, documents by digest',
  openBoard: 'the frozen plan, by the activity’s id',
  boardWork: 'the store, by digest',
  keepTexts: 'what somebody has sent to the run',
  mineJournal: 'the run’s journal',
  keepLessons: 'the frozen plan’s files',
  childInput: 'the frozen plan, by the activity’s id',
  checkResponses: 'the frozen plan’s schema, or a form by digest',
  checkProofs: 'the people of the worker’s settings, and the service key',
  gate: 'the frozen plan, by the activity’s id',
  notify: 'the frozen plan’s channels, or the worker’s',
  journal: 'the run’s entries, what it says of itself as it ends, and its accounts',
  saveState: 'the run’s state, listed in its ledger',
  loadState: 'what the run’s ledger lists as saved by it',
  say: 'the run’s own ledger',
  hear: 'the log that the other run keeps for this one',
  recorded: 'the run’s ledger',
  spawned: 'the transcript in the run’s ledger',
  announce: 'the run’s ledger',
  exchanged: 'the transcript in the run’s ledger',
  post: 'the run’s ledger',
  claimWorktree: 'the frozen plan, by the slot',
  restoreWorktree: 'the run’s ledger, by slot and epoch',
  closeWorktree: 'the run’s ledger, by slot and epoch',
  submitCandidate:
    'the repository in the worktree’s record, and the frozen plan’s test of the end; the commit is the caller’s, and is tested before it lands',
  candidateOutcome: 'the submission in the run’s ledger, the outcome in the queue’s',
  withdrawCandidate: 'the submission in the run’s ledger',
  askTask: 'the frozen plan, by the activity’s id',
  taskAnswer: 'the task and its outcome in the run’s ledger',
  withdrawTask: 'the task in the run’s ledger',
  readAskedTasks: 'the tasks in the askers’ ledgers, if they are for the team of the call’s workflow id',
  settleAskedTasks: 'the tasks in the askers’ ledgers, if they are for the team of the call’s workflow id',
  admitCandidate: 'the submission in the asker’s ledger',
  queueSettings: 'the worker’s own rules, and the last order to pause in the queue’s ledger',
  mergeCandidates: 'submissions in the askers’ ledgers, and the worker’s own rules',
  testMerged: 'the worker’s own rules, submissions in the askers’ ledgers, and what the queue’s ledger has as merged',
  advanceTarget: 'what the queue’s ledger has as tested green',
  concludeTickets: 'what the queue’s ledger has as a result of the candidate',
};

const NAMES = Object.keys(COMES_FROM) as Name[];
const seals = new KeyedCallSeals(async () => Buffer.alloc(32, 1));
const CALL = { namespace: 'default', workflowId: 'w', execution: 'e1', activityId: 'pay#1~1' };
const INPUT = { target: { branch: 'main' }, 'ключ "': '\u2028\ud800', n: 1e21, '7': -0 };

/** A worker whose ports note every use: a refused call must have touched nothing. */
function untouched() {
  const touched: string[] = [];
  const log = () => undefined;
  const toolbox = new Proxy({ log } as unknown as WorkerToolbox, {
    get(target, name) {
      if (name === 'log') return target.log;
      touched.push(String(name));
      return undefined;
    },
    ownKeys: () => [],
  });
  return { touched, activities: createActivities(toolbox, seals) as unknown as Record<Name, (...sent: unknown[]) => Promise<unknown>> };
}

type From = Partial<MarkedCall> & { isLocal?: boolean; standalone?: boolean };

/** Calls an activity with what the server sends. Returns the code of its failure and what it has touched. */
async function called(activity: Name, sent: unknown[], from: From = {}) {
  const { standalone, isLocal = false, ...call } = { ...CALL, activity, ...from };
  const { activities, touched } = untouched();
  const workflow = { workflowExecution: { workflowId: call.workflowId, runId: call.execution }, workflowNamespace: call.namespace };
  const info = { ...call, activityType: call.activity, isLocal, inWorkflow: !standalone, attempt: 1, ...(standalone ? {} : workflow) };
  const context = { info, cancellationSignal: new AbortController().signal, heartbeat: () => undefined, client: { workflow: {} } };
  const code = await asyncLocalStorage.run(context as unknown as Context, () =>
    activities[activity](...sent).then(
      () => 'done',
      ({ type, nonRetryable }: { type: string; nonRetryable: boolean }) => [type, nonRetryable] as const,
    ),
  );
  return { code, touched };
}

const REFUSED = { code: ['call.unproven', true], touched: [] };

/** The call as the worker that runs the workflow sends it. */
async function sentBy(call: MarkedCall, input: object = INPUT, by = seals): Promise<unknown[]> {
  const { namespace, workflowId, activityId } = call;
  const context: ActivitySerializationContext = { type: 'activity', namespace, workflowId, activityId, isLocal: false };
  const payload = payloadConverter.toPayload(new MarkedInput(call, input));
  const encoded = await sealingCodec(by).encode([payload], context);
  return encoded.map((one) => payloadConverter.fromPayload(one));
}

test('the table has every activity that is registered', () => {
  expect(Object.keys(createActivities({} as WorkerToolbox, seals)).sort()).toEqual([...NAMES].sort());
});

describe.each(NAMES)('%s', (activity) => {
  const call = { ...CALL, activity };

  test('takes a call that workflow code of ours has made, as the local activity of a run as well', async () => {
    expect((await called(activity, await sentBy(call))).code).not.toEqual(REFUSED.code);
    expect((await called(activity, await sentBy(call, {}))).code).not.toEqual(REFUSED.code);
    expect((await called(activity, [INPUT], { isLocal: true })).code).not.toEqual(REFUSED.code);
  });

  test('refuses a call that no workflow has made, whatever it comes with', async () => {
    for (const sent of [[], [INPUT], await sentBy(call), [null], ['text']])
      expect(await called(activity, sent, { standalone: true })).toEqual(REFUSED);
  });

  test('refuses a stranger’s workflow, without a seal and with one of another call', async () => {
    for (const sent of [[], [INPUT], [{ ...INPUT, seal: '' }], [{ ...INPUT, seal: 7 }], [null], ['text'], [[]]])
      expect(await called(activity, sent)).toEqual(REFUSED);
    const others: Partial<MarkedCall>[] = [
      { namespace: 'other' },
      { workflowId: 'other' },
      { execution: 'e2' },
      { activityId: 'other#1~1' },
      { activity: activity === 'agent' ? 'command' : 'agent' },
    ];
    for (const other of others) expect(await called(activity, await sentBy({ ...call, ...other }))).toEqual(REFUSED);
    expect(await called(activity, await sentBy({ ...call, activityId: 'other#1~1' }, {}))).toEqual(REFUSED);
    for (const bytes of [0, 15, 16, 17]) expect(await called(activity, [new Uint8Array(bytes)])).toEqual(REFUSED);
    const [sealed] = (await sentBy(call)) as [object];
    expect(await called(activity, [{ ...sealed, target: { branch: 'other' } }])).toEqual(REFUSED);
    expect(await called(activity, [{ ...sealed, run: 'another' }])).toEqual(REFUSED);
    expect(await called(activity, await sentBy(call, INPUT, new KeyedCallSeals(async () => randomBytes(32))))).toEqual(REFUSED);
  });
});

test('only what workflow code has marked is sealed: neither what an activity answers with nor a local call', async () => {
  const context: ActivitySerializationContext = { ...CALL, type: 'activity', isLocal: false };
  const answer = payloadConverter.toPayload({ [CALL_MARK]: ['e1', 'command'], mark: { execution: 'e1', activity: 'command' }, input: {} });
  expect(await sealingCodec(seals).encode([answer], context)).toEqual([answer]);
});

const sealsIn = (stateDir: string) => createCallSeals(openRecords({ stateDir }));

test('workers of one state folder know each other’s calls, those that make its key at the same time as well', async () => {
  const folder = scratchFolder();
  const call = { ...CALL, activity: 'command' };
  const both = await Promise.all([sealsIn(folder), sealsIn(folder)].map((one) => one.seal(call, '{}')));
  expect(both[0]).toBe(both[1]);
  expect(await sealsIn(folder).isOurs(call, '{}', both[0] ?? '')).toBe(true);
  expect(await sealsIn(scratchFolder()).isOurs(call, '{}', both[0] ?? '')).toBe(false);
});

test('a key that cannot be read now is read the next time', async () => {
  let away = true;
  const late = new KeyedCallSeals(async () => {
    if (away) throw new Error('away');
    return Buffer.alloc(32);
  });
  const call = { ...CALL, activity: 'command' };
  await expect(late.seal(call, '{}')).rejects.toThrow('away');
  away = false;
  expect(await late.isOurs(call, '{}', await late.seal(call, '{}'))).toBe(true);
});
