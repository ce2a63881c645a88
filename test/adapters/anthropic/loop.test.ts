import { field } from '../../../plan/text/json';
import { piecesOf } from '../../support/messages-server/pieces';
import { call, say } from '../../support/messages-server/served';
import { asked } from '../model/request';
import { run } from '../model/run';
import { closeServers, local } from './local';

/** The loop and the adapter together, with a server that checks the requests. */
afterEach(closeServers);

const READ = call(['read_file', { path: 'a' }]);

/** Nine replies that call a tool, and the answer. */
async function tenTurns() {
  return await local(({ turn }) => (turn < 10 ? call(['read_file', { path: `${turn}` }]) : say('42')));
}

test('makes the calls of one reply in order and asks again with all their results', async () => {
  const { server, adapter } = await local([call(['read_file', { path: 'a' }], ['read_file', { path: 'b' }]), say('42')]);
  const one = asked();
  await run(adapter, one);
  expect(one.made.map(({ args }) => args)).toEqual([{ path: 'a' }, { path: 'b' }]);
  expect(one.transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  expect(one.transcript.at(-1)).toMatchObject({ text: '42', model: 'claude-test', usage: { inputTokens: 10, costMicroUsd: null } });
  expect(server.requests).toHaveLength(2);
  expect(server.problems).toEqual([]);
});

test('goes on from six of ten replies with exactly four requests, each with the same beginning', async () => {
  const { server, adapter, another } = await tenTurns();
  const one = asked();
  await run(adapter, one, { dieAt: 12 });
  expect(one.transcript.filter(({ role }) => role === 'assistant')).toHaveLength(6);
  expect(server.requests).toHaveLength(6);
  await run(another(), one);
  expect(one.transcript.at(-1)).toMatchObject({ text: '42' });
  expect(server.requests).toHaveLength(10);
  expect(server.paid()).toBe(10);
  expect(server.problems).toEqual([]);
  const [sixth, last] = [server.requests[5], server.requests[9]].map((request) => piecesOf(request?.body ?? {}));
  expect(last?.slice(0, sixth?.length)).toEqual(sixth);
});

test('makes a call that has no result when it goes on, and does not ask for it again', async () => {
  const { server, adapter, another } = await local([call(['read_file', { path: 'a' }], ['read_file', { path: 'b' }]), say('42')]);
  const one = asked();
  await run(adapter, one, { dieAt: 2 });
  one.transcript.push({ role: 'tool', text: 'of a', call: one.transcript[1]!.calls![0]! });
  await run(another(), one);
  expect(one.made.map(({ args }) => args)).toEqual([{ path: 'b' }]);
  expect(server.requests).toHaveLength(2);
  expect(server.problems).toEqual([]);
});

test('asks nothing if the reply is recorded', async () => {
  const { server, adapter } = await local([say('unwanted')]);
  await run(
    adapter,
    asked({
      transcript: [
        { role: 'user', text: 'q' },
        { role: 'assistant', text: '42' },
      ],
    }),
  );
  expect(server.requests).toHaveLength(0);
});

test('a repair begins as the request that it repairs', async () => {
  const { server, adapter } = await local([READ, say('forty-two'), say('42')]);
  const one = asked();
  await run(adapter, one);
  one.transcript.push({ role: 'user', text: 'Your reply cannot be used.' });
  await run(adapter, { ...one, request: { ...one.request, ask: 2, idempotencyKey: 'daily/run-1/price#1~1/2' } });
  const [, second, third] = server.requests.map(({ body }) => piecesOf(body));
  expect(third?.slice(0, second?.length)).toEqual(second);
  expect(server.requests).toHaveLength(3);
  expect(server.problems).toEqual([]);
});

test('the same reply is asked for by the same key, the next by another', async () => {
  const { server, adapter, another } = await local([READ, say('42')]);
  const one = asked();
  await run(adapter, one, { dieAt: 2 });
  await run(another(), asked());
  const keys = server.requests.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys[1]).toBe(keys[0]);
  await run(adapter, one);
  expect(server.requests.at(-1)?.idempotencyKey).not.toBe(keys[0]);
});

describe('a reply that stops', () => {
  test('at its limit is cut, and ends the request', async () => {
    const { server, adapter } = await local([say('{"price": 4', { stop: 'max_tokens' })]);
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.at(-1)).toMatchObject({ text: '{"price": 4', stop: 'cut' });
    expect(server.requests).toHaveLength(1);
  });

  test('at its limit in the middle of a call makes the calls before that, and not this one', async () => {
    const { adapter, server } = await local([
      { ...call(['read_file', { path: 'a' }], ['read_file', '{"path": "b']), stop: 'max_tokens' },
      say('42'),
    ]);
    const one = asked();
    await run(adapter, one);
    expect(one.made.map(({ args }) => args)).toEqual([{ path: 'a' }]);
    expect(server.problems).toEqual([]);
  });

  test('by a refusal fails with model.refused, and again without another request', async () => {
    const { server, adapter, another } = await local([say('I would rather not.', { stop: 'refusal' })]);
    const one = asked();
    await expect(run(adapter, one)).rejects.toMatchObject({ code: 'model.refused', message: expect.stringContaining('rather not') });
    expect(one.transcript.at(-1)).toMatchObject({ stop: 'refused', usage: { inputTokens: 10 } });
    await expect(run(another(), one)).rejects.toMatchObject({ code: 'model.refused' });
    expect(server.requests).toHaveLength(1);
  });

  test('by a refusal in no words of its own is reported by the service’s', async () => {
    const { adapter } = await local([{ kind: 'reply', content: [], stop: 'refusal', explanation: 'It may do harm.' }]);
    await expect(run(adapter, asked())).rejects.toMatchObject({
      code: 'model.refused',
      message: expect.stringContaining('It may do harm.'),
    });
  });

  test('in a pause goes on where it was', async () => {
    const { server, adapter } = await local([say('First half. ', { stop: 'pause_turn' }), say('Second half.')]);
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.slice(1)).toMatchObject([{ text: 'First half. ', stop: 'goes-on' }, { text: 'Second half.' }]);
    expect(field(server.requests[1]?.body, 'messages')).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'First half.' }] },
    ]);
    expect(server.problems).toEqual([]);
  });

  test.each(['end_turn', 'stop_sequence'])('by %s is whole', async (stop) => {
    const { adapter } = await local([say('42', { stop })]);
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.at(-1)).not.toHaveProperty('stop');
  });

  test('for a reason that nobody knows fails, named and charged', async () => {
    const { adapter } = await local([say('42', { stop: 'tired' })]);
    const one = asked();
    await expect(run(adapter, one)).rejects.toMatchObject({ code: 'model.api-error', message: expect.stringContaining('tired') });
    expect(one.transcript.at(-1)).toMatchObject({ stop: 'broken', text: '', usage: { inputTokens: 10 } });
  });
});

test('arguments that are not JSON come to the tool as they are, and go back in an object', async () => {
  const { server, adapter } = await local([call(['read_file', '{"path": ']), say('42')]);
  const one = asked({ answer: () => ({ text: 'wrong arguments', refused: true }) });
  await run(adapter, one);
  expect(one.made).toMatchObject([{ tool: 'read_file', args: '{"path": ' }]);
  expect(field(server.requests[1]?.body, 'messages')).toMatchObject([
    {},
    { content: [{ input: { malformed: '{"path": ' } }] },
    { content: [{ type: 'tool_result', is_error: true }] },
  ]);
  expect(server.problems).toEqual([]);
});

describe('a context that does not fit', () => {
  const TOO_LONG = { kind: 'error', status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' } as const;
  const isSummary = (said: string) => said.includes('<conversation>');

  test('is condensed, keeps who the agent is and its task, and goes on', async () => {
    const { server, adapter } = await local(({ said, turn, number }) => {
      if (isSummary(said)) return say('The file a says 41.');
      if (number === 1) return READ;
      return number === 2 ? TOO_LONG : turn === 2 ? READ : say('42');
    });
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.map(({ role, stop }) => stop ?? role)).toEqual([
      'user',
      'assistant',
      'tool',
      'condensed',
      'assistant',
      'tool',
      'assistant',
    ]);
    const summary = server.requests[2]?.body;
    expect(summary).not.toHaveProperty('tools');
    const [opening, acknowledged, goOn] = [field(server.requests.at(-1)?.body, 'messages') ?? []].flat();
    expect(JSON.stringify(opening)).toMatch(/<identity>.*name: analyst.*step: price.*What is the price\?.*The file a says 41\./);
    expect([acknowledged, goOn]).toMatchObject([{ role: 'assistant' }, { role: 'user' }]);
    expect(server.problems).toEqual([]);
  });

  test('whose task alone is too long fails with model.context-length, unpaid', async () => {
    const { server, adapter } = await local([TOO_LONG]);
    await expect(run(adapter, asked())).rejects.toMatchObject({ code: 'model.context-length' });
    expect(server.requests).toHaveLength(1);
    expect(server.paid()).toBe(0);
  });

  test('that is too long straight after it was condensed fails with model.context-length', async () => {
    const { adapter } = await local(({ said, number }) => (isSummary(said) ? say('a summary') : number === 1 ? READ : TOO_LONG));
    await expect(run(adapter, asked())).rejects.toMatchObject({ code: 'model.context-length' });
  });

  test('and fills up while the model answers is charged for, then condensed', async () => {
    const { adapter } = await local(({ said, number }) => {
      if (isSummary(said)) return say('a summary');
      return number === 1 ? READ : number === 2 ? say('half an', { stop: 'model_context_window_exceeded' }) : say('42');
    });
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.map(({ role, stop }) => stop ?? role)).toEqual(['user', 'assistant', 'tool', 'broken', 'condensed', 'assistant']);
  });

  test.each([413])('is what status %s means', async (status) => {
    const { adapter } = await local([{ kind: 'error', status, body: '<html>Request Entity Too Large</html>' }]);
    await expect(run(adapter, asked())).rejects.toMatchObject({ code: 'model.context-length' });
  });
});
