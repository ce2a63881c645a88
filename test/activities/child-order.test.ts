import type { ChildOrder } from '../../activities/run/child-order';
import { recordOrder } from '../../activities/run/child-order';
import { openRun } from '../../activities/run/open-run';
import { INPUT_KEYS } from '../../activities/run/run-input';
import { sendMessages } from '../../activities/run/run-messages';
import { claimedStarter, type Starter } from '../../plan/people/starter';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { OpenedRun } from '../../plan/run/run-activities';
import type { RunInput } from '../../plan/run/run-input';
import type { Json } from '../../plan/text/json';
import { RUN_RECORD } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import { failureOf, type Workshop, workshop } from './workshop';

const PARENT = { workflowId: 'release', run: 'first' };
const CHILD = { workflowId: 'release.deploy', run: 'child-first' };
const CLAIM = { ...PARENT, step: 'deploy#1~1' };

/** A parent that has ordered its child, with an environment of its own. */
async function ordered(more: Partial<ChildOrder> = {}): Promise<Workshop> {
  const shop = workshop();
  const plan: Plan = {
    ...{ irVersion: IR_VERSION, name: 'deploy', source: '0'.repeat(64), trigger: { kind: 'manual' } },
    ...{ args: { to: { default: 'test' } }, block: { order: 'sequence', steps: [] } },
  };
  const ref = await shop.toolbox.control.put('plan', JSON.stringify(plan), 'deploy.plan.json');
  const order: ChildOrder = { step: CLAIM.step, pipeline: 'deploy', plan: ref, args: { to: 'test' }, ...more };
  await recordOrder(shop.ledger, PARENT, CHILD.workflowId, order);
  await shop.environments.write(PARENT.workflowId, { env: { TOKEN: 'of the caller' } });
  return shop;
}

async function readOrder(shop: Workshop): Promise<ChildOrder> {
  const found: unknown = await shop.ledger.get(PARENT, `child/${CHILD.workflowId}`);
  return found as ChildOrder;
}

function open(shop: Workshop, input: unknown, { key = CHILD, type = 'deploy' } = {}): Promise<OpenedRun> {
  return openRun(shop.toolbox, key, { run: key.run, workflowType: type, input: input as RunInput });
}

const grant = (shop: Workshop, tokens: number, n = 0) =>
  sendMessages(shop.toolbox, PARENT, {
    run: PARENT.run,
    to: CHILD.workflowId,
    said: [{ by: 'first', n, says: { kind: 'granted', amounts: { tokens } } }],
  });

async function opensNothing(shop: Workshop, opening: Promise<unknown>, key = CHILD): Promise<string> {
  const failure = await failureOf(opening);
  expect(failure.code).toBe('input.invalid');
  expect(await shop.ledger.get(key, RUN_RECORD)).toBeUndefined();
  expect((await shop.environments.callerOf(key.workflowId)).env).not.toHaveProperty('TOKEN');
  return failure.message;
}

describe('a child pipeline', () => {
  test('is given what its parent’s ledger says, and what its parent’s commands see', async () => {
    const shop = await ordered({ startedBy: claimedStarter('ann') });
    expect(await open(shop, { parent: CLAIM })).toMatchObject({ args: { to: 'test' }, startedBy: claimedStarter('ann'), parent: CLAIM });
    expect((await shop.environments.callerOf(CHILD.workflowId)).env).toEqual({ TOKEN: 'of the caller' });
    // The call that continues the child names no parent: the child's own ledger does.
    expect(await open(shop, {})).toMatchObject({ args: { to: 'test' }, parent: CLAIM });
  });

  test('is not begun again under its id by anybody, for what its parent has ordered was done', async () => {
    const shop = await ordered();
    await open(shop, { parent: CLAIM });
    const again = { ...CHILD, run: 'another-first' };
    // Asking again does not help either.
    for (let tries = 0; tries < 2; tries++)
      expect((await failureOf(open(shop, { parent: CLAIM }, { key: again }))).message).toContain('another run has carried the order out');
    expect(await shop.ledger.get(again, RUN_RECORD)).toBeUndefined();
  });

  test('is begun again by a parent that was reset to before it ordered it, and by its run alone', async () => {
    const shop = await ordered();
    await open(shop, { parent: CLAIM });
    const order = { ...(await readOrder(shop)), args: { to: 'live' } };
    for (let tries = 0; tries < 2; tries++) await recordOrder(shop.ledger, PARENT, CHILD.workflowId, order, 'after-reset');
    const again = { ...CHILD, run: 'another-first' };
    expect(await open(shop, { parent: CLAIM }, { key: again })).toMatchObject({ args: { to: 'test' } });
    const third = { ...CHILD, run: 'a-third' };
    expect((await failureOf(open(shop, { parent: CLAIM }, { key: third }))).code).toBe('input.invalid');
  });

  test('knows the parents of its parent from their ledgers', async () => {
    const shop = await ordered();
    const above = { workflowId: 'top', run: 'first', step: 'release#1~1' };
    await shop.ledger.putIfAbsent(PARENT, RUN_RECORD, asJson({ parent: above }));
    expect((await open(shop, { parent: CLAIM })).parent).toEqual({ ...CLAIM, parent: above });
  });

  test('that shares a budget begins once it is said what it may use, and the last word counts', async () => {
    const shop = await ordered({ budgeted: true });
    await opensNothing(shop, open(shop, { parent: CLAIM }));
    await grant(shop, 100);
    await grant(shop, 70);
    expect((await open(shop, { parent: CLAIM })).budget).toEqual({ tokens: 70 });
  });
});

describe('an input that names a parent', () => {
  test.each<[string, Partial<typeof CLAIM>, { key?: typeof CHILD; type?: string }]>([
    ['of another name', { workflowId: 'other' }, {}],
    ['of another first execution', { run: 'second' }, {}],
    ['at another step', { step: 'test#1~1' }, {}],
    ['at another try', { step: 'deploy#1~2' }, {}],
    ['for another workflow id', {}, { key: { ...CHILD, workflowId: 'release.deploy2' } }],
    ['for another pipeline', {}, { type: 'delete_all' }],
  ])('opens nothing where that run has not ordered this one: %s', async (_what, claim, at) => {
    const shop = await ordered();
    expect(await opensNothing(shop, open(shop, { parent: { ...CLAIM, ...claim } }, at), at.key)).toContain('"parent"');
  });

  const forged: Record<(typeof INPUT_KEYS)[number] | 'budget', Json> = {
    pipeline: 'deploy',
    args: { to: 'production' },
    script: 'offline',
    plan: { kind: 'plan', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json' },
    resume: { kind: 'snapshot', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json' },
    scheduled: { at: '2026-11-21T07:30:00.000Z' },
    startedBy: 'bob',
    proof: { channel: 'console', at: '2026-11-21T07:30:00.000Z', mac: 'ab'.repeat(32) },
    parent: { workflowId: 'release', step: 'deploy#1~1', parent: CLAIM },
    carried: { kind: 'carry', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json' },
    postMortem: true,
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    budget: { tokens: 1_000_000 },
  };
  test.each(Object.entries(forged))('opens nothing where it says anything else: %s', async (key, value) => {
    const shop = await ordered();
    expect(await opensNothing(shop, open(shop, { parent: CLAIM, [key]: value }))).toContain(`"${key}"`);
  });

  test.each([...INPUT_KEYS])('has a forged value for each key that there is: %s', (key) => expect(forged).toHaveProperty(key));
});

describe('the starter of a child', () => {
  const proven: Starter = { kind: 'person', name: 'ann', identity: 'proven' };

  test.each<[string, Starter | undefined, Starter | undefined]>([
    ['proven', proven, proven],
    ['claimed', claimedStarter('ann'), claimedStarter('ann')],
    ['a schedule', { kind: 'schedule', schedule: 'nightly' }, { kind: 'schedule', schedule: 'nightly' }],
    ['nobody', undefined, undefined],
  ])('is its parent’s, worth as much: %s', async (_what, startedBy, starter) => {
    const shop = await ordered(startedBy ? { startedBy } : {});
    expect((await open(shop, { parent: CLAIM })).startedBy).toEqual(starter);
  });

  test('is proven for one execution: another, which a parent that was reset has ordered, has nobody who proves who started it', async () => {
    const shop = await ordered({ startedBy: proven });
    expect((await open(shop, { parent: CLAIM })).startedBy).toEqual(proven);
    await recordOrder(shop.ledger, PARENT, CHILD.workflowId, await readOrder(shop), 'after-reset');
    expect((await open(shop, { parent: CLAIM }, { key: { ...CHILD, run: 'by-hand' } })).startedBy).toEqual(claimedStarter('ann'));
    expect((await open(shop, {})).startedBy).toEqual(proven);
  });
});

test('a budget in an input is none', async () => {
  const shop = await ordered();
  const key = { workflowId: 'own', run: 'first' };
  expect(await opensNothing(shop, open(shop, { budget: { tokens: 1_000_000 } }, { key }), key)).toContain('"budget"');
});
