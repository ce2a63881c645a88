import { DirectorySeals } from '../../activities/adapters/seals';
import { openRun } from '../../activities/run/open-run';
import type { Toolbox } from '../../activities/toolbox';
import { seal } from '../../client/callbacks/signatures';
import type { Proof, SealedStart } from '../../plan/people/proof';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { OpenedRun, OpenRunInput } from '../../plan/run/run-activities';
import type { RunInput } from '../../plan/run/run-input';
import type { JsonObject } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { RUN_RECORD } from '../../records/runs/run-record';
import { codeOf, failureOf, KEY, type Workshop, workshop } from './workshop';

const ANN = 'a token of ann herself';
const BOB = 'a token of bob himself';
const SERVICE = Buffer.from('service key');
const people = { ann: { token: ANN }, bob: { token: BOB }, cat: {} };
const seals = new DirectorySeals(people, { resolve: async (text) => text }, async () => SERVICE);

const AT = '2026-11-21T07:30:00.000Z';
const PLAN: Plan = {
  irVersion: IR_VERSION,
  name: 'pay',
  source: '0'.repeat(64),
  trigger: { kind: 'manual' },
  args: { amount: { type: 'number', default: 1 } },
  agents: {},
  block: { order: 'sequence', steps: [{ id: 'ask', kind: 'approval' }] },
};
const pipelines: Toolbox['pipelines'] = {
  pipeline: async (name) => ({ plan: { ...PLAN, name }, blobs: new Map() }),
  script: () => Promise.reject(new TypeError('none')),
  readScript: () => ({ name: '', replies: {}, people: [] }),
};
const shop = (): Workshop => workshop({ seals, pipelines });

function opening(input: unknown, more: Partial<OpenRunInput> = {}): OpenRunInput {
  return { run: KEY.run, workflowType: 'pay', input: input as RunInput, startedAt: AT, namespace: 'default', ...more };
}

const open = (input: unknown, more: Partial<OpenRunInput> = {}, key: RunKey = KEY, { toolbox } = shop()): Promise<OpenedRun> =>
  openRun(toolbox, key, { ...opening(input, more), run: key.run });

/** The input as `run --token` sends it. */
function sealed(input: RunInput, more: Partial<SealedStart> = {}, token: string | Buffer = ANN, at = AT): RunInput & { proof: Proof } {
  const statement = { kind: 'start', namespace: 'default', run: KEY.workflowId, pipeline: 'pay', by: 'ann', ...more } as const;
  return { ...input, proof: seal(token, { ...statement, input: more.input ?? (input as JsonObject) }, 'console', at) };
}
/** The input as the listener sends it for a command of a chat. */
function byChat(channel: Proof['channel'], key: string | Buffer): RunInput & { proof: Proof } {
  const statement = { kind: 'start', namespace: 'default', run: KEY.workflowId, pipeline: 'pay', by: 'ann' } as const;
  return { ...INPUT, proof: seal(key, { ...statement, input: INPUT as JsonObject }, channel, AT) };
}
const INPUT: RunInput = { args: { amount: 5 }, startedBy: 'ann' };

describe('who started a run', () => {
  test('is claimed by its input, and nobody if it says nothing', async () => {
    expect((await open(INPUT)).startedBy).toEqual({ kind: 'person', name: 'ann', identity: 'claimed' });
    expect((await open({})).startedBy).toBeUndefined();
  });

  test('is proven by a seal with their own token', async () => {
    const store = shop();
    const first = await open(sealed(INPUT), {}, KEY, store);
    expect(first.startedBy).toEqual({ kind: 'person', name: 'ann', identity: 'proven' });
    // Opened again, by another worker or in the next execution: the record counts.
    expect((await open({ resume: null }, { startedAt: '2026-12-24T00:00:00.000Z' }, KEY, store)).startedBy).toEqual(first.startedBy);
  });

  test.each(['discord', 'slack'] as const)('is proven by %s, for which the listener seals', async (channel) => {
    expect((await open(byChat(channel, SERVICE))).startedBy).toEqual({ kind: 'person', name: 'ann', identity: 'proven' });
  });

  test('is nobody if the server says that a schedule started it, whatever the input claims', async () => {
    expect((await open(INPUT, { scheduledBy: 'nightly' })).startedBy).toEqual({ kind: 'schedule', schedule: 'nightly' });
    const shown = await open({}, { scheduledBy: `night\u001b[2J\u202e\nly${'x'.repeat(300)}` });
    expect(shown.startedBy).toMatchObject({ kind: 'schedule', schedule: expect.stringMatching(/^night\[2Jlyx{190}$/) });
  });

  test.each([
    { startedBy: '' },
    { startedBy: ' ' },
    { startedBy: 7 },
    { startedBy: 'a\nb' },
    { startedBy: 'a\u202eb' },
    { startedBy: 'a'.repeat(201) },
  ])('is no name in %j', async (input) => {
    expect(await codeOf(open(input))).toBe('input.invalid');
  });
});

const decision = { run: KEY.workflowId, name: 'approve', step: 'ask', by: 'ann', shown: 'a'.repeat(64) };
const proofOf = (proof: unknown): unknown => ({ ...INPUT, proof });
const FORGED: [string, unknown, string?][] = [
  ['of another run', sealed(INPUT, { run: 'another' })],
  ['of another pipeline', sealed(INPUT, { pipeline: 'other' })],
  ['of another namespace', sealed(INPUT, { namespace: 'other' })],
  ['of another input', sealed(INPUT, { input: { startedBy: 'ann', args: { amount: 4 } } })],
  ['whose args were changed', { ...sealed(INPUT), args: { amount: 1_000_000 } }],
  ['whose args were left out', { startedBy: 'ann', proof: sealed(INPUT).proof }],
  ['to which a script was added', { ...sealed(INPUT), script: 'offline' }],
  ['of another person', sealed(INPUT, { by: 'bob' })],
  ['with another person’s token', sealed(INPUT, {}, BOB)],
  ['under another person’s name', { ...sealed(INPUT), startedBy: 'bob' }],
  ['of somebody without a token', sealed({ ...INPUT, startedBy: 'cat' }, { by: 'cat' }, '')],
  ['of nobody', sealed({ args: {} }, { by: '' })],
  ['with the service key, from a terminal', sealed(INPUT, {}, SERVICE)],
  ['with the service key, from a chat', proofOf({ ...sealed(INPUT, {}, SERVICE).proof, channel: 'discord' })],
  ['from a chat, with the person’s own token', byChat('discord', ANN)],
  ['by a webhook', byChat('webhook', SERVICE)],
  ['by a link', byChat('link', SERVICE)],
  ['of a decision', proofOf(seal(ANN, decision, 'console', AT))],
  ['of old', sealed(INPUT, {}, ANN, '2026-11-21T07:24:59.000Z')],
  ['of later', sealed(INPUT, {}, ANN, '2026-11-21T07:35:01.000Z')],
  ['whose moment was changed', proofOf({ ...sealed(INPUT).proof, at: '2026-11-21T07:30:01.000Z' })],
  ['without a moment', sealed(INPUT, {}, ANN, 'now')],
  ['in capitals', proofOf({ ...sealed(INPUT).proof, mac: sealed(INPUT).proof.mac.toUpperCase() })],
];

describe('a proof of the start', () => {
  test.each(FORGED)('%s refuses the run, and never becomes a claim', async (_what, input) => {
    const store = shop();
    const failure = await failureOf(open(input, {}, KEY, store));
    expect(failure.code).toBe('start.unproven');
    expect(failure.message).not.toMatch(/a token of|service key/);
    expect(await store.ledger.get(KEY, RUN_RECORD)).toBeUndefined();
  });

  test.each([{ channel: 'smoke', at: AT, mac: '' }, 'ann', { channel: 'console' }])('of no shape is a mistake: %j', async (proof) => {
    expect(await codeOf(open(proofOf(proof)))).toBe('input.invalid');
  });

  test('counts for one execution of its id: sent again after that one has closed, it refuses the run', async () => {
    const store = shop();
    const input = sealed(INPUT);
    await open(input, {}, KEY, store);
    expect(await codeOf(open(input, {}, { ...KEY, run: 'second-run' }, store))).toBe('start.unproven');
    // The first start may be opened as often as necessary.
    expect((await open(input, {}, KEY, store)).startedBy).toMatchObject({ identity: 'proven' });
  });

  test('of a run that could not open counts again for the very same run', async () => {
    const store = shop();
    const input = sealed(INPUT);
    let broken = true;
    const ledger = Object.assign(Object.create(store.ledger) as typeof store.ledger, {
      putIfAbsent: (...[key, name, value]: Parameters<typeof store.ledger.putIfAbsent>) =>
        broken && name === RUN_RECORD ? Promise.reject(new Error('full')) : store.ledger.putIfAbsent(key, name, value),
    });
    const toolbox = { ...store.toolbox, ledger };
    await expect(openRun(toolbox, KEY, opening(input))).rejects.toThrow('full');
    broken = false;
    expect((await openRun(toolbox, KEY, opening(input))).startedBy).toMatchObject({ identity: 'proven' });
  });

  test('does not depend on the order of keys', async () => {
    const { proof, startedBy, args } = sealed(INPUT);
    expect((await open({ proof, startedBy, args })).startedBy).toMatchObject({ identity: 'proven' });
  });

  test('is none of a decision: a seal of a start opens no gate', async () => {
    const { proof } = sealed(INPUT);
    expect(await seals.check(decision, proof)).toBeDefined();
  });
});
