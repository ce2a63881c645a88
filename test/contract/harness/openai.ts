import { modelAdapter } from '../../../activities/adapters/model/loop';
import { openAiService } from '../../../activities/adapters/openai/service';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { EndpointSpec } from '../../../plan/adapter';
import { piecesOf } from '../../support/completions-server/check-prefix';
import { fail, type Served, type ServedReply, webPage } from '../../support/completions-server/served';
import { type Received, startCompletionsServer } from '../../support/completions-server/server';
import type { AdapterUnderTest, Asked, Fault } from '../play';
import { type Answer, REPLY_BY_REPLY, standIn } from './stand-in';
import { until } from './until';

/** Chat completions, against a local server that speaks them over a real connection. It tells what was used at the end of a reply. */
export const OPENAI: AdapterUnderTest = {
  abilities: [...REPLY_BY_REPLY, 'bytes', 'service'],
  async make({ onAsked, key }) {
    const side = standIn();
    /** Replies that were made to stand still. */
    let held = 0;
    let closed = false;
    const server = await startCompletionsServer(
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
    const spec: EndpointSpec = { kind: 'openai', baseUrl: server.url, key: `secret://env/${key.name}` };
    const secrets = new LocalSecrets(key.value === undefined ? {} : { [key.name]: key.value });
    return {
      adapter: modelAdapter(openAiService({ name: 'openai', spec, secrets })),
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

function isAside(received: Received): boolean {
  return !askedOf(received).stable.includes('# Role');
}

function askedOf({ body, idempotencyKey: key }: Received): Asked {
  const [tools, system, ...messages] = piecesOf(body);
  return { stable: `${system} ${tools}`, messages, model: String(body['model']), key };
}

function replyOf({ reply: { text, calls = [], usage, stop, raw, model } }: Answer): ServedReply {
  return {
    kind: 'reply',
    text: raw ? text.replaceAll('\u0000', 'é') : text,
    calls: calls.map(({ tool, args }) => ({ name: tool, args })),
    usage: { prompt: usage.inputTokens, completion: usage.outputTokens },
    ...(model === undefined ? {} : { model }),
    ...(stop === undefined ? {} : { finish: stop === 'cut' ? 'length' : 'content_filter' }),
    ...(raw ? { fault: { kind: 'invalid-utf8' } } : {}),
  };
}

/** Behind the first piece of the text. */
const WITHIN = 3;

function faultOf(fault: Fault, answer: Answer, key: string): Served {
  const reply = replyOf(answer);
  switch (fault.kind) {
    case 'silent':
      return reply;
    case 'stalled':
      return { ...reply, fault: { kind: 'hang', atPiece: WITHIN } };
    case 'error':
      return fail(500, 'the service failed');
    case 'overloaded':
      return fail(
        429,
        'too many',
        fault.retryAfterMs === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfterMs / 1000) } },
      );
    case 'lost':
      return { ...reply, fault: { kind: 'cut', atPiece: 1 } };
    case 'broken':
      return { ...reply, fault: { kind: 'cut', atPiece: WITHIN } };
    case 'garbled':
      return { ...reply, fault: { kind: 'malformed', atPiece: 2 } };
    case 'web-page':
      return webPage();
    case 'unauthorized':
      return fail(401, `Incorrect API key provided: ${key}`);
    case 'unknown-model':
      return fail(404, 'The model does not exist', { code: 'model_not_found' });
    case 'overflow':
      return fail(400, "This model's maximum context length is 4096 tokens", { code: 'context_length_exceeded' });
  }
}
