import type { WorkflowHandle } from '@temporalio/client';
import { connectClient, type ThermidorClient } from '../../client/connect';
import type { JournalEntry } from '../../plan/journal';
import { untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** Many people at one gate at the same moment, by signals and updates, on a real server. */
const PIPELINE = `name: vote
steps:
  - {id: ask, type: approval, approvers: [ann, bob, cleo, dave, eve], quorum: 3, comment: always, on_reject: continue}
  - {id: ship, run: "echo shipped >> ship.log; while [ ! -e all-sent ]; do sleep 0.02; done; echo shipped"}
`;
const VOTERS = ['ann', 'bob', 'cleo'] as const;
const DECISIONS = 200;

let scratch: Scratch;
let server: ThermidorClient;

beforeAll(async () => {
  scratch = await Scratch.make();
  const address = await scratch.keepServer();
  scratch.write('pipelines/vote.yaml', PIPELINE);
  await scratch.thermidor('up').untilLine(/server/);
  server = await connectClient({ address, namespace: 'default' });
}, SET_UP_MS);
afterAll(async () => {
  await server.close();
  await scratch.close();
});

type Answer = Extract<JournalEntry, { kind: 'signal' }>;

/** What is sent at once: what counts, the same again, what is not counted, what no person may say. */
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

test('200 decisions at once: each is accounted for, each person counts once, and the run goes on once', async () => {
  expect(await scratch.thermidor('run', 'vote', '--id', 'voted', '--detach').finished).toMatchObject({ code: 0 });
  const run = server.temporal.workflow.getHandle('voted');
  await untilStatus(scratch, 'voted', 'the gate is open', ({ gates }) => gates.length === 1);

  const taken = await Promise.all(Array.from({ length: DECISIONS }, (_, i) => send(run, i)));
  // A run that is over takes no more of them.
  scratch.write('all-sent', '');
  await expect(run.result()).resolves.toMatchObject({ status: 'completed' });

  const entries = (await scratch.json<{ entries: JournalEntry[] }>('journal', 'voted')).entries;
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1));

  const answers = entries.filter((entry): entry is Answer => entry.kind === 'signal');
  const applied = answers.filter(({ outcome }) => outcome === 'applied');
  // An update that changes nothing is told so and leaves no trace; every signal is in the journal.
  expect(answers).toHaveLength(DECISIONS / 2 + taken.filter(Boolean).length);
  expect(applied.map(({ by }) => by).sort()).toEqual([...VOTERS]);

  const decisions = entries.filter((entry) => entry.kind === 'decision');
  expect(decisions.map(({ decision: { by } }) => by).sort()).toEqual([...VOTERS]);
  expect(entries.filter((entry) => entry.kind === 'gate').map(({ event }) => event)).toEqual(['opened', 'closed']);
  expect(
    entries.filter((entry) => entry.kind === 'step' && entry.step === 'ship').map((entry) => entry.kind === 'step' && entry.state),
  ).toEqual(['running', 'done']);
});
