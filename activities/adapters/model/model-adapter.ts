import type { ToolCall } from '../../../plan/agents/tool';
import { defined, unlessEmpty } from '../../../plan/defined';
import { bug, ThermidorFailure } from '../../../plan/run/failure';
import { isReply, openCalls, type Turn, turnsOfRequest } from '../../../records/transcripts/turn';
import type { AgentAdapter, AgentRequest } from '../../agent-port';
import { LEAST_CHARACTERS, SUMMARY_TOKENS, shownLength, summaryRequest } from './condense';
import { canBeCondensed, contextWindowOf, summaryNote } from './context';
import { replySizeOf, requireTurn, shorterSize } from './reply-budget';
import { brokenTurn, requestSender, type SendRequest, wasCharged } from './send-request';
import type { ModelReply, ModelService } from './service';

export type ModelAdapterOptions = Pick<AgentAdapter, 'model'>;

/**
 * An agent of a service that answers with one reply at a time: asks, has its calls made, asks again, until it is answered. It decides what
 * to do next from the transcript alone, so a request that continues after a crash is the same loop.
 *
 * Invariants: 1. what the transcript has is never asked for again: no reply is paid for twice, nor any refusal; 2. calls of one reply are
 * made in order, each once, before the next reply; 3. no reply begins without a turn, tokens and money left (`send-request.ts`); 4. paid
 * usage is yielded, even if there was no result; 5. a context that does not fit is condensed, once for each time that it has grown.
 *
 * Fails with `model.*`, `secret.missing`, `output.too-large` of the service; `agent.turns-used-up`; `model.refused`, also when it continues
 * from a refusal; `model.context-length` if the task alone does not fit; `model.bad-request` if no model is named.
 */
export function modelAdapter(service: ModelService, options: ModelAdapterOptions = {}): AgentAdapter {
  const overlong = new Set<string>();
  return {
    name: service.name,
    limitsReplies: true,
    hearsMeanwhile: true,
    ...defined({ model: options.model }),
    async *run(request, signal) {
      const ask = requestSender(service, request, modelOf(service, request), overlong, signal);
      for (;;) {
        signal.throwIfAborted();
        if (isAnswered(request)) return;
        const open = openCalls(request.transcript());
        // A member goes on with what its last reply has called. An agent that may not reply any more would not see it.
        if (open.length === 0 || !request.identity) requireTurn(request);
        if (open.length > 0) await makeCalls(request, open);
        else yield* next(request, ask);
      }
    },
  };
}

function isAnswered({ agent, transcript }: AgentRequest): boolean {
  const last = turnsOfRequest(transcript()).findLast(({ role, stop }) => role === 'assistant' && stop !== 'broken');
  if (last?.stop !== 'refused') return last !== undefined && isReply(last);
  const said = last.text.trim().slice(0, 500);
  throw new ThermidorFailure('model.refused', `the model of agent "${agent.id}" refused${said === '' ? '' : `: ${said}`}`, {
    agent: agent.id,
  });
}

async function makeCalls({ tools, transcript }: AgentRequest, open: readonly ToolCall[]): Promise<void> {
  for (const call of open) {
    if (!tools) throw bug(`there are no tools to call "${call.tool}" with`);
    await tools.call(call);
  }
  if (openCalls(transcript()).length > 0) throw bug('the result of a call was not recorded');
}

/** One reply, or a summary in its place if the context does not fit. */
async function* next(request: AgentRequest, ask: SendRequest): AsyncGenerator<Turn> {
  const { transcript, agent, identity, system, schema, tools } = request;
  const turns = contextWindowOf(transcript(), agent, identity);
  const size = replySizeOf(agent);
  const thinkingTokens = agent.limits?.thinkingTokens;
  const parts = {
    ...{ system, turns, tools: tools?.specs ?? [] },
    ...defined({ schema, thinkingTokens }),
  };
  const reply = yield* ask(parts, size);
  if (reply.stop !== 'overflow') {
    yield turnOf(reply, transcript());
    return;
  }
  if (wasCharged(reply)) yield brokenTurn(reply.model, reply.usage);
  if (!canBeCondensed(transcript())) throw tooLong(request);
  for (let limit = Math.max(shownLength(turns), LEAST_CHARACTERS); ; limit = Math.floor(limit / 2)) {
    if (limit < LEAST_CHARACTERS) throw tooLong(request);
    const summary = yield* ask(summaryRequest(turns, limit), shorterSize(size, SUMMARY_TOKENS));
    if (summary.stop !== 'overflow' && (summary.stop === 'refused' || summary.text.trim() !== '')) {
      yield summaryTurn(summary, request);
      return;
    }
    if (wasCharged(summary)) yield brokenTurn(summary.model, summary.usage);
    if (summary.stop !== 'overflow')
      throw new ThermidorFailure('model.api-error', 'the model gave no summary of a context that is too long');
  }
}

function turnOf({ text, calls, usage, model, stop, message }: ModelReply, transcript: readonly Turn[]): Turn {
  const made = stop === 'refused' ? [] : withOwnIds(calls, transcript);
  return {
    ...{ role: 'assistant', text, model },
    ...defined({ usage, calls: unlessEmpty(made) }),
    // If a reply was cut after its last complete call, its calls are made; it repeats the rest.
    ...(stop === undefined || stop === 'overflow' || made.length > 0 ? {} : { stop }),
    ...defined({ message }),
  };
}

/** Some services number the calls of each reply again; results go by id over the whole context. */
function withOwnIds(calls: readonly ToolCall[], transcript: readonly Turn[]): ToolCall[] {
  const taken = new Set(transcript.flatMap(({ calls: made = [] }) => made.map(({ id }) => id)));
  return calls.map((call) => {
    const wanted = call.id === '' ? 'call' : call.id;
    let id = wanted;
    for (let n = 2; taken.has(id); n++) id = `${wanted}-${n}`;
    taken.add(id);
    return { ...call, id };
  });
}

function summaryTurn(reply: ModelReply, { ask, stepId }: AgentRequest): Turn {
  const { text, usage, model, stop } = reply;
  if (stop !== 'refused' && text.trim() === '')
    throw new ThermidorFailure('model.api-error', 'the model gave no summary of a long context');
  const given: Turn = { role: 'assistant', text, model, ...defined({ usage }) };
  return stop === 'refused' ? { ...given, stop } : { ...given, stop: 'condensed', message: summaryNote(ask, stepId) };
}

function modelOf({ name }: ModelService, { agent }: AgentRequest): string {
  if (agent.model !== undefined && agent.model !== '') return agent.model;
  throw new ThermidorFailure(
    'model.bad-request',
    `agent "${agent.id}" names no model; write \`model:\` in its file, or under adapters.${name} in thermidor.yaml`,
    { agent: agent.id, adapter: name },
  );
}

function tooLong({ agent }: AgentRequest): ThermidorFailure {
  return new ThermidorFailure(
    'model.context-length',
    `the input of agent "${agent.id}" does not fit into its model's context; give the step less input, or the agent a model with a larger context`,
    { agent: agent.id },
  );
}
