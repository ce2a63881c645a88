import { childInput } from '../../activities/containers/child-input';
import { contextFor } from '../../activities/run/child-args';
import type { ChildOrder } from '../../activities/run/child-order';
import type { Script } from '../../plan/agents/script';
import { IR_VERSION, type Plan } from '../../plan/plan';
import type { PipelineStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { codeOf, failureOf, KEY, literal, outputTemplate, type Workshop, workshop } from './workshop';

async function childStep(shop: Workshop, args: Plan['args'], given?: Record<string, unknown>): Promise<PipelineStep> {
  const plan: Plan = {
    irVersion: IR_VERSION,
    name: 'other',
    source: '0'.repeat(64),
    trigger: { kind: 'manual' },
    block: { order: 'sequence', steps: [] },
    ...(args ? { args } : {}),
  };
  const step: PipelineStep = { id: 'child', kind: 'pipeline', pipeline: 'other', plan: await shop.blob(plan) };
  return given ? { ...step, with: await shop.blob(given) } : step;
}

/** The child's input as the ledger has it afterwards. */
async function inputOf(shop: Workshop, input = {}): Promise<ChildOrder> {
  const { workflowId } = await childInput(shop.toolbox, shop.call('child#1~1/input'), { run: KEY.run, ...input });
  expect(workflowId).toBe(`${KEY.workflowId}.child`);
  return (await shop.ledger.get(KEY, `child/${workflowId}`)) as unknown as ChildOrder;
}

describe('what a child pipeline is started with', () => {
  test('is its frozen plan, and its args with their types and defaults', async () => {
    const shop = workshop();
    const step = await childStep(
      shop,
      { n: { type: 'integer' }, title: { type: 'string' }, mode: { default: 'fast' } },
      { n: outputTemplate('plan', 'n'), title: ['No ', literal(7)] },
    );
    await shop.open([step]);
    const plan = await shop.artifacts.put('{"n": 3}', { mediaType: 'application/json' });
    const input = await inputOf(shop, { inputs: { plan } });
    expect(input).toEqual({
      step: 'child#1~1',
      pipeline: 'other',
      scheduledAt: '2026-11-21T07:30:00.000Z',
      plan: expect.objectContaining({ sha256: step.plan, name: 'other.plan.json' }),
      args: { n: 3, title: 'No 7', mode: 'fast' },
    });
    expect((await shop.control.get(input.plan)).byteLength).toBe(input.plan.sizeBytes);
  });

  test('is checked against what the child declares, every mistake at once', async () => {
    const shop = workshop();
    await shop.open([await childStep(shop, { n: { type: 'integer' }, must: { required: true } }, { n: ['x'], nonsense: ['y'] })]);
    const failure = await failureOf(inputOf(shop));
    expect(failure.code).toBe('args.invalid');
    expect((failure.details as { problems: { arg: string }[] }).problems.map(({ arg }) => arg).sort()).toEqual(['must', 'n', 'nonsense']);
  });

  test('has a secret by its reference alone', async () => {
    const shop = workshop();
    const key = { kind: 'arg', name: 'key', path: [] };
    await shop.open(
      [await childStep(shop, { token: { secret: true } }, { token: [key] })],
      { args: { key: { secret: true } } },
      undefined,
      {
        key: 'secret://env/KEY',
      },
    );
    expect((await inputOf(shop)).args).toEqual({ token: 'secret://env/KEY' });
  });

  test('refuses anything but a reference for a child’s secret, and does not repeat it', async () => {
    const shop = workshop();
    await shop.open([await childStep(shop, { token: { secret: true } }, { token: ['sk-12345'] })]);
    const failure = await failureOf(inputOf(shop));
    expect(failure.code).toBe('args.invalid');
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('sk-12345');
  });

  test('takes the parent’s script along, so that an offline run stays offline', async () => {
    const shop = workshop();
    const script: Script = { name: 'offline', replies: {}, people: [] };
    await shop.open([await childStep(shop, undefined)], {}, script);
    const found = await inputOf(shop);
    expect(found.script?.name).toBe('offline.script.json');
    expect(JSON.parse((await shop.control.get(found.script!)).toString()) as Json).toEqual(script);
  });

  test('stays what was recorded first, whatever a repetition renders', async () => {
    const shop = workshop();
    await shop.open([await childStep(shop, { n: {} }, { n: outputTemplate('plan', 'n') })]);
    const put = (text: string) => shop.artifacts.put(text, { mediaType: 'application/json' });
    expect((await inputOf(shop, { inputs: { plan: await put('{"n": 3}') } })).args).toEqual({ n: 3 });
    expect((await inputOf(shop, { inputs: { plan: await put('{"n": 4}') } })).args).toEqual({ n: 3 });
  });

  test('fails if the child’s plan is not in the store', async () => {
    const shop = workshop();
    await shop.open([{ id: 'child', kind: 'pipeline', pipeline: 'other', plan: 'a'.repeat(64) }]);
    expect(await codeOf(inputOf(shop))).toBe('artifact.missing');
  });
});

test('a child whose context has a name of its parent’s takes the parent’s value for it', async () => {
  const child = { context: { market: 'BTC/USDT', desk: 'spot' } };
  const parent = (args: Record<string, Json>) => ({ plan: { context: { market: 'ETH/USDT', size: 3 } }, record: { args } });
  expect(contextFor(child, parent({}))).toEqual({ market: 'ETH/USDT' });
  expect(contextFor(child, parent({ market: 'SOL/USDT', other: 1 }))).toEqual({ market: 'SOL/USDT' });
});
