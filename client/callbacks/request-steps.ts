import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { senderAt } from './rate-limit';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';

/** What a request passes before it is taken: where it comes from, how large it is, what its body is. Each throws `CallbackRefused`. */

export interface Way {
  Variables: { about: RequestFacts; body: Buffer };
}

export type Step = (c: Context<Way>, next: () => Promise<void>) => Promise<Response | undefined>;

export function opened(name: string): Step {
  return async (c, next) => {
    c.set('about', { way: name, from: senderAt(getConnInfo(c).remote.address) });
    await next();
    return undefined;
  };
}

export function limitedTo(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new CallbackRefused(413, `the body is larger than ${maxSize} bytes`);
    },
  });
}

export function ofKind(...kinds: readonly string[]): Step {
  return async (c, next) => {
    if (!kinds.includes(kindOf(c))) throw new CallbackRefused(415, `the body must be ${kinds.join(' or ')}`);
    await next();
    return undefined;
  };
}

export function kindOf(c: Context<Way>): string {
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** A small body may unpack to a huge one, and signatures are over what came. */
export const uncoded: Step = async (c, next) => {
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') throw new CallbackRefused(415, 'the body must not be compressed');
  await next();
  return undefined;
};

/** The bytes as they came: signatures are over them. */
export const read: Step = async (c, next) => {
  c.set('body', await whole(c));
  await next();
  return undefined;
};

async function whole(c: Context<Way>): Promise<Buffer> {
  try {
    return Buffer.from(await c.req.arrayBuffer());
  } catch {
    throw new CallbackRefused(408, 'the body did not arrive completely');
  }
}
