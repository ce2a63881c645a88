import { reportedSoFar } from '../../../plan/budgets/reported-usage';
import { tokensOf, type Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { type Turn, turnsOfRequest } from '../../../records/transcripts/turn';
import type { AgentRequest } from '../../agent-port';
import { aroundTokens, inputBound } from './input-token-bound';
import type { ReplySize } from './reply-budget';
import { BrokenReply, type ModelReply, type ModelRequest, type ModelService } from './service';

/**
 * One paid reply of a model: its size limit, the request, and the result. Every request that an agent's adapter makes of a service goes
 * through here.
 *
 * Invariants: 1. no request is made that could cost more than what is left: its reply is limited to that, and reserved; 2. the cost of a
 * broken-off reply is yielded before it fails; 3. a reply that the budget's limit has cut is yielded as its cost and requested again in
 * full; if not enough is left for that, the budget holds the step; 4. a reservation that was never used is given back.
 */
export type SendRequest = (parts: ReplyParts, size: ReplySize) => AsyncGenerator<Turn, ModelReply>;
export type ReplyParts = Pick<ModelRequest, 'system' | 'turns' | 'tools' | 'schema' | 'thinkingTokens'>;

/** @param overlong models whose replies have exceeded their limit; more are added */
export function requestSender(
  service: ModelService,
  request: AgentRequest,
  model: string,
  overlong: Set<string>,
  signal: AbortSignal,
): SendRequest {
  const { idempotencyKey, transcript, alive } = request;

  async function* once(parts: ReplyParts, maxTokens: number): AsyncGenerator<Turn, ModelReply> {
    // The same reply is asked for by the same key, the next by another.
    const key = `${idempotencyKey}/${transcript().length}`;
    let isHeld = false;
    const unlimited = () => {
      isHeld = true;
      request.unlimited?.();
      isHeld = false;
    };
    const own = { idempotencyKey: key, model, maxTokens, alive: () => alive?.(), unlimited };
    try {
      return await service.reply({ ...parts, ...own }, signal);
    } catch (error) {
      if (!(error instanceof BrokenReply)) {
        if (isHeld || (!signal.aborted && isUnpaid(error))) await request.unpaid?.();
        throw error;
      }
      // More has been used than was known by then.
      yield brokenTurn(model, error.usage && reportedSoFar(error.usage));
      throw error.cause;
    }
  }

  return async function* (parts, size) {
    for (;;) {
      if (overlong.has(model)) request.unlimited?.();
      const maxTokens = await roomFor(service, request, { parts, model, size }, signal);
      const reply = yield* once(parts, maxTokens);
      if ((reply.usage?.outputTokens ?? 0) > maxTokens) overlong.add(model);
      if (reply.stop === 'overflow' && !wasCharged(reply)) await request.unpaid?.();
      if (!isCutShort(reply, maxTokens, size)) return reply;
      yield { ...brokenTurn(reply.model, reply.usage), message: { cutAt: maxTokens } };
    }
  };
}

interface Asking {
  parts: ReplyParts;
  model: string;
  size: ReplySize;
}

/** Reserves the reply, and returns how long it may be. */
async function roomFor(service: ModelService, request: AgentRequest, { parts, model, size }: Asking, signal: AbortSignal): Promise<number> {
  const { transcript, earlier = 0, reserve } = request;
  const { wanted, least } = size;
  if (!reserve) return wanted;
  const turns = transcript();
  const own = new Set(turns.slice(earlier));
  const { countInput } = service;
  const counted = async (count: NonNullable<typeof countInput>) => {
    const tokens = await count({ ...parts, model }, signal);
    return tokens === undefined ? undefined : tokens + aroundTokens(parts);
  };
  return await reserve({
    ...{ input: inputBound(parts, (turn) => own.has(turn)), wanted, least: wasCutShort(turns) ? wanted : least },
    ...(countInput ? { countInput: () => counted(countInput) } : {}),
  });
}

/**
 * Whether the budget's limit cut the reply, and not the agent's or the service's own. Complete calls are made, and the model says the rest
 * again.
 */
function isCutShort({ stop, calls, ownLimit }: ModelReply, maxTokens: number, { wanted }: ReplySize): boolean {
  return stop === 'cut' && calls.length === 0 && maxTokens < wanted && !ownLimit;
}

function wasCutShort(transcript: readonly Turn[]): boolean {
  const last = turnsOfRequest(transcript).findLast(({ role }) => role === 'assistant');
  return last?.stop === 'broken' && field(last.message, 'cutAt') !== undefined;
}

/** Whether nothing of it can have been paid for: it was refused with a status, or never sent. A lost connection may have been paid for. */
function isUnpaid(error: unknown): boolean {
  if (!(error instanceof ThermidorFailure)) return false;
  const { code, details } = error;
  return code !== 'model.api-error' || typeof field(details, 'status') === 'number' || field(details, 'unsent') === true;
}

/** Whether a useless reply cost something. One that never began has used nothing. */
export function wasCharged({ usage }: ModelReply): boolean {
  return usage !== undefined && tokensOf(usage) > 0;
}

export function brokenTurn(model: string, usage: Usage | undefined): Turn {
  return { role: 'assistant', text: '', stop: 'broken', model, ...defined({ usage }) };
}
