import { createHash } from 'node:crypto';
import type { LoadedPipeline, PipelineSource } from '../../activities/ports';
import type { MergeHost } from '../../activities/queue-port';
import { journal } from '../../activities/run/journal';
import { loadRun } from '../../activities/run/load-run';
import { loadPlan, openRun } from '../../activities/run/open-run';
import { loadState, saveState } from '../../activities/run/run-state';
import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import { IR_VERSION, type Plan } from '../../plan/plan';
import { DEFAULT_QUEUE_SETTINGS } from '../../plan/queue/queue-settings';
import { type ControlRef, PLAN_LIMIT_BYTES, STEP_LIMIT } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { PACKED_PART_LIMIT_BYTES, type PackedPart } from '../../plan/run/packed-part';
import { type OpenRunInput, RUN_VERSION } from '../../plan/run/run-activities';
import type { RunInput } from '../../plan/run/run-input';
import { controlPlan } from '../../plan/steps/control';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { RUN_RECORD } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import { unpacked } from '../../workflows/interpreter/state/unpack';
import { codeOf, failureOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const AGENT = JSON.stringify({ id: 'bull', role: 'r' });
const DIGEST = createHash('sha256').update(AGENT).digest('hex');
const SCRIPT: Script = { name: 'offline', replies: {}, people: [] };

function plan(more: Partial<Plan> = {}): Plan {
  return {
    irVersion: IR_VERSION,
    name: 'demo',
    source: '0'.repeat(64),
    trigger: { kind: 'manual' },
    args: { market: { type: 'string', default: 'BTC/USDT' } },
    agents: { bull: { definition: DIGEST, adapter: 'fake' } },
    block: { order: 'sequence', steps: [{ id: 'bull', kind: 'agent', agent: 'bull' }] },
    ...more,
  };
}

function waits(count: number): Step[] {
  return Array.from({ length: count }, (_, i) => ({ id: `s${i}`, kind: 'wait', forMs: 1 }));
}

/** Pipelines with one program, which can be edited. */
function source(current: { plan: Plan }): PipelineSource {
  return {
    pipeline: async (name): Promise<LoadedPipeline> => {
      if (name !== current.plan.name) throw new ThermidorFailure('pipeline.not-found', name);
      return { plan: current.plan, blobs: new Map([[DIGEST, { content: AGENT, mediaType: 'application/json', name: 'bull' }]]) };
    },
    script: async (_, name) => {
      if (name !== SCRIPT.name) throw new ThermidorFailure('script.not-found', name);
      return { text: JSON.stringify(SCRIPT), script: SCRIPT };
    },
    readScript: (_, text) => JSON.parse(text) as Script,
  };
}

function shopFor(current: { plan: Plan }): Workshop {
  return workshop({ pipelines: source(current), searchAttributes: ['ThermidorState'], ...withAgent(fakeAgent(() => '')) });
}

function wanted(input: RunInput = {}): OpenRunInput {
  return { run: KEY.run, workflowType: 'demo', input };
}

describe('opening a run', () => {
  test('hands on what a rerun carries, every time it is asked', async () => {
    const shop = shopFor({ plan: plan() });
    const frozen = await shop.control.put('plan', JSON.stringify(plan()), 'demo.plan.json');
    const begins = { plan: frozen.sha256, args: { market: 'ETH/USDT' } };
    const carried = await shop.control.put('carry', JSON.stringify({ begins }), 'carried.json');
    await shop.artifacts.put(AGENT, { mediaType: 'application/json' });
    expect(await openRun(shop.toolbox, KEY, wanted({ plan: frozen, args: begins.args, carried }))).toMatchObject({ carried });
    expect(await openRun(shop.toolbox, KEY, wanted())).toMatchObject({ carried });
  });

  test('refuses what a rerun carries to a run with other args, or another plan, script or starter, and what a child carries without its parent', async () => {
    const shop = shopFor({ plan: plan() });
    await shop.artifacts.put(AGENT, { mediaType: 'application/json' });
    const put = (value: Plan) => shop.control.put('plan', JSON.stringify(value), 'demo.plan.json');
    const [frozen, edited] = [await put(plan()), await put(plan({ description: 'edited' }))];
    const carry = (value: object) => shop.control.put('carry', JSON.stringify(value), 'carried.json');
    const args = { market: 'ETH/USDT' };
    const carried = await carry({ begins: { plan: frozen.sha256, args } });
    const code = (input: RunInput) => codeOf(openRun(shop.toolbox, KEY, wanted(input)));
    expect(await code({ plan: frozen, args: { market: 'BTC/USDT' }, carried })).toBe('input.invalid');
    expect(await code({ plan: frozen, carried })).toBe('input.invalid');
    expect(await code({ plan: edited, args, carried })).toBe('input.invalid');
    expect(await code({ plan: edited, args, carried, parent: { workflowId: 'x', run: 'y', step: 'a#1~1' } })).toBe('input.invalid');
    expect(await code({ plan: frozen, args, carried: await carry({}) })).toBe('input.invalid');
    expect(await code({ plan: frozen, args, carried, startedBy: 'ann' })).toBe('input.invalid');
    expect(await code({ plan: frozen, args, carried, script: SCRIPT.name })).toBe('input.invalid');
    const scripted = await carry({ begins: { plan: frozen.sha256, args, script: 'f'.repeat(64), startedBy: 'ann' } });
    expect(await code({ plan: frozen, args, carried: scripted, startedBy: 'ann' })).toBe('input.invalid');
    const proven = await carry({ begins: { plan: frozen.sha256, args, startedBy: 'ann', provenStarter: true } });
    expect(await code({ plan: frozen, args, carried: proven, startedBy: 'ann' })).toBe('input.invalid');
    expect(await shop.ledger.get(KEY, 'run')).toBeUndefined();
  });

  test('refuses what is carried if it is no reference', async () => {
    const input = { carried: 'yesterday' } as unknown as RunInput;
    expect(await codeOf(openRun(shopFor({ plan: plan() }).toolbox, KEY, wanted(input)))).toBe('input.invalid');
  });

  test('compiles the pipeline that the workflow type names, and fills in args', async () => {
    const shop = shopFor({ plan: plan() });
    const opened = await openRun(shop.toolbox, KEY, wanted());
    expect(opened).toMatchObject({ plan: controlPlan(plan()), args: { market: 'BTC/USDT' }, searchAttributes: ['ThermidorState'] });
    expect(JSON.parse((await shop.control.get(opened.planRef)).toString())).toEqual(plan());
    expect((await shop.artifacts.get({ sha256: DIGEST })).toString()).toBe(AGENT);
  });

  test('refuses a strategy that the merge queue of the branch does not have, and records nothing', async () => {
    const build: Step = { id: 'build', kind: 'wait', worktree: {}, forMs: 1 };
    const land: Step = { id: 'land', kind: 'merge', from: ['build'], into: ['main'], strategy: 'rebase' };
    const current = { plan: plan({ block: { order: 'sequence', steps: [build, land] } }) };
    const mergeHost: Partial<MergeHost> = {
      rules: () => DEFAULT_QUEUE_SETTINGS,
      origin: async () => ({ repository: '/shop', refsIn: 'repository' }),
    };
    const shop = workshop({ ...shopFor(current).toolbox, mergeHost: mergeHost as MergeHost });
    expect(await codeOf(openRun(shop.toolbox, KEY, wanted()))).toBe('merge.strategy');
    expect(await shop.ledger.get(KEY, RUN_RECORD)).toBeUndefined();
  });

  test('gives what it recorded for ever, whatever happens to the pipeline', async () => {
    const current = { plan: plan() };
    const shop = shopFor(current);
    const first = await openRun(shop.toolbox, KEY, wanted());
    current.plan = plan({ description: 'edited' });
    expect(await openRun(shop.toolbox, KEY, wanted({ args: { market: 'ETH/USDT' } }))).toEqual(first);
  });

  test('tells every execution when the first one started', async () => {
    const shop = shopFor({ plan: plan() });
    const first = await openRun(shop.toolbox, KEY, { ...wanted(), startedAt: '2026-01-05T07:30:00.000Z' });
    const later = await openRun(shop.toolbox, KEY, { ...wanted(), startedAt: '2026-01-09T00:00:00.000Z' });
    expect([first.startedAt, later.startedAt]).toEqual(['2026-01-05T07:30:00.000Z', '2026-01-05T07:30:00.000Z']);
  });

  test('takes a frozen plan that the client stored', async () => {
    const shop = shopFor({ plan: plan() });
    const frozen = plan({ description: 'of another day' });
    await shop.artifacts.put(AGENT, { mediaType: 'application/json' });
    const ref = await shop.control.put('plan', JSON.stringify(frozen), 'demo.plan.json');
    const opened = await openRun(shop.toolbox, KEY, { ...wanted({ plan: ref }), startedAt: '2026-11-21T07:30:00.000Z' });
    expect(opened).toMatchObject({ plan: controlPlan(frozen), planRef: ref });
    expect((await loadRun(shop.toolbox, KEY)).record.startedAt).toBe('2026-11-21T07:30:00.000Z');
  });

  test('leaves what a later version has frozen or opened to workers of that version', async () => {
    const shop = shopFor({ plan: plan() });
    const later = await shop.control.put('plan', JSON.stringify({ ...plan(), irVersion: 99 }), 'demo.plan.json');
    expect(await codeOf(openRun(shop.toolbox, KEY, wanted({ plan: later })))).toBe('worker.too-old');
    await openRun(shop.toolbox, KEY, wanted({}));
    const record = (await shop.toolbox.ledger.get(KEY, RUN_RECORD)) as object;
    expect(record).toMatchObject({ version: RUN_VERSION });
    const other = { ...KEY, workflowId: 'other' };
    await shop.toolbox.ledger.putIfAbsent(other, RUN_RECORD, { ...record, version: 99 });
    expect(await codeOf(openRun(shop.toolbox, other, wanted({})))).toBe('worker.too-old');
    expect(await codeOf(loadRun(shop.toolbox, other))).toBe('worker.too-old');
  });

  test('refuses a plan of another version, and what is not a plan', async () => {
    const shop = shopFor({ plan: plan() });
    const put = (value: unknown) => shop.control.put('plan', JSON.stringify(value), 'demo.plan.json');
    expect(await codeOf(openRun(shop.toolbox, KEY, wanted({ plan: await put({ ...plan(), irVersion: 1 }) })))).toBe('plan.version');
    expect(await codeOf(openRun(shop.toolbox, KEY, wanted({ plan: await put({ irVersion: IR_VERSION }) })))).toBe('input.invalid');
  });

  test('finds a script by name, and by reference', async () => {
    const shop = shopFor({ plan: plan({ agents: { bull: { definition: DIGEST, adapter: 'anthropic' } } }) });
    const toolbox = { ...shop.toolbox, adapters: new Map([['scripted', fakeAgent(() => '')]]) };
    const named = await openRun(toolbox, KEY, wanted({ script: 'offline' }));
    expect(named.script).toEqual({ name: 'offline' });
    const ref = await shop.control.put('script', JSON.stringify(SCRIPT), 'offline.script.json');
    const byRef = { ...KEY, run: 'other' };
    expect((await openRun(toolbox, byRef, wanted({ script: ref }))).script).toEqual({ name: 'offline' });
    expect((await loadRun(toolbox, byRef)).script).toEqual(SCRIPT);
  });

  test.each<[string, RunInput]>([
    ['args.invalid', { args: { nonsense: 1 } }],
    ['args.invalid', { args: { market: 1 } }],
    ['input.invalid', { pipeline: 'nowhere' }],
    ['script.not-found', { script: 'nowhere' }],
  ])('fails with %s for %j, and records nothing', async (code, input) => {
    const shop = shopFor({ plan: plan() });
    expect(await codeOf(openRun(shop.toolbox, KEY, wanted(input)))).toBe(code);
    expect(await shop.ledger.get(KEY, 'run')).toBeUndefined();
  });

  test('refuses an agent whose adapter is not there, and lists those that are', async () => {
    const shop = shopFor({ plan: plan({ agents: { bull: { definition: DIGEST, adapter: 'anthropic' } } }) });
    const failure = await failureOf(openRun(shop.toolbox, KEY, wanted()));
    expect(failure).toMatchObject({ code: 'adapter.unavailable', details: { agent: 'bull', adapter: 'anthropic', known: ['fake'] } });
  });

  test('refuses a plan over 16 MiB, or of more than 100,000 steps', async () => {
    const large = shopFor({ plan: plan({ description: 'x'.repeat(PLAN_LIMIT_BYTES) }) });
    expect(await codeOf(openRun(large.toolbox, KEY, wanted()))).toBe('plan.too-large');
    const many = shopFor({ plan: plan({ block: { order: 'sequence', steps: waits(STEP_LIMIT + 1) } }) });
    expect(await codeOf(openRun(many.toolbox, KEY, wanted()))).toBe('plan.too-large');
  });

  test('leaves a large plan out of its answer: it comes packed, in as many parts as it takes', async () => {
    const noise = Array.from({ length: 60_000 }, (_, i) => createHash('sha256').update(String(i)).digest('base64')).join('');
    const large = plan({ description: noise, block: { order: 'sequence', steps: waits(2000) } });
    const shop = shopFor({ plan: large });
    expect(await openRun(shop.toolbox, KEY, wanted())).not.toHaveProperty('plan');
    const first = await loadPlan(shop.toolbox, KEY, { run: KEY.run });
    const parts = [first];
    const whole = await unpacked(first, async (from) => {
      const part = await loadPlan(shop.toolbox, KEY, { run: KEY.run, from });
      parts.push(part);
      return part;
    });
    expect(whole).toEqual(asJson(controlPlan(large)));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(PACKED_PART_LIMIT_BYTES);
  });

  test.each(unreadable())('refuses an input that is no RunInput: %j', async (input, problems) => {
    const shop = shopFor({ plan: plan() });
    const failure = await failureOf(openRun(shop.toolbox, KEY, { ...wanted(), input: input as RunInput }));
    expect(failure.code).toBe('input.invalid');
    expect((failure.details as { problems: string[] }).problems).toHaveLength(problems);
  });

  test.each<[unknown]>([[undefined], [null], [''], [{}]])('takes %j for an input without wishes', async (input) => {
    const shop = shopFor({ plan: plan() });
    expect((await openRun(shop.toolbox, KEY, { ...wanted(), input: input as RunInput })).plan?.name).toBe('demo');
  });

  test('is needed before any step: a run that was never opened here says so', async () => {
    expect(await codeOf(loadRun(workshop().toolbox, KEY))).toBe('artifact.missing');
  });
});

describe('what a run carries over', () => {
  test('comes back as it was saved', async () => {
    const { toolbox } = workshop();
    const state = { records: { a: [1, null, 'x'] } };
    expect(await loadState(toolbox, KEY, { run: KEY.run, ref: await saveState(toolbox, KEY, { run: KEY.run, state }) })).toEqual(state);
  });

  test('is refused before it could wedge the run', async () => {
    const state = { big: 'x'.repeat(64 * 1024 * 1024) };
    expect(await codeOf(saveState(workshop().toolbox, KEY, { run: KEY.run, state }))).toBe('values.too-large');
  });

  test('is stored in parts if it is large: of the next state only what has changed is stored', async () => {
    const { toolbox, control } = workshop();
    const records: Record<string, { artifact: string }> = {};
    for (let i = 0; i < 20_000; i++) records[`step-${i}`] = { artifact: createHash('sha256').update(String(i)).digest('hex') };
    const put = jest.spyOn(control, 'put');
    const digests = async (): Promise<{ all: Set<string>; ref: ControlRef<'snapshot'> }> => {
      put.mockClear();
      const ref = await saveState(toolbox, KEY, { run: KEY.run, state: { records } });
      const stored = await Promise.all(put.mock.results.map(({ value }) => value as Promise<ControlRef>));
      return { all: new Set(stored.map(({ sha256 }) => sha256)), ref };
    };
    const before = await digests();
    delete records['step-10'];
    records['step-15000'] = { artifact: 'another' };
    records['new'] = { artifact: 'later' };
    const after = await digests();
    expect(before.all.size).toBeGreaterThan(6);
    // The parts around three changes, and the list of the parts.
    expect([...after.all].filter((sha256) => !before.all.has(sha256)).length).toBeLessThanOrEqual(4);
    const load = async (from?: number): Promise<Json | PackedPart> =>
      loadState(toolbox, KEY, { run: KEY.run, ref: after.ref, ...defined({ from }) });
    expect(await unpacked((await load()) as PackedPart, async (from) => (await load(from)) as PackedPart)).toEqual({ records });
  });

  test('has its journal in pages, and the same page twice is one', async () => {
    const { toolbox, artifacts } = workshop();
    const entries = [{ seq: 1, at: '2026-11-21T08:00:00Z', kind: 'run', state: 'running' }] as const;
    const ref = await journal(toolbox, { key: KEY }, { run: KEY.run, entries: [...entries] });
    expect(await journal(toolbox, { key: KEY }, { run: KEY.run, entries: [...entries] })).toEqual(ref);
    if (!ref) throw new Error('a page that is not the last has a reference');
    expect(JSON.parse((await artifacts.get(ref)).toString())).toEqual(entries);
    expect(await journal(toolbox, { key: KEY }, { run: KEY.run, entries: [...entries], last: true })).toBeNull();
  });
});

/** An input, and how many mistakes are in it. */
function unreadable(): [unknown, number][] {
  return [
    ['daily', 1],
    [[1], 1],
    [{ undecodable: true, encoding: 'binary/x', sizeBytes: 2 }, 1],
    [{ agrs: {}, args: [], script: 7, plan: 'x', pipeline: 1, resume: {} }, 6],
    [{ plan: { sha256: '../x', sizeBytes: 1, mediaType: 'a' } }, 1],
  ];
}
