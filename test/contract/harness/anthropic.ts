import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import { modelAdapter } from '../../../activities/adapters/model/loop';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import { piecesOf } from '../../support/messages-server/check-prefix';
import { fail, type Served, type ServedReply } from '../../support/messages-server/served';
import { type Received, startMessagesServer } from '../../support/messages-server/server';
import type { AdapterUnderTest, Asked, Fault } from '../play';
import { type Answer, REPLY_BY_REPLY, standIn } from './stand-in';
import { until } from './until';

/** The Messages API, against a local server that speaks it over a real connection. */
export const ANTHROPIC: AdapterUnderTest = {
  abilities: [...REPLY_BY_REPLY, 'early-usage', 'bytes', 'service'],
  async make({ onAsked, key }) {
    const side = standIn();
    /** Replies that were made to stand still. */
    let held = 0;
    let closed = false;
    const server = await startMessagesServer(
      async (received) => {
        onAsked();
        const answer = side.next(isAside(received) ? 'aside' : received.turn - 1, askedOf(received));
        const { fault } = answer;
        if (fault?.kind === 'silent' || fault?.kind === 'stalled') held += 1;
        if (fault?.kind === 'silent') await side.hold();
        return fault ? faultOf(fault, answer, server.key) : replyOf(answer);
      },
      key.value === undefined ? {} : { key: key.value },
    );
    const spec = { kind: 'anthropic', baseUrl: server.url, key: `secret://env/${key.name}` } as const;
    const secrets = new LocalSecrets(key.value === undefined ? {} : { [key.name]: key.value });
    return {
      adapter: modelAdapter(createAnthropicService({ name: 'anthropic', spec, secrets })),
      ...side,
      asked: () => side.asked,
      paid: () => server.paid(),
      still() {
        const [holds, paid] = [held, server.paid()];
        return Promise.race([side.still(), until(() => closed || (held > holds && server.paid() > paid))]);
      },
      gone: () => until(() => server.open() === 0),
      async close() {
        closed = true;
        await server.close();
        expect(server.problems).toEqual([]);
      },
    };
  },
};

function isAside({ body }: Received): boolean {
  return !JSON.stringify(body['system'] ?? '').includes('# Role');
}

function askedOf({ body, idempotencyKey: key }: Received): Asked {
  const [tools, system, ...messages] = piecesOf(body);
  return { stable: `${system} ${tools}`, messages, model: String(body['model']), key };
}

function replyOf({ reply: { text, calls = [], usage, stop, raw, model } }: Answer): ServedReply {
  const said = raw ? text.replaceAll('\u0000', 'é') : text;
  return {
    kind: 'reply',
    content: [
      ...(said === '' ? [] : [{ type: 'text', text: said }]),
      ...calls.map(({ tool, args }) => ({ type: 'tool_use', name: tool, input: args })),
    ],
    usage: { input: usage.inputTokens, output: usage.outputTokens },
    ...(model === undefined ? {} : { model }),
    ...(stop === undefined ? {} : { stop: stop === 'cut' ? 'max_tokens' : 'refusal' }),
    ...(raw ? { fault: { kind: 'invalid-utf8' } } : {}),
  };
}

/** Behind the first piece of the text: `message_start`, `ping`, the block and its first piece come before. */
const WITHIN = 5;

function faultOf(fault: Fault, answer: Answer, key: string): Served {
  const reply = replyOf(answer);
  switch (fault.kind) {
    case 'silent':
      return reply;
    case 'stalled':
      return { ...reply, fault: { kind: 'hang', atEvent: WITHIN } };
    case 'error':
      return fail(500, 'the service failed');
    case 'overloaded':
      return fail(
        429,
        'too many',
        fault.retryAfterMs === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfterMs / 1000) } },
      );
    case 'lost':
      return { ...reply, fault: { kind: 'cut', atEvent: 1 } };
    case 'broken':
      // A pause between events lets each of them out before the connection is cut.
      return { ...reply, dripMs: 0, fault: { kind: 'cut', atEvent: WITHIN } };
    case 'garbled':
      return { ...reply, fault: { kind: 'malformed', atEvent: 3 } };
    case 'web-page':
      return { kind: 'error', status: 200, body: '<!doctype html><title>Welcome</title>' };
    case 'unauthorized':
      return fail(401, `invalid x-api-key: ${key}`);
    case 'unknown-model':
      return fail(404, 'model: not found');
    case 'overflow':
      return fail(400, 'prompt is too long: 200001 tokens > 200000 maximum');
  }
}
