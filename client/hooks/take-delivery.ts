import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionScope, evaluate, render, truthy } from '../../plan/expressions/evaluate';
import { checkArgs, namesSecret } from '../../plan/run/args';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JsonObject } from '../../plan/text/json';
import { plain, type Spelled, spelledObject } from '../../plan/text/spelled-json';
import type { CallbackContext } from '../callbacks/callback-context';
import type { CallbackWays, ChatReply } from '../callbacks/chat-callback';
import { CallbackRefused } from '../callbacks/refusal';
import type { RequestFacts } from '../callbacks/refusal-record';
import { ClientProblem } from '../client-problem';
import type { AppliedHook } from './applied-hook';
import { deliveryScope, filledIn } from './read-delivery';
import { type Delivery, type HookProof, proofOf } from './signature';

/** What an unknown path is checked with, so that it takes the time of a known one and has its answer. */
const NOBODYS = randomBytes(32).toString('hex');
const RETRY_S = 10;
const PAUSED_RETRY_S = 60;
/** Far below what the server takes for the input of a run. */
const ARGS_BYTES = 512 * 1024;
const DIGEST_DIGITS = 24;

/**
 * Starts a run for a delivery of somebody else's service.
 *
 * Invariants: 1. nothing of a delivery is believed before its signature is checked, and nothing of the answer to an unproven one says
 * whether its path exists; 2. deliveries with the same key are one run: its id is made from the web hook and the key, and it counts as
 * long as the server or the store knows it; 3. nothing is kept of a delivery before the server has the run, so that one which is cut short
 * anywhere may be sent again; 4. an arg names no secret unless the file does. Throws `CallbackRefused`.
 */
export async function takeDelivery(
  context: CallbackContext,
  chats: CallbackWays['chats'],
  about: RequestFacts,
  path: string,
  delivery: Delivery & { kind: string },
): Promise<ChatReply> {
  const { ports, replays, hookLimit } = context;
  const { hook, timestamp, id } = await proven(context, chats, path, delivery);
  const { trigger } = hook;
  about.from = `${about.way}:${path}`;
  if (timestamp !== undefined) replays.checkTime(timestamp, trigger.withinMs);
  const chat = trigger.signature in chats ? chats[trigger.signature as keyof typeof chats] : undefined;
  const challenged = chat?.challenge?.(delivery.body);
  if (challenged) return challenged;
  if (hook.paused) throw new CallbackRefused(503, 'this web hook is paused', PAUSED_RETRY_S);
  const scope = deliveryScope(delivery, delivery.kind);
  const { when } = trigger;
  const done = (outcome: JsonObject): ChatReply => ({ status: 200, ...(chat ? {} : { body: outcome }) });
  if (when && !evaluated('when', () => truthy(evaluate(when, scope)))) return done({ outcome: 'filtered' });
  hookLimit.take(hook.schedule, trigger.rate);
  const run = runOf(hook, keyOf(hook, id, delivery, scope));
  const order = { run, hook, args: argsOf(hook, scope) };
  try {
    const { again } = await context.turns.take(() => ports.startHooked(order));
    return done({ outcome: again ? 'again' : 'started', run });
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    ports.warn(`the web hook "${path}" could not start ${hook.pipeline}: ${error.message}`);
    throw new CallbackRefused(503, 'the run could not be started now: send this again later', RETRY_S);
  }
}

/** The web hook of the path, if the delivery is signed with its secret. */
async function proven(
  { ports, hookWarnings }: CallbackContext,
  chats: CallbackWays['chats'],
  path: string,
  delivery: Delivery,
): Promise<HookProof & { hook: AppliedHook }> {
  const hook = await found(ports, path);
  const secret = hook && (await secretOf(hook));
  const proof = proofOf(hook?.trigger.signature ?? 'github', secret ?? NOBODYS, delivery, chats);
  if (hook && proof.problem !== undefined) hookWarnings.add(`the web hook "${path}" takes nothing: ${proof.problem}`);
  if (!hook || secret === undefined || !proof.isSigned) throw new CallbackRefused(401, 'the signature does not fit');
  return { ...proof, hook };

  async function secretOf({ trigger }: AppliedHook): Promise<string | undefined> {
    try {
      return await ports.secret(trigger.secret);
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      hookWarnings.add(`the web hook "${path}" takes nothing: ${error.message}`);
      return undefined;
    }
  }
}

async function found({ hook }: CallbackContext['ports'], path: string): Promise<AppliedHook | undefined> {
  try {
    return await hook(path);
  } catch (error) {
    if (error instanceof ClientProblem) throw new CallbackRefused(503, 'nothing can be started now: send this again later', RETRY_S);
    throw error;
  }
}

function keyOf({ trigger }: AppliedHook, id: string | undefined, { body }: Delivery, scope: ExpressionScope): readonly string[] {
  const { key } = trigger;
  if (key === undefined) return id === undefined ? ['content', createHash('sha256').update(body).digest('hex')] : ['id', id];
  const text = evaluated('key', () => render(key, scope));
  if (text.trim() === '') throw new CallbackRefused(422, 'the key of this delivery is empty');
  return ['key', text];
}

function runOf({ schedule }: AppliedHook, key: readonly string[]): string {
  return `${schedule}-${createHash('sha256')
    .update(JSON.stringify([schedule, ...key]))
    .digest('hex')
    .slice(0, DIGEST_DIGITS)}`;
}

/** What a delivery leaves out has the default of its arg. */
function argsOf({ trigger, takes }: AppliedHook, scope: ExpressionScope): JsonObject {
  const given: [string, Spelled][] = [];
  for (const [name, template] of Object.entries(trigger.args ?? {})) {
    const value = evaluated(`args.${name}`, () => filledIn(template, scope));
    const isWritten = template.length === 1 && (typeof template[0] === 'string' || template[0]?.kind === 'literal');
    if (!isWritten && namesSecret(plain(value))) throw new CallbackRefused(422, `"${name}" names a secret, which a delivery cannot pass`);
    if (value !== null) given.push([name, value]);
  }
  const args = spelledObject(given);
  if (Buffer.byteLength(JSON.stringify(args)) > ARGS_BYTES) throw new CallbackRefused(422, `the args are larger than ${ARGS_BYTES} bytes`);
  const { problems } = checkArgs(takes, args);
  const said = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
  if (problems.length > 0) throw new CallbackRefused(422, `the args do not fit: ${said}`);
  return args;
}

function evaluated<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CallbackRefused(
      422,
      `"${what}" cannot be evaluated for this delivery: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
