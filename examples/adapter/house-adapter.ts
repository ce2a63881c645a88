import {
  type AgentAdapter,
  type AgentRequest,
  field,
  isReply,
  openCalls,
  requireTurn,
  ThermidorFailure,
  type ToolCall,
  type Turn,
  turnsOfRequest,
} from '../../worker';
import { askHouse, type House } from './house';

export function houseAdapter(house: House): AgentAdapter {
  return {
    name: 'house',
    limitsReplies: true,
    async *run(request, signal) {
      for (;;) {
        signal.throwIfAborted();
        // Whatever there is to know is in the transcript, so after a crash this is the same loop.
        if (turnsOfRequest(request.transcript()).some(isReply)) return;
        const open = openCalls(request.transcript());
        if (open.length > 0) await make(open, request);
        else yield await nextReply(house, request, signal);
      }
    },
  };
}

/** Each is recorded with its result: `transcript()` has both afterwards. What this rejects with is for the runner. */
async function make(calls: readonly ToolCall[], { tools }: AgentRequest): Promise<void> {
  if (!tools) throw new ThermidorFailure('internal', 'there are no tools to call');
  for (const call of calls) await tools.call(call);
}

async function nextReply(house: House, request: AgentRequest, signal: AbortSignal): Promise<Turn> {
  const { agent, system, tools, idempotencyKey, afford, reserve, unpaid } = request;
  if (agent.model === undefined) throw new ThermidorFailure('model.bad-request', `agent "${agent.id}" names no model`);
  requireTurn(request);
  // A budget with nothing left throws here, before anything is paid.
  afford?.({ inputTokens: 0, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null });
  // One that broke off only accounts for its cost.
  const turns = request.transcript().filter(({ stop }) => stop !== 'broken');
  const said = { model: agent.model, system, turns, tools: tools?.specs ?? [] };
  // Under a ceiling: how long the reply may be, so that whatever it reads, writes and costs is left. A token is at least a byte.
  const wanted = agent.limits?.replyTokens ?? 16_000;
  const input = Buffer.byteLength(JSON.stringify(said));
  const most = (await reserve?.({ input, wanted, least: Math.min(1024, wanted) })) ?? wanted;
  // The next reply is asked for by another key.
  const asked = { ...said, maxTokens: most, idempotencyKey: `${idempotencyKey}/${turns.length}` };
  const { text, calls, model, usage } = await askHouse(house, asked, signal).catch(async (error: unknown) => {
    // What was refused with a status cost nothing. What was lost on the way may have cost all that was reserved.
    if (error instanceof ThermidorFailure && field(error.details, 'status') !== undefined) await unpaid?.();
    throw error;
  });
  // Ids are unique in the whole conversation.
  const made = calls.map((call, i): ToolCall => ({ id: `call-${turns.length}-${i + 1}`, ...call }));
  return { role: 'assistant', text, model, ...(made.length > 0 ? { calls: made } : {}), ...(usage ? { usage } : {}) };
}
