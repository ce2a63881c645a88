import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { connectClient, type ThermidorClient } from '../../client/connect';
import type { JournalEntry } from '../../plan/run/journal';
import { journal, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** Many people at one gate at the same moment, and starters who are not who they claim to be, on a real server. */
const PIPELINE = `name: vote
steps:
  - {id: ask, type: approval, approvers: [ann, bob, cleo, dave, eve], quorum: 3, comment: always, on_reject: continue}
  - {id: ship, run: "echo shipped >> ship.log; while [ ! -e all-sent ]; do sleep 0.02; done; echo shipped"}
`;
const PAY = `name: pay
args: { amount: { type: number, default: 1 } }
steps:
  - {id: sign, type: approval, approvers: [ann, bob], four_eyes: true, identity: proven}
  - {id: pay, run: "echo paid \${args.amount}"}
`;
const PEOPLE = `people:
  ann: { token: secret://env/ANN_TOKEN }
  bob: { token: secret://env/BOB_TOKEN }
  cleo: { token: secret://env/CLEO_TOKEN }
  dave: {}
  eve: {}
  chairman: {}
  cfo: {}
`;
const TOKENS = {
  ANN_TOKEN: randomBytes(16).toString('hex'),
  BOB_TOKEN: randomBytes(16).toString('hex'),
  CLEO_TOKEN: randomBytes(16).toString('hex'),
};
const VOTERS = ['ann', 'bob', 'cleo'] as const;
const DECISIONS = 100;

let scratch: Scratch;
let server: ThermidorClient;
let address: string;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer(TOKENS);
  ({ address } = scratch.place);
  scratch.write('thermidor.yaml', PEOPLE);
  scratch.write('pipelines/vote.yaml', PIPELINE);
  scratch.write('pipelines/pay.yaml', PAY);
  await scratch.follow('up').untilLine(/server/);
  server = await connectClient(scratch.place);
}, SET_UP_MS);
afterAll(async () => {
  await server.close();
  await scratch.close();
});

type Answer = Extract<JournalEntry, { kind: 'signal' }>;

/** Decisions that are sent at once: some count, some repeat one, some are not counted, and some no person may make. */
function decision(i: number): { name: string; payload: unknown } {
  const comment = `no. ${i}`;
  const by = VOTERS[i % VOTERS.length] ?? 'ann';
  if (i % 10 === 7) return { name: 'reject', payload: { step: 'ask', by: 'mallory', comment } };
  if (i % 10 === 8) return { name: 'approve', payload: { step: 'elsewhere', by, comment } };
  if (i % 10 === 9) return { name: 'reject', payload: { step: 'ask', by } };
  return { name: 'approve', payload: { step: 'ask', by, comment } };
}

/** Whether it was taken. */
async function send(run: WorkflowHandle, i: number): Promise<boolean> {
  const { name, payload } = decision(i);
  if (i % 2 === 0) {
    await run.signal(name, payload);
    return false;
  }
  return await run.executeUpdate(name, { args: [payload] }).then(
    () => true,
    () => false,
  );
}

test('100 decisions at once: each is accounted for, each person counts once, and the run goes on once', async () => {
  expect(await scratch.ask('run', 'vote', '--id', 'voted', '--detach')).toMatchObject({ code: 0 });
  const run = server.temporal.workflow.getHandle('voted');
  await untilStatus(scratch, 'voted', 'the gate is open', ({ gates }) => gates.length === 1);

  const taken = await Promise.all(Array.from({ length: DECISIONS }, (_, i) => send(run, i)));
  // A run that is over accepts no more of them.
  scratch.write('all-sent', '');
  await expect(run.result()).resolves.toMatchObject({ status: 'completed' });

  const entries = await journal(scratch, 'voted');
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));

  const answers = entries.filter((entry): entry is Answer => entry.kind === 'signal');
  const applied = answers.filter(({ outcome }) => outcome === 'applied');
  // An update that changes nothing is answered so and leaves no trace; every signal is in the journal.
  expect(answers).toHaveLength(DECISIONS / 2 + taken.filter(Boolean).length);
  expect(applied.map(({ by }) => by).sort()).toEqual([...VOTERS]);

  const decisions = entries.filter((entry) => entry.kind === 'decision');
  expect(decisions.map(({ decision: { by } }) => by).sort()).toEqual([...VOTERS]);
  expect(entries.filter((entry) => entry.kind === 'gate').map(({ event }) => event)).toEqual(['opened', 'closed']);
  expect(
    entries.filter((entry) => entry.kind === 'step' && entry.step === 'ship').map((entry) => entry.kind === 'step' && entry.state),
  ).toEqual(['running', 'done']);
});

/** Starts `pay` with the plain Temporal CLI. */
async function startPay(run: string, input: object, ...more: string[]): Promise<void> {
  const order = ['--type', 'pay', '--task-queue', 'thermidor', '-w', run, '-i', JSON.stringify(input), ...more, '--address', address];
  expect(await scratch.temporal('workflow', 'start', ...order)).toMatchObject({ code: 0 });
}

async function sign(run: string, by: 'ann' | 'bob'): Promise<void> {
  const token = `secret://env/${by.toUpperCase()}_TOKEN`;
  expect(await scratch.ask('approve', run, '--by', by, '--token', token, '--detach')).toMatchObject({ code: 0 });
}

const openGate = (run: string) => untilStatus(scratch, run, 'the gate is open', ({ gates }) => gates.length === 1);

test.each([
  ['the name of somebody else', 'forged-name', [], { kind: 'person', name: 'cleo', identity: 'claimed' }],
  [
    'the attribute of a schedule',
    'nightly-2026-11-22T07:30:00Z',
    ['--search-attribute', 'TemporalScheduledById="nightly"', '--identity', 'temporal-scheduler-default-nightly'],
    { kind: 'schedule', schedule: 'nightly' },
  ],
])('a run that is started with %s from the plain CLI needs a second person', async (_what, run, more, startedBy) => {
  await startPay(run, { startedBy: 'cleo' }, ...more);
  expect(await openGate(run)).toMatchObject({ startedBy, gates: [{ quorum: 2 }] });
  await sign(run, 'ann');
  expect(await openGate(run)).toMatchObject({ state: 'waiting', gates: [{ approvedBy: ['ann'] }] });
  await sign(run, 'bob');
  await expect(server.temporal.workflow.getHandle(run).result()).resolves.toMatchObject({ status: 'completed' });
});

test('a starter who is proven makes four eyes with one other, and the proof starts no other run', async () => {
  const order = ['run', 'pay', '--id', 'proven', '--arg', 'amount=5', '--token', 'secret://env/CLEO_TOKEN', '--detach'];
  expect(await scratch.askWith({ THERMIDOR_USER: 'cleo' }, ...order)).toMatchObject({ code: 0 });
  const proven = { kind: 'person', name: 'cleo', identity: 'proven' };
  expect((await openGate('proven')).startedBy).toEqual(proven);
  await sign('proven', 'ann');
  const handle = server.temporal.workflow.getHandle('proven');
  await expect(handle.result()).resolves.toMatchObject({ status: 'completed' });

  const [started] = (await handle.fetchHistory()).events ?? [];
  const payload = started?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data ?? '';
  const input = JSON.parse(Buffer.from(payload as Uint8Array).toString('utf8')) as { proof: object };
  expect(input).toMatchObject({ startedBy: 'cleo', proof: { channel: 'console' } });
  for (const [run, sent] of [
    ['proven', input],
    ['another', input],
    ['dearer', { ...input, args: { amount: 1_000_000 } }],
  ] as const) {
    await startPay(run, sent);
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state !== 'running' && state !== 'completed');
    expect(view).toMatchObject({ state: 'failed', error: { code: 'start.unproven' } });
  }
});
