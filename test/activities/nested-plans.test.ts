import { loadRun, stepAt } from '../../activities/run/load-run';
import { openRun } from '../../activities/run/open-run';
import { IR_VERSION, type Plan } from '../../plan/plan';
import { PLAN_LIMIT_BYTES } from '../../plan/run/artifact';
import type { RunInput } from '../../plan/run/run-input';
import { parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { codeOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const inner: Step = { id: 'inner', kind: 'command', command: { shell: ['true'] } };
const nested: Step[] = [
  {
    id: 'par',
    kind: 'parallel',
    branches: [
      { id: 'left', kind: 'group', block: { order: 'sequence', steps: [inner] } },
      { id: 'right', kind: 'wait', forMs: 1 },
    ],
  },
  {
    id: 'loop',
    kind: 'for_each',
    items: { kind: 'literal', value: [] },
    block: { order: 'sequence', steps: [{ id: 'body', kind: 'wait', forMs: 1 }] },
  },
];
const last: Plan['finally'] = { order: 'sequence', steps: [{ id: 'report', kind: 'wait', forMs: 1 }] };

describe('a step within others', () => {
  test.each([
    ['par[0]/left/inner#1~1', 'inner'],
    ['par[1]/right#1~1', 'right'],
    ['loop[41]/body#2~3', 'body'],
    ['report#1~1', 'report'],
    ['loop#1~1', 'loop'],
  ])('is found by its address: %s', async (text, id) => {
    const shop = workshop();
    await shop.open(nested, { finally: last });
    const address = parseAddress(text);
    expect(address && stepAt(await loadRun(shop.toolbox, KEY), address).id).toBe(id);
  });
});

/** Opens a run of this plan. */
async function opening(shop: Workshop, steps: Step[], more: Partial<Plan> = {}, input: RunInput = {}) {
  return await openRun(shop.toolbox, KEY, {
    run: KEY.run,
    workflowType: 'demo',
    input: { ...input, plan: await stored(shop, steps, more) },
  });
}

async function stored(shop: Workshop, steps: Step[], more: Partial<Plan> = {}) {
  const plan: Plan = {
    irVersion: IR_VERSION,
    name: 'demo',
    source: '0'.repeat(64),
    trigger: { kind: 'manual' },
    block: { order: 'sequence', steps },
    ...more,
  };
  const text = JSON.stringify(plan);
  await shop.artifacts.put(text, { mediaType: 'application/json' });
  return await shop.control.put('plan', text, 'demo.plan.json');
}

const asked: Step = { id: 'ask', kind: 'agent', agent: 'bull' };

async function nowhere(shop: Workshop): Promise<Partial<Plan>> {
  return { agents: { bull: { definition: await shop.blob({ id: 'bull', role: 'r' }), adapter: 'nowhere' } } };
}

describe('opening a run', () => {
  test('looks for the adapters of agents in branches, loops, parts, finally and child pipelines', async () => {
    const shop = workshop(withAgent(fakeAgent(() => '')));
    const missing = await nowhere(shop);
    const block = { order: 'sequence' as const, steps: [asked] };
    const group: Step = { id: 'par', kind: 'parallel', branches: [{ id: 'g', kind: 'group', block }] };
    const loop: Step = { id: 'loop', kind: 'for_each', items: { kind: 'literal', value: [] }, block };
    const child: Step = { id: 'child', kind: 'pipeline', pipeline: 'other', plan: (await stored(shop, [asked], missing)).sha256 };
    const board: Step = {
      ...{ id: 'board', kind: 'board', team: 'board', members: [], tasks: { list: [] }, spawns: ['bull'], mostMembers: 8, idleMs: 1 },
      ...{ shutdownMs: 1, maxTurns: 1, attempts: 1, until: 'idle', parts: [asked] },
    };
    expect(await codeOf(opening(shop, [board], missing))).toBe('adapter.unavailable');
    expect(await codeOf(opening(shop, [group], missing))).toBe('adapter.unavailable');
    expect(await codeOf(opening(shop, [loop], missing))).toBe('adapter.unavailable');
    expect(await codeOf(opening(shop, [], { ...missing, finally: block }))).toBe('adapter.unavailable');
    expect(await codeOf(opening(shop, [child]))).toBe('adapter.unavailable');
  });

  test('takes budgets, of the run and of a step', async () => {
    const opened = opening(workshop(), [{ ...inner, budget: { tokens: 1 } }], { budget: { tokens: 1 } });
    await expect(opened).resolves.toBeDefined();
  });

  test('refuses a child whose plan is not in the store, or is too large', async () => {
    const shop = workshop();
    const lost: Step = { id: 'child', kind: 'pipeline', pipeline: 'other', plan: 'a'.repeat(64) };
    expect(await codeOf(opening(shop, [lost]))).toBe('artifact.missing');
    const huge = await stored(shop, [inner], { description: 'x'.repeat(PLAN_LIMIT_BYTES) });
    expect(await codeOf(opening(shop, [{ ...lost, plan: huge.sha256 }]))).toBe('plan.too-large');
    expect(await codeOf(openRun(shop.toolbox, KEY, { run: KEY.run, workflowType: 'demo', input: { plan: huge } }))).toBe('plan.too-large');
  });

  test('remembers who started the run', async () => {
    const shop = workshop();
    const ann = { kind: 'person', name: 'ann', identity: 'claimed' };
    expect((await opening(shop, [inner], {}, { startedBy: 'ann' })).startedBy).toEqual(ann);
    expect((await opening(shop, [inner])).startedBy).toEqual(ann);
  });

  test.each<[unknown]>([[{ workflowId: 'x' }], [{ workflowId: '', step: 'a#1~1' }], [{ workflowId: 'x', step: '../a' }], ['x']])(
    'refuses a parent that is none: %j',
    async (parent) => {
      const shop = workshop();
      expect(await codeOf(opening(shop, [inner], {}, { parent } as RunInput))).toBe('input.invalid');
    },
  );
});
