import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, standIn } from '../../test/contract/harness/stand-in';
import type { AdapterUnderTest, Asked } from '../../test/contract/play';
import type { AgentAdapter } from '../../worker';
import type { House } from './house';

/** The other side of the example's adapters, for the contract: a server that plays the replies of a rule. */
export const houseUnderTest = (adapterFor: (house: House) => AgentAdapter): AdapterUnderTest => ({
  abilities: ['runner-tools', 'calls-at-once', 'turn-by-turn', 'limits', 'names-model', 'usage-by-reply', 'overload', 'bytes', 'context'],
  async make({ onAsked }) {
    const side = standIn();
    const server = createServer((request, response) => {
      serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    let open = 0;

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      open += 1;
      const gone = new AbortController();
      response.once('close', () => {
        open -= 1;
        gone.abort(new Error('the client has gone'));
      });
      const body = await bodyOf(request);
      onAsked();
      const answer = side.next(body.messages.filter(({ role }) => role === 'assistant').length, askedOf(body));
      if (answer.fault?.kind === 'silent') await side.hold(gone.signal);
      if (answer.fault?.kind === 'error') return void response.writeHead(500).end('the house is down');
      if (answer.fault?.kind === 'overloaded') return void response.writeHead(429, waitOf(answer.fault.retryAfterMs)).end('too many');
      side.count();
      response.writeHead(200, { 'content-type': 'application/json' }).end(replyOf(answer, body.model));
    }

    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return {
      adapter: adapterFor({ url: `http://127.0.0.1:${port}/reply`, key: 'house-key' }),
      ...side,
      asked: () => side.asked,
      async gone() {
        while (open > 0) await new Promise((look) => setTimeout(look, 1));
      },
      async close() {
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      },
    };
  },
});

interface Body {
  model: string;
  system: string;
  messages: { role: string }[];
  tools: object[];
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

/** `stable` is what must be the same in each request of a conversation. */
function askedOf({ model, system, messages, tools }: Body): Asked {
  return { stable: JSON.stringify({ system, tools }), messages: messages.map((message) => JSON.stringify(message)), model };
}

function waitOf(ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { 'retry-after': String(ms / 1000) };
}

/** `raw`: its text has bytes in it that are no UTF-8, in the place of `\u0000`. */
function replyOf({ reply }: Answer, asked: string): Buffer {
  const { text, calls = [], usage, model = asked, raw } = reply;
  const said = Buffer.from(JSON.stringify({ text: raw ? text.replaceAll('\u0000', '€') : text, calls, model, tokens: tokensOf(usage) }));
  const at = raw ? said.indexOf('€') : -1;
  if (at >= 0) said[at + 2] = 0x28;
  return said;
}

function tokensOf({ inputTokens, outputTokens }: Answer['reply']['usage']): object {
  return { read: inputTokens, written: outputTokens };
}
