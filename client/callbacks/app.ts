import { type Context, Hono } from 'hono';
import { CHAT_NAMES, CHATS, type Chat } from '../../plan/people/chats';
import { ThermidorFailure } from '../../plan/run/failure';
import { FORM_KIND, JSON_KIND } from '../hooks/read-delivery';
import { takeDelivery } from '../hooks/take-delivery';
import { BodyRoom } from './body-room';
import type { CallbackContext } from './callback-context';
import type { CallbackWays, ChatCallback, ChatReply } from './chat-callback';
import { askingOrigin, CODEC_LIMIT_BYTES, coded, provenAsker } from './codec';
import { messagePage, PAGE_POLICY } from './gate-page';
import { giveTask } from './give-task';
import { answerLink, showGate, showWhole } from './link';
import { CallbackRefused, type RefusalStatus } from './refusal';
import { type RequestFacts, recordRefusal } from './refusal-record';
import { kindOf, limitedTo, ofKind, opened, read, type Step, uncoded, type Way } from './request-steps';

/** Far more than any answer needs. */
const BODY_LIMIT_BYTES = 64 * 1024;
/** What a service says of an event may be long. */
const DELIVERY_LIMIT_BYTES = 1024 * 1024;
const RETRY_S = 10;
/** The outcome of a choice, if a chat expects a fixed HTTP status. */
const STATUS_HEADER = 'thermidor-status';

/**
 * The addresses that answers come to: one by the name of each chat, `/webhook`, `/team/NAME` for tasks, `/hooks/PATH` for what starts
 * runs, `/g/KEY` with `/g/KEY/shown`, and `/healthz`; and `/codec/encode` and `/codec/decode` for Temporal's UI and command line.
 *
 * Invariants: 1. a request is small and complete before any of it is read; 2. an unproven sender shares the rate of its address, a proven
 * one has its own; 3. every refusal is recorded; 4. an internal error is reported as 500 or 503 without its reason.
 */
export function callbackApp(context: CallbackContext, ways: CallbackWays): Hono<Way> {
  const app = new Hono<Way>();
  const shared = sharedWith(context);
  app.use('*', async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  });
  app.get('/healthz', (c) => c.json({ ok: true }));

  for (const chat of CHAT_NAMES) {
    const callback = ways.chats[chat];
    app.post(`/${chat}`, opened(chat), limited, ofKind(callback.contentType), read, async (c) => {
      const { body, status } = await answerChat(context, chat, callback, c.var, c.req.raw.headers);
      const headers = { [STATUS_HEADER]: String(status) };
      return body === undefined ? c.body(null, 200, headers) : c.json(body, 200, headers);
    });
  }
  app.post('/webhook', opened('webhook'), limited, ofKind('application/json'), read, async (c) =>
    c.json(await ways.webhook(context, c.var.about, c.var.body, c.req.raw.headers)),
  );
  app.post('/team/:team', opened('team'), limited, ofKind('application/json'), read, async (c) =>
    c.json(await giveTask(context, c.var.about, c.req.param('team') ?? '', c.var.body, c.req.raw.headers), 202),
  );
  const room = new BodyRoom();
  app.post('/hooks/:path', opened('hooks'), uncoded, ofKind(JSON_KIND, FORM_KIND), (c) =>
    room.with(c.req.raw, DELIVERY_LIMIT_BYTES, async (body) => {
      const delivery = { body, headers: c.req.raw.headers, kind: kindOf(c) };
      const reply = await takeDelivery(context, ways.chats, c.var.about, c.req.param('path') ?? '', delivery);
      return reply.body === undefined ? c.body(null) : c.json(reply.body);
    }),
  );
  app.get('/g/:key', opened('link'), async (c) => {
    context.limit.take(c.var.about.from);
    const { page, status } = await showGate(context, c.var.about, c.req.param('key') ?? '');
    return c.html(page, status);
  });
  app.get('/g/:key/shown', opened('link'), async (c) => {
    context.limit.take(c.var.about.from);
    return c.text(await showWhole(context, c.var.about, c.req.param('key') ?? ''));
  });
  app.post('/g/:key', opened('link'), limited, ofKind('application/x-www-form-urlencoded'), read, async (c) => {
    context.limit.take(c.var.about.from);
    const line = await answerLink(context, c.var.about, c.req.param('key') ?? '', c.var.body, c.req.raw.headers);
    return c.html(messagePage('Taken', line));
  });
  for (const way of ['encode', 'decode'] as const) {
    const path = `/codec/${way}`;
    app.options(path, opened('codec'), shared, (c) => c.body(null, 204));
    app.post(path, opened('codec'), shared, proven(context), limitedTo(CODEC_LIMIT_BYTES), ofKind('application/json'), read, async (c) =>
      c.json(await coded(context, way, c.var.body)),
    );
  }
  for (const [path, allow] of Object.entries(ALLOWED)) {
    app.all(path, opened(way(path)), (c) => {
      c.header('allow', allow);
      throw new CallbackRefused(405, `${path} takes ${allow}`);
    });
  }
  app.notFound((c) => c.json({ error: { status: 404, message: 'there is no such address' } }, 404));
  app.onError((error, c) => refuse(context, c, error));
  return app;
}

const ALLOWED = {
  ...Object.fromEntries(CHAT_NAMES.map((chat) => [`/${chat}`, 'POST'])),
  '/webhook': 'POST',
  '/team/:team': 'POST',
  '/hooks/:path': 'POST',
  '/g/:key': 'GET, POST',
  '/g/:key/shown': 'GET',
  '/healthz': 'GET',
  '/codec/encode': 'POST',
  '/codec/decode': 'POST',
} as const;

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

function way(path: string): string {
  const [, first = ''] = path.split('/');
  return first === 'g' ? 'link' : first;
}

const limited = limitedTo(BODY_LIMIT_BYTES);

/** Lets pages of the listed origins read the answer, and no others. */
function sharedWith(context: CallbackContext): Step {
  return async (c, next) => {
    const origin = askingOrigin(context, c.req.raw.headers);
    if (origin !== undefined)
      for (const [name, value] of Object.entries({ ...SHARED, 'access-control-allow-origin': origin })) c.header(name, value);
    await next();
    return undefined;
  };
}

const SHARED = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, x-namespace',
  'access-control-allow-credentials': 'true',
  vary: 'origin',
};

/** Nothing of the body is read for somebody who is not proven. */
function proven(context: CallbackContext): Step {
  return async (c, next) => {
    await provenAsker(context, c.var.about, c.req.raw.headers).catch((error: unknown) => {
      c.header('www-authenticate', 'Basic realm="thermidor", charset="UTF-8"');
      throw error;
    });
    await next();
    return undefined;
  };
}

function refuse(context: CallbackContext, c: Context<Way>, error: unknown): Response | Promise<Response> {
  const refusal = counted(context, c.var.about, error instanceof CallbackRefused ? error : undefined);
  if (refusal) {
    recordRefusal(context, c.var.about, refusal);
    return said(c, refusal.status, refusal.message, refusal.retryAfterS);
  }
  context.ports.warn(`an answer could not be taken: ${error instanceof Error ? error.message : String(error)}`);
  const passing = error instanceof ThermidorFailure;
  return said(c, passing ? 503 : 500, 'the answer could not be accepted; nothing was changed', passing ? RETRY_S : undefined);
}

/** Charges an unproven sender against the rate of their address; beyond it the answer says only that. */
function counted(context: CallbackContext, about: RequestFacts, refusal: CallbackRefused | undefined): CallbackRefused | undefined {
  const free = refusal === undefined || refusal.status === 429 || about.way === 'link' || about.from.startsWith(`${about.way}:`);
  if (free) return refusal;
  try {
    context.limit.take(about.from);
    return refusal;
  } catch (over) {
    return over instanceof CallbackRefused ? over : refusal;
  }
}

function said(
  c: Context<Way>,
  status: RefusalStatus | 500,
  message: string,
  retryAfterS: number | undefined,
): Response | Promise<Response> {
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  // The rest of an unread body is not waited for.
  if (status === 413 || status === 408) c.header('connection', 'close');
  return c.var.about.way === 'link' ? c.html(messagePage('Not taken', message), status) : c.json({ error: { status, message } }, status);
}

/**
 * Takes a request of a chat. Invariant: nothing of it is believed before its signature is checked, over exactly the bytes that came.
 * Throws `CallbackRefused`.
 */
async function answerChat(
  context: CallbackContext,
  chat: Chat,
  { signatureIn, isSigned, answer }: ChatCallback,
  { about, body }: Way['Variables'],
  headers: Headers,
): Promise<ChatReply> {
  const { title, proof } = CHATS[chat];
  const key = context.settings.chats?.[chat];
  if (key === undefined) throw new CallbackRefused(404, `answers from ${title} are not accepted here: callbacks.${proof.key} is not set`);
  const { signature, timestamp } = signatureIn(headers);
  if (!isSigned(key, timestamp, body, signature)) throw new CallbackRefused(401, `the signature is not ${title}’s`);
  context.replays.checkTime(timestamp);
  return await answer(context, about, { body, signature });
}
