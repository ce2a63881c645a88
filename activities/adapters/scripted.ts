import { setTimeout as sleep } from 'node:timers/promises';
import { replyFits, type ScriptedReply } from '../../plan/agents/script';
import type { ToolCall } from '../../plan/agents/tool';
import type { Usage } from '../../plan/budgets/usage';
import { defined } from '../../plan/defined';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';
import { isReply, type Turn, turnsOfRequest } from '../../records/transcripts/turn';
import type { AgentAdapter, AgentRequest } from '../agent-port';

/** How time passes for a script. */
export interface Pace {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Waits until the signal is aborted; rejects with its reason. */
  forever(signal: AbortSignal): Promise<never>;
}

const REAL_PACE: Pace = { sleep: (ms, signal) => sleep(ms, undefined, { signal }), forever: untilAborted };

/**
 * Gives the replies of a run's script: the first entry of the step that fits round, try, request and prompt, after the tool calls of that
 * entry. It knows neither clock nor network; the same request always gets the same reply. The script chooses its failures, and whether they
 * are retried; `script.no-reply` is not retried.
 *
 * Invariants: 1. a reply whose usage is not left is not given, and none of its tools is called; 2. what the transcript already has of the
 * request is not given again; 3. news of a child for which the script has no reply changes nothing.
 */
export class ScriptedAdapter implements AgentAdapter {
  readonly name = 'scripted';
  readonly affords = true;
  readonly limitsReplies = true;

  constructor(private readonly pace: Pace = REAL_PACE) {}

  async *run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn> {
    const said = turnsOfRequest(request.transcript());
    if (said.some(isReply)) return;
    const entry = fitting(request);
    if (!entry && request.isNews) {
      yield turn(lastSaid(request), undefined);
      return;
    }
    if (!entry) throw noReply(request);
    const usage = entry.usage && { ...NOTHING, ...entry.usage };
    if (usage) request.afford?.(usage);
    yield* this.calls(request, entry, said, signal);
    if (entry.afterMs) await this.pace.sleep(entry.afterMs, signal);
    // The usage of the calls is gone already.
    if (usage) request.afford?.(usage);
    const { reply } = entry;
    switch (reply.kind) {
      case 'json':
        yield turn(JSON.stringify(withImplied(reply.value, request), null, 2), usage);
        return;
      case 'text':
        yield { ...turn(reply.text, usage), ...defined({ stop: entry.cut && 'cut' }) };
        return;
      case 'fail':
        throw new ThermidorFailure(reply.code, reply.message, null, reply.retryAfterMs);
      case 'hang':
        return await this.pace.forever(signal);
      default:
        return unreachable(reply);
    }
  }

  /** Makes the script's calls that have no result yet, one after the other. */
  private async *calls(
    { tools }: AgentRequest,
    { calls = [] }: ScriptedReply,
    said: readonly Turn[],
    signal: AbortSignal,
  ): AsyncIterable<Turn> {
    for (const [i, { tool, args, afterMs, result }] of calls.entries()) {
      const call: ToolCall = { id: `call-${i + 1}`, tool, args };
      if (said.some((turn) => turn.call?.id === call.id)) continue;
      // A call that waited for a decision was made already: its time is over.
      const isMade = said.some(({ calls: made = [] }) => made.some(({ id }) => id === call.id));
      if (afterMs && !isMade) await this.pace.sleep(afterMs, signal);
      if (!tools) throw bug(`there are no tools to call "${tool}" with`);
      if (!isMade) yield { role: 'assistant', text: '', calls: [call] };
      await tools.call(call, result);
    }
  }
}

function fitting({ script, stepId, address, ask, iterations = [], prompt }: AgentRequest): ScriptedReply | undefined {
  const replies = script && Object.hasOwn(script.replies, stepId) ? script.replies[stepId] : undefined;
  const place = { round: address.round, try: address.try, ask, iterations };
  return replies?.find((reply) => replyFits(reply, place) && (reply.prompt ?? []).every((text) => prompt.includes(text)));
}

function withImplied(value: Json, { implied }: AgentRequest): Json {
  return implied && isJsonObject(value) ? { ...implied, ...value } : value;
}

/** A script need not reply to each result of its children: its last answer stays valid. */
function lastSaid({ transcript }: AgentRequest): string {
  return transcript().findLast(isReply)?.text ?? '';
}

function noReply({ script, stepId, address, ask, iterations = [] }: AgentRequest): ThermidorFailure {
  // Roles of a team are asked in turns, and a turn is an iteration.
  const within = iterations.length === 0 ? '' : `iteration ${iterations.length === 1 ? iterations[0] : `[${iterations.join(', ')}]`}, `;
  const where = `step "${stepId}", ${within}round ${address.round}, try ${address.try}, request ${ask}`;
  if (!script) return new ThermidorFailure('script.no-reply', `the run has no script, so there is no reply for ${where}`);
  return new ThermidorFailure('script.no-reply', `script "${script.name}" has no reply for ${where}; add one under replies.${stepId}`, {
    script: script.name,
    step: stepId,
    round: address.round,
    try: address.try,
    ask,
    ...(iterations.length > 0 ? { iteration: [...iterations] } : {}),
  });
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };

function turn(text: string, usage: Usage | undefined): Turn {
  return { role: 'assistant', text, ...defined({ usage }) };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
