import { agent } from '../../activities/agent';
import { childInput } from '../../activities/child-input';
import { command } from '../../activities/command';
import { commands } from '../../activities/commands';
import { gate } from '../../activities/gate';
import { notify } from '../../activities/notify';
import type { ChannelMessage, CommandRequest } from '../../activities/ports';
import { stages } from '../../activities/stages/stages-activity';
import type { ApprovalNeed, RecordedApproval } from '../../plan/category';
import type { GateInput } from '../../plan/contract';
import { IR_VERSION } from '../../plan/plan';
import type { Step } from '../../plan/step';
import { codeOf, failureOf, fakeAgent, KEY, outputTemplate, type Workshop, withAgent, workshop } from './workshop';

const DEPLOY: Step = {
  id: 'deploy',
  kind: 'command',
  category: 'deploy',
  command: { shell: ['deploy ', ...outputTemplate('plan', 'target')] },
  env: { REGION: ['eu'] },
};
const INPUT = { run: KEY.run };

interface Ran {
  shop: Workshop;
  ran: CommandRequest[];
}

function shopWithShell(): Ran {
  const ran: CommandRequest[] = [];
  const processes = {
    run: async (request: CommandRequest) => {
      ran.push(request);
      return { stdout: 'done', stderr: '' };
    },
  };
  return { shop: workshop({ processes }), ran };
}

async function planned(shop: Workshop, target: string): Promise<Pick<GateInput, 'run' | 'inputs'>> {
  const plan = await shop.artifacts.put(JSON.stringify({ target }), { mediaType: 'application/json', name: 'plan.json' });
  return { ...INPUT, inputs: { plan } };
}

async function shown(shop: Workshop, step: string, input: Omit<GateInput, 'category'>) {
  const rendered = await gate(shop.toolbox, shop.call(`${step}#1~1/gate`), { ...input, category: 'deploy' });
  const document = (await shop.artifacts.get(rendered.document)).toString();
  return { ...rendered, document, contentSha256: rendered.contentSha256 ?? '' };
}

function yes(contentSha256: string, more: Partial<RecordedApproval> = {}): RecordedApproval {
  return { id: 'deploy#1~1/approval-1', category: 'deploy', contentSha256, approved: true, by: 'chairman', ...more };
}

describe('the gate before an action of a category', () => {
  test('shows exactly what is about to be done, and its digest', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY]);
    const { question, document, contentSha256 } = await shown(shop, 'deploy', await planned(shop, 'production'));
    expect(question).toContain('deploy production');
    expect(document).toContain(contentSha256);
    expect(document).toContain('REGION');
    expect(contentSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has another digest where anything of it is another', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY, { ...DEPLOY, id: 'elsewhere', env: { REGION: ['us'] } }, { ...DEPLOY, id: 'fed', stdin: ['yes'] }]);
    const digests = [
      (await shown(shop, 'deploy', await planned(shop, 'production'))).contentSha256,
      (await shown(shop, 'deploy', await planned(shop, 'staging'))).contentSha256,
      (await shown(shop, 'elsewhere', await planned(shop, 'production'))).contentSha256,
      (await shown(shop, 'fed', await planned(shop, 'production'))).contentSha256,
    ];
    expect(new Set(digests).size).toBe(4);
  });

  test('shows no secret, and binds to it nevertheless', async () => {
    const digestWith = async (value: string) => {
      const shop = workshop({ secrets: { resolve: async () => value } });
      const step: Step = { ...DEPLOY, command: { shell: ['deploy --key ', { kind: 'arg', name: 'key', path: [] }] } };
      await shop.open([step], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
      const { question, document, contentSha256 } = await shown(shop, 'deploy', INPUT);
      expect(question + document).not.toContain(value);
      return contentSha256;
    };
    expect(await digestWith('sk-one-11111')).not.toBe(await digestWith('sk-two-22222'));
  });

  test('shows what an agent wants to do with a tool, under the digest that its call has', async () => {
    const { shop } = shopWithShell();
    await shop.open([{ id: 'pay', kind: 'agent', agent: 'bull' }]);
    const content = await shop.artifacts.put('{"args":{"amount":5},"tool":"transfer"}', { mediaType: 'application/json' });
    const need: ApprovalNeed = { category: 'move_money', summary: 'transfer {"amount":5}', contentSha256: 'c'.repeat(64), content };
    const rendered = await gate(shop.toolbox, shop.call('pay#1~1/gate'), { ...INPUT, category: 'move_money', need });
    expect(rendered).toMatchObject({ question: expect.stringContaining('transfer {"amount":5}'), contentSha256: 'c'.repeat(64) });
    expect((await shop.artifacts.get(rendered.document)).toString()).toContain('"amount": 5');
  });

  test('asks the question of the run itself where it has one, as of a budget', async () => {
    const { shop } = shopWithShell();
    await shop.open([DEPLOY]);
    const rendered = await gate(shop.toolbox, shop.call('deploy#1~1/gate'), { ...INPUT, statement: 'The budget is reached.' });
    expect(rendered.question).toBe('The budget is reached.');
    expect(rendered.contentSha256).toBeUndefined();
  });
});

describe('a command of a category', () => {
  async function approved(target = 'production') {
    const { shop, ran } = shopWithShell();
    await shop.open([DEPLOY]);
    const input = await planned(shop, target);
    const { contentSha256 } = await shown(shop, 'deploy', input);
    return { shop, ran, input, contentSha256 };
  }

  test('runs with an approval of exactly what it does', async () => {
    const { shop, ran, input, contentSha256 } = await approved();
    await command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(ran).toHaveLength(1);
  });

  test.each<[string, (digest: string) => RecordedApproval[] | undefined]>([
    ['none', () => undefined],
    ['one of another category', (digest) => [yes(digest, { category: 'move_money' })]],
    ['one of another content', () => [yes('d'.repeat(64))]],
    ['a refusal', (digest) => [yes(digest, { approved: false })]],
  ])('does nothing with %s', async (_, approvals) => {
    const { shop, ran, input, contentSha256 } = await approved();
    const given = approvals(contentSha256);
    const failure = await failureOf(command(shop.toolbox, shop.call('deploy#1~1'), { ...input, ...(given ? { approvals: given } : {}) }));
    expect(failure).toMatchObject({ code: 'approval.missing', details: { category: 'deploy', contentSha256 } });
    expect(ran).toHaveLength(0);
  });

  test('does nothing where what it reads has changed since it was approved', async () => {
    const { shop, ran, contentSha256 } = await approved('staging');
    const input = await planned(shop, 'production');
    const running = command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(await codeOf(running)).toBe('approval.missing');
    expect(ran).toHaveLength(0);
  });

  test('uses an approval up: another try with the same one does nothing', async () => {
    const { shop, ran, input, contentSha256 } = await approved();
    const approvals = [yes(contentSha256)];
    await command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals });
    expect(await codeOf(command(shop.toolbox, shop.call('deploy#1~2'), { ...input, approvals }))).toBe('approval.missing');
    expect(ran).toHaveLength(1);
  });

  test('goes on with the same approval when Temporal retries the same try', async () => {
    const { shop, input, contentSha256 } = await approved();
    const approvals = [yes(contentSha256)];
    let died = false;
    shop.toolbox.processes = {
      run: async () => {
        if (died) return { stdout: 'done', stderr: '' };
        died = true;
        throw new Error('the worker died');
      },
    };
    await expect(command(shop.toolbox, shop.call('deploy#1~1'), { ...input, approvals })).rejects.toThrow('the worker died');
    const output = await command(shop.toolbox, shop.call('deploy#1~1', { attempt: 2 }), { ...input, approvals });
    expect(output.artifact).toBeDefined();
  });

  test('does nothing without one in a chain either', async () => {
    const { shop, ran } = shopWithShell();
    await shop.open([{ id: 'a', kind: 'command', command: { shell: ['true'] } }, DEPLOY]);
    const steps = [
      { address: 'a#1~1', input: INPUT },
      { address: 'deploy#1~1', input: await planned(shop, 'production') },
    ];
    const { done, failure } = await commands(shop.toolbox, shop.call('a#1~1/chain'), { run: KEY.run, steps });
    expect(done).toHaveLength(1);
    expect(failure?.code).toBe('approval.missing');
    expect(ran).toHaveLength(1);
  });
});

describe('every other kind of step of a category', () => {
  test('a message goes out with an approval alone, of this text to this channel', async () => {
    const sent: ChannelMessage[] = [];
    const shop = workshop({
      channelAdapters: [{ name: 'fake', serves: () => true, deliver: async (message) => void sent.push(message) }],
    });
    const step: Step = { id: 'tell', kind: 'notify', category: 'deploy', channel: '#outside', message: ['we ship'] };
    await shop.open([step]);
    const { question, contentSha256 } = await shown(shop, 'tell', INPUT);
    expect(question).toContain('#outside');
    const input = { ...INPUT, channel: '#outside' };
    expect(await codeOf(notify(shop.toolbox, shop.call('tell#1~1'), input))).toBe('approval.missing');
    expect(sent).toHaveLength(0);
    await notify(shop.toolbox, shop.call('tell#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(sent).toHaveLength(1);
  });

  test('what the run itself says of such a step needs none', async () => {
    const sent: ChannelMessage[] = [];
    const shop = workshop({
      channelAdapters: [{ name: 'fake', serves: () => true, deliver: async (message) => void sent.push(message) }],
    });
    await shop.open([{ id: 'tell', kind: 'notify', category: 'deploy', channel: '#outside', message: ['we ship'] }]);
    await notify(shop.toolbox, shop.call('tell#1~1/notify-1'), { ...INPUT, channel: '#errors', message: 'it failed' });
    expect(sent).toHaveLength(1);
  });

  test('a child pipeline starts with an approval alone, of this pipeline with these args', async () => {
    const shop = workshop();
    const child = {
      irVersion: IR_VERSION,
      name: 'other',
      source: '0'.repeat(64),
      trigger: { kind: 'manual' },
      block: { order: 'sequence', steps: [] },
    };
    const plan = await shop.blob({ ...child, args: { n: {} } });
    const step: Step = { id: 'child', kind: 'pipeline', category: 'deploy', pipeline: 'other', plan, with: await shop.blob({ n: ['7'] }) };
    await shop.open([step]);
    const { question, contentSha256 } = await shown(shop, 'child', INPUT);
    expect(question).toContain('other');
    expect(await codeOf(childInput(shop.toolbox, shop.call('child#1~1/input'), INPUT))).toBe('approval.missing');
    const input = await childInput(shop.toolbox, shop.call('child#1~1/input'), { ...INPUT, approvals: [yes(contentSha256)] });
    expect(input.args).toEqual({ n: '7' });
  });

  test('a pipe runs with an approval alone, of these stages', async () => {
    const { shop, ran } = shopWithShell();
    const exec = { name: 'exec' as const, words: [['deploy'], ['now']], flags: {} };
    await shop.open([{ id: 'pipe', kind: 'stages', category: 'deploy', stages: [exec] }]);
    const { question, contentSha256 } = await shown(shop, 'pipe', INPUT);
    expect(question).toContain('exec deploy now');
    expect(await codeOf(stages(shop.toolbox, shop.call('pipe#1~1'), INPUT))).toBe('approval.missing');
    expect(ran).toHaveLength(0);
    await stages(shop.toolbox, shop.call('pipe#1~1'), { ...INPUT, approvals: [yes(contentSha256)] });
    expect(ran).toHaveLength(1);
  });

  test('an agent is asked with an approval alone, of this agent with this task; a message to it changes nothing', async () => {
    const adapter = fakeAgent(() => 'done');
    const shop = workshop(withAgent(adapter));
    await shop.open([{ id: 'ship', kind: 'agent', agent: 'bull', category: 'deploy' }]);
    const { contentSha256 } = await shown(shop, 'ship', INPUT);
    const messages = [{ from: 'chairman', content: 'hurry', at: '2026-11-21T07:30:00.000Z' }];
    expect(await codeOf(agent(shop.toolbox, shop.call('ship#1~1'), INPUT))).toBe('approval.missing');
    expect(adapter.requests).toHaveLength(0);
    await agent(shop.toolbox, shop.call('ship#1~1'), { ...INPUT, messages, approvals: [yes(contentSha256)] });
    expect(adapter.requests).toHaveLength(1);
  });
});
