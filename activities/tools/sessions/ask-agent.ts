import { payloadRef } from '../../../plan/agents/envelope';
import { spawnKey } from '../../../plan/agents/script';
import { DEFAULT_REPAIRS } from '../../../plan/budgets/request-limits';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { ArtifactRef, Sha256 } from '../../../plan/run/artifact';
import { FAILURES, type FailureCode, ThermidorFailure } from '../../../plan/run/failure';
import type { HandedEvent, JournalEvent } from '../../../plan/run/journal';
import { shortAddress } from '../../../plan/steps/address';
import { field, type Json } from '../../../plan/text/json';
import type { ToolEffect } from '../../../records/transcripts/transcript-log';
import { adapterFor, loadAgent } from '../../agent/agent-adapter';
import { AgentPaused } from '../../agent/agent-paused';
import type { AgentSession, AttemptScope } from '../../agent/agent-session';
import { type ConversationResult, converse } from '../../agent/conversation';
import { eventBehind, messageEvent } from '../../agent/journal-events';
import { answerForm, answerInWords } from '../../agent/prompt/answer-form';
import { joinSections, renderRole, section } from '../../agent/prompt/prompt';
import { runFactsFor } from '../../agent/prompt/run-facts';
import { describeInvalid } from '../../agent/reply';
import { watchSilence } from '../../agent/request-reply';
import { openTranscript, type Transcript } from '../../agent/transcript';
import { withDeadline } from '../../deadline';
import { withMcpTools } from '../mcp/with-mcp-tools';
import type { ToolAnswer } from '../tool';
import { earlierTurns, noteExchange } from './agent-exchanges';
import { type Message, shownMessage } from './message';

/** One turn of a conversation: asks the other agent and waits (docs/protocol.md, 4.2). */
export interface TalkTurn {
  agent: string;
  message: Message;
  /** Counts from 1. */
  turn: number;
  /** Absent: as long as the try has. */
  timeoutMs?: number;
  /** The schema of the answer; absent: the agent's own schema, or a report. */
  schema?: Sha256;
  /** The journal's signals for the question and the answer, in addition to the messages. */
  signals?: { asked: JournalEvent; answered(text: string | undefined, failure: string | undefined): JournalEvent };
  /** How many requests the talk had before, repairs among them. */
  asked: number;
}

/** The id of a talk: below that of who talks, so that its transcript is its own. */
export function talkId(id: string, agent: string): string {
  return `${id}/send-${agent}`;
}

/**
 * Asks within the asker's activity: the cost is charged to the same try. Recorded turns are not paid for again. The agent continues in its
 * session of this run. If it fails, does not answer in time or, after a repair, not in the requested form, that is no failure of the
 * caller: it gets the reason. Each message has an envelope, when it is sent.
 */
export async function askOtherAgent(scope: AttemptScope, from: AgentSession, asking: TalkTurn, outer: AbortSignal): Promise<ToolAnswer> {
  const { agent, message: question, turn, timeoutMs, asked, signals } = asking;
  const id = talkId(from.id, agent);
  const transcript = await talkTranscript(scope, id);
  const effect = (journal: HandedEvent[], ended: Pick<ToolEffect, 'failed'> = {}): ToolEffect => ({
    sentTo: agent,
    asked: Math.max(asked + 1, lastAsk(transcript)),
    journal,
    ...ended,
  });
  const answered = (payload: Json) =>
    messageEvent(scope, { from: agent, to: from.agent.id, intent: 'deliver_report', payload, expect_response: false });
  const name = `${scope.stepId}.send-${agent}-${turn}`;
  const asks = await put(scope, JSON.stringify(typeof question === 'string' ? { question } : question), `${name}.message.json`);
  const withSignal = (event: HandedEvent, signal: JournalEvent | undefined) => (signal ? [event, eventBehind(event, signal)] : [event]);
  const sent = () => {
    const said = { from: from.agent.id, to: agent, intent: 'collect_opinion', payload: payloadRef(asks), expect_response: true } as const;
    return withSignal(messageEvent(scope, said), signals?.asked);
  };
  const failed = (code: FailureCode, message: string, why = `could not answer: ${code}: ${message}`): ToolAnswer => {
    // If it was over before the question was recorded, both are delivered here.
    const first = lastAsk(transcript) > asked ? [] : sent();
    const text = `"${agent}" ${why}`;
    return {
      text,
      effect: effect([...first, ...withSignal(answered({ error: code, message: text }), signals?.answered(undefined, text))], {
        failed: { code, message },
      }),
    };
  };
  const late = new Late();
  const limit = { ms: timeoutMs, error: () => late, timer: scope.toolbox.timer };
  try {
    const { reply } = await withDeadline(outer, limit, (within) => converseInTalk(scope, from, asking, { transcript, sent, within }));
    if (reply.kind === 'bad') return failed(reply.code, describeInvalid(reply));
    const answer = await put(scope, reply.text, `${name}.reply.json`);
    const event = answered(payloadRef(answer));
    const step = shortAddress(scope.address);
    await transcript.requireOwn();
    await noteExchange(scope, agent, { talk: id, turn, from: from.agent.id, step, at: event.at ?? '', question: asks, answer });
    return { text: reply.text, effect: effect(withSignal(event, signals?.answered(reply.text, undefined))) };
  } catch (error) {
    if (error === late) {
      const why = `did not answer within ${(timeoutMs ?? 0) / 1000} s`;
      return failed('agent.timeout', `"${agent}" ${why}`, why);
    }
    outer.throwIfAborted();
    if (error instanceof AgentPaused || !(error instanceof ThermidorFailure) || FAILURES[error.code].retried === 'temporal') throw error;
    // It works in its caller's role, so this halts its caller, too.
    if (error.code === 'brief.out-of-scope') throw error;
    return failed(error.code, error.message);
  }
}

/** Asks, and asks once more if the answer is not in its form. */
async function converseInTalk(
  scope: AttemptScope,
  from: AgentSession,
  { agent, message: question, turn, schema, asked }: TalkTurn,
  { transcript, sent, within }: { transcript: Transcript; sent: () => HandedEvent[]; within: AbortSignal },
): Promise<ConversationResult> {
  const { toolbox, run } = scope;
  const { signs, signal } = watchSilence(toolbox, agent, within);
  const definition = await loadAgent(toolbox, run, agent);
  const form = await answerForm(toolbox.artifacts, definition, schema);
  const usual = await answerForm(toolbox.artifacts, definition, undefined);
  const own = new Set([talkId(from.id, agent), ...transcript.entries().map((entry) => entry.from)]);
  const before = await earlierTurns(scope, agent, own, transcript.effects().flatMap(({ journal = [] }) => journal)[0]?.at);
  const partner: AgentSession = {
    id: talkId(from.id, agent),
    agent: definition,
    system: renderRole(definition, section('Answer', answerInWords(usual.schema.value))),
    adapter: adapterFor(toolbox, run, definition),
    transcript,
    scriptKey: spawnKey(scope.stepId, agent),
    iterations: from.iterations,
    signs,
    schema: form.schema.value,
    ...defined({ before: unlessEmpty(before) }),
  };
  const special = form.schema.digest === usual.schema.digest ? '' : section('Answer', answerInWords(form.schema.value));
  const title = from.agent.title ?? from.agent.id;
  const opening = () =>
    joinSections([runFactsFor(run, scope.stepId), section(`A question from ${title}`, shownMessage(question)), special]);
  const opens = async (): Promise<ToolEffect> => {
    within.throwIfAborted();
    return { journal: sent() };
  };
  const parties = { agent, asker: from.agent.id, outputName: `${scope.stepId}.send-${agent}-${turn}.json` };
  const task = turn === 1 ? opening() : joinSections([shownMessage(question), special]);
  return await withMcpTools(scope, partner, signal, (session) =>
    converse(scope, session, { task, form, repairs: DEFAULT_REPAIRS, parties, after: asked, opens }, signal),
  );
}

async function put({ toolbox, secrets }: AttemptScope, text: string, name: string): Promise<ArtifactRef> {
  const mediaType = name.endsWith('.json') ? 'application/json' : 'text/plain';
  return await toolbox.artifacts.put(secrets.mask(text), { mediaType, name });
}

function lastAsk(transcript: Transcript): number {
  return transcript.entries().reduce((last, { ask }) => Math.max(last, ask), 0);
}

/** Opened once in a try: its content counts from then on. */
async function talkTranscript({ toolbox, call, secrets, transcripts, broken }: AttemptScope, id: string): Promise<Transcript> {
  const open = transcripts.get(id) ?? (await openTranscript(toolbox, { ...call, id }, secrets, broken && id.replace(call.id, broken)));
  transcripts.set(id, open);
  return open;
}

/** Conversations that the try had before: their cost counts from the start. */
export async function openTalks(scope: AttemptScope, transcript: Transcript, own: string): Promise<void> {
  for (const { tool, args } of transcript.turns().flatMap(({ calls = [] }) => calls)) {
    const agent = tool === 'sessions_send' ? field(args, 'agent') : tool === 'consult' ? await consultantFor(scope, own, args) : undefined;
    if (typeof agent === 'string') await talkTranscript(scope, talkId(scope.call.id, agent));
  }
}

async function consultantFor({ toolbox, run }: AttemptScope, own: string, args: Json): Promise<string | undefined> {
  const { consultants = {} } = await loadAgent(toolbox, run, own);
  const topic = field(args, 'topic');
  return typeof topic === 'string' && Object.hasOwn(consultants, topic) ? consultants[topic] : undefined;
}

class Late extends Error {
  override readonly name = 'Late';
}
