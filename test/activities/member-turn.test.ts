import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import { agent } from '../../activities/agent/agent';
import type { AgentRequest } from '../../activities/agent-port';
import type { Tool } from '../../activities/tools/tool';
import type { MemberWork } from '../../plan/board/member-work';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { type FakeService, fakeService, type Given, used } from '../adapters/model/service';
import { fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

/** The turn of a member of a board: how its work ends, what it costs, and what its conversation is. */

const part: Step = { id: 'work', kind: 'agent', agent: 'bull' };
const IDENTITY = "<identity>You are 'alice', role: coder, team: core. Continue your work.</identity>";
const MODEL = { id: 'bull', role: 'You work.', model: 'm' };
const call = (tool: string, id = tool) => ({ id, tool, args: {} });

function alice(more: Partial<MemberWork> = {}): MemberWork {
  return { name: 'alice', inbox: 'team/work-1/inbox', role: 'coder', team: 'core', context: [], maxTurns: 50, others: [], ...more };
}

function ending(ends: 'idle' | 'claimed'): Tool {
  return {
    description: 'Ends it.',
    parameters: { type: 'object' },
    unlisted: true,
    call: async () => ({ text: 'good night', effect: { ends } }),
  };
}

const look: Tool = { description: 'Looks.', parameters: { type: 'object' }, unlisted: true, call: async () => ({ text: 'seen' }) };

async function team(...given: Given[]): Promise<{ shop: Workshop; service: FakeService; work: ReturnType<typeof worker> }> {
  const service = fakeService(...given);
  const adapters = withAgent({ ...modelAdapter(service), name: 'fake' });
  const shop = workshop({ ...adapters, tools: { rest: ending('idle'), take: ending('claimed'), look } });
  await shop.open([part], { agents: { bull: { definition: await shop.blob(MODEL) } } });
  return { shop, service, work: worker(shop) };
}

/** A WORK; `again`: its activity is tried once more. */
function worker(shop: Workshop) {
  return (number: number, member = alice(), again = {}, input: Partial<StepInput> = {}) =>
    agent(shop.toolbox, shop.call(`work#${number}~1`, again), { run: KEY.run, member, ...input });
}

/** What the model was shown, in short. */
function shown({ requests }: FakeService, at = -1): string[] {
  return (requests.at(at)?.turns ?? []).map(({ role, text }) => `${role}: ${text}`);
}

describe('a WORK ends', () => {
  test('when the model calls no more tools, whatever it says, also nothing, and no reply is asked for again', async () => {
    for (const said of [{ text: 'done' }, { text: '' }, { text: '', stop: 'empty' as const }, { text: 'half', stop: 'cut' as const }]) {
      const { service, work } = await team(said);
      const output = await work(1);
      expect(output).not.toHaveProperty('workEnd');
      expect(output).not.toHaveProperty('repairs');
      expect(service.requests).toHaveLength(1);
    }
  });

  test('with `idle`, and no further reply is paid', async () => {
    const { shop, service, work } = await team({ text: 'nothing left', calls: [call('rest')] });
    const output = await work(1);
    expect(output).toMatchObject({ workEnd: 'idle', usage: used(100, 10) });
    expect(service.requests).toHaveLength(1);
    expect((await shop.artifacts.get(output.artifact!)).toString()).toBe('nothing left');
  });

  test('at once again after a crash behind the call, with the same end and the same words', async () => {
    const { service, work } = await team({ text: 'nothing left', calls: [call('rest')] });
    const first = await work(1);
    const second = await work(1, alice(), { attempt: 2 });
    expect(second).toMatchObject({ workEnd: 'idle', artifact: first.artifact, usage: first.usage, context: first.context });
    expect(service.requests).toHaveLength(1);
  });

  test('with `idle` after the other calls of the same reply, and with a claim before them', async () => {
    const idle = await team({ calls: [call('rest'), call('look')] });
    expect(await idle.work(1)).toMatchObject({ workEnd: 'idle', toolCalls: 2 });
    const claimed = await team({ calls: [call('take'), call('look')] }, { text: 'on' });
    const { context } = await claimed.work(1);
    expect(await claimed.work(2, alice({ context: [context!] }))).not.toHaveProperty('workEnd');
    expect(shown(claimed.service)).toContain('tool: This call was not made.');
  });

  test('when its budget is used up: with what it has said, without a further reply, and its conversation goes on', async () => {
    const { shop, service, work } = await team({ text: 'looking', calls: [call('look')], usage: used(15_000, 10) }, { text: 'on' });
    const budget = { tokens: 20_000 };
    const { paused } = await work(1, alice(), {}, { budget });
    expect(paused).toMatchObject({ kind: 'budget', short: { kind: 'tokens' } });
    const short = { kind: 'tokens', needed: 3000 } as const;
    const output = await work(1, alice(), {}, { spent: short });
    expect(output).toMatchObject({ workEnd: 'spent', short, usage: used(15_000, 10) });
    expect((await shop.artifacts.get(output.artifact!)).toString()).toBe('looking');
    expect(service.requests).toHaveLength(1);
    await work(2, alice({ context: [output.context!] }));
    expect(shown(service)).toContain('assistant: looking');
  });

  test('after so many replies as it may have: the cap is an end, and no failure', async () => {
    let n = 0;
    const { service, work } = await team(() => {
      n += 1;
      return { text: `look ${n}`, calls: [call('look', `c${n}`)] };
    });
    const output = await work(1, alice({ maxTurns: 3 }));
    expect(output).toMatchObject({ workEnd: 'cap' });
    expect(service.requests).toHaveLength(3);
    expect(output.context).toBeDefined();
  });

  test('after what its last reply calls is called: a task that it completes then is completed', async () => {
    const { service, work } = await team({ calls: [call('look')] }, { text: 'two' });
    const output = await work(1, alice({ maxTurns: 1 }));
    expect(output).toMatchObject({ workEnd: 'cap' });
    await work(2, alice({ context: [output.context!] }));
    expect(shown(service)).toContain('tool: seen');
  });

  test('with `idle`, if its last reply calls that', async () => {
    const { service, work } = await team({ calls: [call('idle')] });
    expect(await work(1, alice({ maxTurns: 1 }))).toMatchObject({ workEnd: 'idle' });
    expect(service.requests).toHaveLength(1);
  });
});

describe('the conversation of a member', () => {
  test('begins with who it is, and goes on in the next WORK', async () => {
    const { service, work } = await team({ text: 'one' }, { text: 'two' });
    const { context } = await work(1);
    expect(shown(service).slice(0, 2)).toEqual([`user: ${IDENTITY}`, 'assistant: I am alice. Continuing.']);
    await work(2, alice({ context: [context!] }));
    const second = shown(service);
    expect(second.slice(0, 2)).toEqual([`user: ${IDENTITY}`, 'assistant: I am alice. Continuing.']);
    expect(second.filter((text) => text.includes('<identity>'))).toHaveLength(1);
    expect(second).toContain('assistant: one');
  });

  test('is its own: members do not see what others have said', async () => {
    const { service, work } = await team({ text: 'from alice' }, { text: 'from bob' }, { text: 'more' });
    const hers = await work(1);
    const his = await work(2, alice({ name: 'bob' }));
    expect(shown(service)).not.toContain('assistant: from alice');
    await work(3, alice({ name: 'bob', context: [his.context!] }));
    expect(shown(service)).toContain('assistant: from bob');
    expect(shown(service).join()).not.toContain('alice');
    expect(hers.context).not.toEqual(his.context);
  });

  test('needs no role', async () => {
    const { service, work } = await team({ text: 'one' });
    const { role: _none, ...plain } = alice();
    await work(1, plain);
    expect(shown(service)[0]).toBe("user: <identity>You are 'alice', team: core. Continue your work.</identity>");
  });

  test('survives a crash: recorded turns are not paid for again', async () => {
    const { service, work } = await team({ calls: [call('look')] }, new Error('lost'), { text: 'done' });
    await expect(work(1)).rejects.toThrow('lost');
    const output = await work(1, alice(), { attempt: 2 });
    expect(service.requests).toHaveLength(3);
    expect(shown(service)).toContain('tool: seen');
    expect(output.usage).toEqual(used(200, 20));
  });

  test('has what was said in a turn that fails', async () => {
    const refused = new ThermidorFailure('model.unauthorized', 'no key');
    const { service, work } = await team({ text: 'seen it', calls: [call('look')] }, refused, { text: 'on' });
    const failure = await work(1).catch((error: unknown) => error);
    const { context } = (failure as ThermidorFailure).work ?? {};
    await work(2, alice({ context: [context!] }));
    expect(shown(service)).toEqual(expect.arrayContaining(['assistant: seen it', 'tool: seen']));
  });

  test.each([
    ['nothing was said', [new ThermidorFailure('model.unauthorized', 'no key')]],
    ['the model does not take it', [{ calls: [call('look')] }, new ThermidorFailure('model.bad-request', 'no')]],
    ['another worker goes on with it', [{ calls: [call('look')] }, new ThermidorFailure('worker.lost', 'gone')]],
  ])('stays as it was before a turn that fails if %s', async (_, given) => {
    const { work } = await team(...given);
    const failure = await work(1).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ThermidorFailure);
    expect((failure as ThermidorFailure).work?.context).toBeUndefined();
  });

  test('begins anew, with who it is, at a summary', async () => {
    const { service, work } = await team({ text: 'x'.repeat(4000) }, { stop: 'overflow' }, { text: 'the summary' }, { text: 'two' });
    const { context } = await work(1);
    await work(2, alice({ context: [context!] }));
    const [first, second] = shown(service);
    expect(first).toMatch(/^user: <identity>You are 'alice', role: coder, team: core\. Continue your work\.<\/identity>/);
    expect(first).toContain('the summary');
    expect(second).toBe('assistant: I am alice. Continuing.');
  });

  test('a task that alone is too long is no conversation to be condensed', async () => {
    const { service, work } = await team({ stop: 'overflow' });
    await expect(work(1)).rejects.toMatchObject({ code: 'model.context-length' });
    expect(service.requests).toHaveLength(1);
  });

  test('stays bounded over many WORKs once there is a summary', async () => {
    const read: number[] = [];
    const adapter = fakeAgent((request: AgentRequest) => {
      read.push(request.transcript().length);
      return read.length % 20 === 0
        ? [
            { role: 'assistant', text: 'the summary', stop: 'condensed', message: { ask: 1, step: 'work' } },
            { role: 'assistant', text: 'on' },
          ]
        : 'on';
    });
    const shop = workshop(withAgent(adapter));
    await shop.open([part]);
    let context: ArtifactRef[] = [];
    for (let number = 1; number <= 100; number++) {
      const output = await worker(shop)(number, alice({ context }));
      context = [output.context!];
    }
    expect(Math.max(...read)).toBeLessThanOrEqual(2 * 20 + 2);
    expect(read[99]).toBeGreaterThan(20);
  });
});
