import { setTimeout as sleep } from 'node:timers/promises';
import { ThermidorFailure } from '../../plan/failure';
import { replyFits, type ScriptedReply } from '../../plan/script';
import { unreachable } from '../../plan/unreachable';
import type { Usage } from '../../plan/usage';
import type { AgentAdapter, AgentRequest, Turn } from '../ports';

/**
 * Gives the replies of a run's script: the first entry of the step that fits round, try and request. It knows neither
 * clock nor network; the same request always gets the same reply. What it fails with, and whether that is retried, is the
 * script's choice; `script.no-reply` is not retried.
 */
export class ScriptedAdapter implements AgentAdapter {
  readonly name = 'scripted';

  async *run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn> {
    const entry = findReply(request);
    if (entry.afterMs) await sleep(entry.afterMs, undefined, { signal });
    const { reply } = entry;
    switch (reply.kind) {
      case 'json':
        yield turn(JSON.stringify(reply.value, null, 2), entry.usage);
        return;
      case 'text':
        yield turn(reply.text, entry.usage);
        return;
      case 'fail':
        throw new ThermidorFailure(reply.code, reply.message, null, reply.retryAfterMs);
      case 'hang':
        return await untilAborted(signal);
      default:
        return unreachable(reply);
    }
  }
}

function findReply({ script, stepId, address, ask, iterations = [] }: AgentRequest): ScriptedReply {
  const where = `step "${stepId}", round ${address.round}, try ${address.try}, request ${ask}`;
  if (!script) throw new ThermidorFailure('script.no-reply', `the run has no script, so there is no reply for ${where}`);
  const replies = Object.hasOwn(script.replies, stepId) ? script.replies[stepId] : undefined;
  const entry = replies?.find((reply) => replyFits(reply, { round: address.round, try: address.try, ask, iterations }));
  if (entry) return entry;
  throw new ThermidorFailure('script.no-reply', `script "${script.name}" has no reply for ${where}; add one under replies.${stepId}`, {
    script: script.name,
    step: stepId,
    round: address.round,
    try: address.try,
    ask,
  });
}

function turn(text: string, usage: Partial<Usage> | undefined): Turn {
  const said: Turn = { role: 'assistant', text };
  const nothing: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
  if (usage) said.usage = { ...nothing, ...usage };
  return said;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
