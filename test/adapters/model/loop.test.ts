import { LEAST_CHARACTERS, SUMMARY_TOKENS } from '../../../activities/adapters/model/condense';
import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import { REPLY_TOKENS } from '../../../activities/adapters/model/reply-budget';
import { BrokenReply } from '../../../activities/adapters/model/service';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Turn } from '../../../records/transcripts/turn';
import { asked } from './request';
import { run } from './run';
import { fakeService, READ, used } from './service';

const analyst = { id: 'analyst', role: 'You watch prices.', model: 'm' };

describe('turns', () => {
  test('that are used up end the try before more is done', async () => {
    const service = fakeService(READ);
    const one = asked({ agent: { ...analyst, limits: { turns: 3 } } });
    await expect(run(modelAdapter(service), one)).rejects.toMatchObject({ code: 'agent.turns-used-up', details: { turns: 3 } });
    expect(service.requests).toHaveLength(3);
    expect(one.made).toHaveLength(2);
  });

  test('are 50 if nobody says', async () => {
    const service = fakeService(READ);
    await expect(run(modelAdapter(service), asked({ agent: analyst }))).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    expect(service.requests).toHaveLength(50);
  });

  test('of all requests of the try count, and none of the tries before it', async () => {
    const before = [{ role: 'user', text: 'another step' } as const, ...Array(9).fill({ role: 'assistant', text: 'old' })];
    const service = fakeService(READ);
    const transcript = [
      ...before,
      { role: 'user', text: 'task' } as const,
      { role: 'assistant', text: 'bad' } as const,
      { role: 'user', text: 'repair' } as const,
    ];
    const one = asked({ agent: { ...analyst, limits: { turns: 3 } }, ask: 2, transcript });
    await expect(run(modelAdapter(service), one)).rejects.toMatchObject({ code: 'agent.turns-used-up' });
    expect(service.requests).toHaveLength(2);
  });

  test('that broke off do not count', async () => {
    const service = fakeService({ text: '42' });
    const transcript = [
      { role: 'user', text: 'task' } as const,
      { role: 'assistant', text: '', stop: 'broken', usage: used(1, 1) } as const,
    ];
    await run(modelAdapter(service), asked({ agent: { ...analyst, limits: { turns: 1 } }, transcript }));
    expect(service.requests[0]?.turns).toEqual([{ role: 'user', text: 'task' }]);
  });
});

describe('what a reply may use', () => {
  test.each([
    ['what the agent says', { replyTokens: 500 }, 500],
    ['a default, with thinking on top', { thinkingTokens: 1000 }, REPLY_TOKENS + 1000],
  ])('is %s', async (_what, limits, wanted) => {
    const service = fakeService({ text: '42' });
    await run(modelAdapter(service), asked({ agent: { ...analyst, limits } }));
    expect(service.requests[0]?.maxTokens).toBe(wanted);
  });

  test('is not asked of the service if it is not left', async () => {
    const service = fakeService({ text: '42' });
    const held = new Error('held');
    await expect(run(modelAdapter(service), asked({ reserve: () => Promise.reject(held) }))).rejects.toBe(held);
    expect(service.requests).toHaveLength(0);
  });
});

test('a reply that broke off is recorded with what it cost, and then its cause is what fails', async () => {
  const cause = new ThermidorFailure('model.api-error', 'cut');
  const one = asked();
  await expect(run(modelAdapter(fakeService(new BrokenReply(used(7, 3), 'ha', cause))), one)).rejects.toBe(cause);
  expect(one.transcript.at(-1)).toEqual({
    role: 'assistant',
    text: '',
    stop: 'broken',
    model: one.request.agent.model,
    usage: { ...used(7, 3), inPart: true },
  });
});

test('if a broken reply does not say what it cost, it is recorded without, by the model that was asked', async () => {
  const one = asked();
  const broken = new BrokenReply(undefined, '', new ThermidorFailure('model.api-error', 'cut'));
  await expect(run(modelAdapter(fakeService(broken)), one)).rejects.toMatchObject({ code: 'model.api-error' });
  expect(one.transcript.slice(1)).toEqual([{ role: 'assistant', text: '', stop: 'broken', model: one.request.agent.model }]);
});

test('calls that a service numbers again in each reply get ids of their own', async () => {
  const one = asked();
  await run(modelAdapter(fakeService(READ, READ, { calls: [...READ.calls, { id: '', tool: 'x', args: {} }] }, { text: '42' })), one);
  expect(one.made.map(({ id }) => id)).toEqual(['c', 'c-2', 'c-3', 'call']);
});

test('a call of a tool that is not there goes to the runner, which tells the agent', async () => {
  const service = fakeService({ calls: [{ id: 'c', tool: 'rm', args: {} }] }, { text: '42' });
  await run(modelAdapter(service), asked({ answer: () => ({ text: 'there is no tool "rm"', refused: true }) }));
  expect(service.requests[1]?.turns.at(-1)).toMatchObject({ role: 'tool', text: 'there is no tool "rm"', refused: true });
});

test('what a tool’s call rejects with ends the request', async () => {
  const held = new Error('held');
  const one = asked();
  const tools = { specs: [], call: () => Promise.reject(held) };
  await expect(run(modelAdapter(fakeService(READ)), { ...one, request: { ...one.request, tools } })).rejects.toBe(held);
});

test('an agent without a model cannot be asked, and the message says where one is named', async () => {
  const service = fakeService({ text: '42' });
  const error = await run(modelAdapter(service), asked({ agent: { id: 'a', role: 'r' } })).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'model.bad-request', message: expect.stringContaining('thermidor.yaml'), details: { agent: 'a' } });
  expect(service.requests).toEqual([]);
});

describe('condensing', () => {
  const CALL = { id: 'c', tool: 'read_file', args: { path: 'a' } };
  const LONG = 'x'.repeat(40_000);
  const grown: Turn[] = [
    { role: 'user', text: 'the task' },
    { role: 'assistant', text: 'I read.', ...READ },
    { role: 'tool', text: LONG, call: CALL },
  ];

  test('halves what it tells until it fits, and charges for what was paid on the way', async () => {
    const service = fakeService(
      { stop: 'overflow', usage: used(0, 0) },
      { stop: 'overflow', usage: used(50, 0) },
      { stop: 'overflow', usage: used(0, 0) },
      { text: 'a summary' },
      { text: '42' },
    );
    const one = asked({ transcript: grown });
    await run(modelAdapter(service), one);
    const told = service.requests.slice(1, 4).map(({ turns }) => turns[0]?.text.length ?? 0);
    expect(told[1]).toBeLessThan(told[0]! * 0.6);
    expect(told[2]).toBeLessThan(told[1]! * 0.6);
    expect(service.requests[3]).toMatchObject({ tools: [], maxTokens: SUMMARY_TOKENS });
    expect(service.requests[3]).not.toHaveProperty('schema');
    expect(one.transcript.slice(3).map(({ stop }) => stop)).toEqual(['broken', 'condensed', undefined]);
  });

  test('gives up if not even the least fits', async () => {
    const service = fakeService({ stop: 'overflow', usage: used(0, 0) });
    await expect(run(modelAdapter(service), asked({ transcript: grown }))).rejects.toMatchObject({ code: 'model.context-length' });
    expect(service.requests.at(-1)?.turns[0]?.text.length).toBeLessThan(2 * LEAST_CHARACTERS);
  });

  test('goes on from the summary if the host died after it, and pays for none again', async () => {
    const service = fakeService({ stop: 'overflow', usage: used(0, 0) }, { text: 'a summary' }, { text: '42' });
    const one = asked({ transcript: grown });
    await run(modelAdapter(service), one, { dieAt: 4 });
    await run(modelAdapter(service), one);
    expect(service.requests).toHaveLength(3);
    expect(service.requests[2]?.turns[0]?.text).toContain('a summary');
  });

  test('happens again when the context has grown again', async () => {
    const overflow = { stop: 'overflow', usage: used(0, 0) } as const;
    const service = fakeService(overflow, { text: 'first' }, READ, overflow, { text: 'second' }, { text: '42' });
    const one = asked({ transcript: grown });
    await run(modelAdapter(service), one);
    expect(service.requests[4]?.turns[0]?.text).toContain('first');
    expect(service.requests[5]?.turns[0]?.text).toContain('second');
    expect(service.requests[5]?.turns[0]?.text).toContain('<identity>');
  });

  test('is refused if the model refuses to summarise', async () => {
    const service = fakeService({ stop: 'overflow', usage: used(0, 0) }, { text: 'no', stop: 'refused' });
    await expect(run(modelAdapter(service), asked({ transcript: grown }))).rejects.toMatchObject({ code: 'model.refused' });
  });

  test('charges for a summary that says nothing, and fails', async () => {
    const service = fakeService({ stop: 'overflow', usage: used(0, 0) }, { text: ' ' });
    const one = asked({ transcript: grown });
    await expect(run(modelAdapter(service), one)).rejects.toMatchObject({ code: 'model.api-error' });
    expect(one.transcript.at(-1)).toMatchObject({ stop: 'broken', usage: used(100, 10) });
  });
});
