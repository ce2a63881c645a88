import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { notify } from '../../activities/gates/notify';
import { gate } from '../../activities/gates/render-gate';
import type { CommandStep, Step } from '../../plan/steps/step';
import { ADDRESS, briefStep, GOOD_TEXT, INPUT } from './brief-step';
import { fakeAgent, KEY, outputTemplate, type Workshop, withAgent, workshop } from './workshop';

const LINE = '{"title":"Q3","parts":[1,2]}';
const INDENTED = '{\n  "title": "Q3",\n  "parts": [\n    1,\n    2\n  ]\n}';
const VALUE = outputTemplate('plan');

async function opened(step: Step): Promise<{ shop: Workshop; inputs: Record<string, Awaited<ReturnType<Workshop['artifacts']['put']>>> }> {
  const shop = workshop({ processes: new GroupProcessRunner() });
  await shop.open([step, { id: 'plan', kind: 'wait', forMs: 1 }]);
  return { shop, inputs: { plan: await shop.artifacts.put(`  ${LINE}\n`, { mediaType: 'application/json' }) } };
}

describe('JSON in a template is on one line', () => {
  const printing: [string, Partial<CommandStep>][] = [
    ['run', { command: { shell: ['printf %s ', ...VALUE] } }],
    ['argv', { command: { argv: [['printf'], ['%s'], VALUE] } }],
    ['env', { command: { shell: ['printf %s "$PLAN"'] }, env: { PLAN: VALUE } }],
    ['stdin', { command: { shell: ['cat'] }, stdin: VALUE }],
  ];
  test.each(printing)('in %s', async (_key, more) => {
    const { shop, inputs } = await opened({ id: 'build', kind: 'command', command: { shell: [''] }, ...more });
    const { artifact } = await command(shop.toolbox, shop.call('build#1~1'), { run: KEY.run, inputs });
    expect((await shop.artifacts.get(artifact!)).toString()).toBe(LINE);
  });

  test('in a message', async () => {
    const { shop, inputs } = await opened({ id: 'tell', kind: 'notify', channel: '#desk', message: ['New: ', ...VALUE] });
    const { message } = await notify(shop.toolbox, shop.call('tell#1~1'), { run: KEY.run, channel: '#desk', inputs });
    expect(message).toBe(`New: ${LINE}`);
  });
});

describe('JSON in a template is indented', () => {
  test('in the prompt of an agent', async () => {
    const shop = workshop();
    const adapter = fakeAgent(() => GOOD_TEXT);
    const prompt = await shop.blob(['Judge ', ...VALUE]);
    await shop.open([
      { ...(await briefStep(shop)), prompt, inputs: ['plan'] },
      { id: 'plan', kind: 'wait', forMs: 1 },
    ]);
    const inputs = { plan: await shop.artifacts.put(LINE, { mediaType: 'application/json' }) };
    await agent({ ...shop.toolbox, ...withAgent(adapter) }, shop.call(ADDRESS), { ...INPUT, inputs });
    expect(adapter.requests[0]?.prompt).toContain(`Judge ${INDENTED}`);
  });

  test('in the question of a gate and in what it shows', async () => {
    const { shop, inputs } = await opened({ id: 'ok', kind: 'approval', prompt: ['Go on with ', ...VALUE], show: ['plan'] });
    const { question, document } = await gate(shop.toolbox, shop.call('ok#1~1/gate'), { run: KEY.run, inputs });
    expect(question).toBe(`Go on with ${INDENTED}`);
    expect((await shop.artifacts.get(document)).toString().split(INDENTED)).toHaveLength(3);
  });

  test('but a number that JavaScript cannot hold is shown as it was written', async () => {
    const { shop } = await opened({ id: 'ok', kind: 'approval', show: ['plan'] });
    const inputs = { plan: await shop.artifacts.put('{"amount":12345678901234567890}', { mediaType: 'application/json' }) };
    const { document } = await gate(shop.toolbox, shop.call('ok#1~1/gate'), { run: KEY.run, inputs });
    expect((await shop.artifacts.get(document)).toString()).toContain('  "amount": 12345678901234567890');
  });
});
