import type { EndpointOf } from '../../../activities/adapters/model/endpoint';
import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import type { ModelService } from '../../../activities/adapters/model/service';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { EndpointSpec } from '../../../plan/agents/adapter';
import { unreachable } from '../../../plan/unreachable';
import type { Dialect } from '../../support/model-server/dialect';
import type { Received } from '../../support/model-server/received';
import { fail, type ReplyBase, type Served, type ServedError, webPage } from '../../support/model-server/served';
import { type ModelServer, startModelServer } from '../../support/model-server/server';
import { until } from '../../support/until';
import type { Ability, AdapterUnderTest, Asked, Fault } from '../play';
import { type Answer, REPLY_BY_REPLY, standIn } from './stand-in';

/** The facts about a family of services that the contract does not know. */
export interface ServiceUnderTest<Reply extends ReplyBase> {
  kind: EndpointSpec['kind'];
  dialect: Dialect<Reply>;
  service(endpoint: EndpointOf): ModelService;
  /** Abilities in addition to those of all services. */
  abilities?: readonly Ability[];
  replyOf(answer: Answer['reply']): Reply;
  /** The frame after the first piece of the text. */
  within: number;
  /** Its messages about a key (the message has the key in it), about an unknown model, and about a context that is too long. */
  refusals: { key(key: string): ServedError; model: ServedError; length: ServedError };
}

/** A family of services, against a local server that speaks it over a real connection. */
export function serviceUnderTest<Reply extends ReplyBase>(under: ServiceUnderTest<Reply>): AdapterUnderTest {
  const { kind, dialect, service, abilities = [] } = under;
  return {
    abilities: [...REPLY_BY_REPLY, 'bytes', 'service', ...abilities],
    async make({ onAsked, key }) {
      const side = standIn();
      /** Replies that were made to wait, and the number of paid ones when the last of them began. */
      let [held, paidBefore] = [0, 0];
      let closed = false;
      const server: ModelServer = await startModelServer(
        dialect,
        async (received) => {
          onAsked();
          const asked = askedOf(received, dialect);
          const { reply, fault } = side.next(asked.stable.includes('# Role') ? received.turn - 1 : 'aside', asked);
          if (fault?.kind === 'silent' || fault?.kind === 'stalled') [held, paidBefore] = [held + 1, server.paid()];
          if (fault?.kind === 'silent') await side.hold();
          return fault ? faulty(fault, under.replyOf(reply), server.key, under) : under.replyOf(reply);
        },
        key.value === undefined ? {} : { key: key.value },
      );
      const spec: EndpointSpec = { kind, baseUrl: server.url, key: `secret://env/${key.name}` };
      const secrets = new LocalSecrets(key.value === undefined ? {} : { [key.name]: key.value });
      return {
        adapter: modelAdapter(service({ name: kind, spec, secrets })),
        ...side,
        asked: () => side.asked,
        paid: () => server.paid(),
        still() {
          const holds = held;
          return Promise.race([side.still(), until(() => closed || (held > holds && server.paid() > paidBefore))]);
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
}

function askedOf<Reply extends ReplyBase>({ body, idempotencyKey: key }: Received, { piecesOf }: Dialect<Reply>): Asked {
  const [tools, system, ...messages] = piecesOf(body);
  return { stable: `${system} ${tools}`, messages, model: String(body['model']), key };
}

function faulty<Reply extends ReplyBase>(
  fault: Fault,
  reply: Reply,
  key: string,
  { within, refusals }: ServiceUnderTest<Reply>,
): Served<Reply> {
  switch (fault.kind) {
    case 'silent':
      return reply;
    case 'stalled':
      return { ...reply, fault: { kind: 'hang', at: within } };
    case 'busy':
      throw new Error('no tools of a service are its own');
    case 'error':
      return fail(500, 'the service failed');
    case 'overloaded':
      return fail(
        429,
        'too many',
        fault.retryAfterMs === undefined ? {} : { headers: { 'retry-after': String(fault.retryAfterMs / 1000) } },
      );
    case 'lost':
      return { ...reply, fault: { kind: 'cut', at: 1 } };
    case 'broken':
      // A pause between frames lets each of them out before the connection is cut.
      return { ...reply, dripMs: 0, fault: { kind: 'cut', at: within } };
    case 'garbled':
      return { ...reply, fault: { kind: 'malformed', at: 1 } };
    case 'web-page':
      return webPage();
    case 'unauthorized':
      return refusals.key(key);
    case 'unknown-model':
      return refusals.model;
    case 'overflow':
      return refusals.length;
    default:
      return unreachable(fault);
  }
}

/** The text of a reply that shall not be UTF-8: the server spoils the first `é`. */
export function spoilable({ text, raw }: Answer['reply']): string {
  return raw ? text.replaceAll('\u0000', 'é') : text;
}
