import { payloadRef } from '../../plan/agents/envelope';
import { clarifyingQuestion } from '../../plan/agents/reply-fault';
import type { StepOutput } from '../../plan/steps/step-activity';
import { asJson } from '../../records/stored-json';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { callsMade } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from './agent-session';
import { messageEvent } from './journal-events';
import { type CheckedReply, checkReply, type InvalidReply, missingFieldsOf, type Reply, type ReplyForm, repairPrompt } from './reply';
import { requestReply } from './request-reply';

/** One conversation with an agent: the task, then news of its children, then repairs while the reply is bad and some are left. */
export interface Conversation {
  /** The first prompt. */
  task: string;
  form: ReplyForm;
  /** How often a bad reply may be requested again. */
  repairs: number;
  /** Who asks whom, and for what output: for the note of a repair. */
  parties: RepairParties;
  /** Requests that the transcript had before this conversation. @default 0 */
  after?: number;
  /** What is recorded with the first request, once it is made. */
  opens?: () => Promise<ToolEffect>;
  /** What an agent learns before its reply counts, if a request has left something open. Throws if that is not known yet. */
  news?: (ask: number) => Promise<string | undefined>;
}

/** Who asks whom, and the name of the requested output. */
interface RepairParties {
  agent: string;
  asker: string;
  outputName: string;
}

export interface ConversationResult {
  reply: CheckedReply;
  /** The last reply as it came. */
  raw: string;
  repairs: NonNullable<StepOutput['repairs']>;
}

/**
 * Runs the conversation. Invariant: the same transcript leads to the same requests. So after a crash or a pause it continues where it was.
 */
export async function converse(
  scope: AttemptScope,
  session: AgentSession,
  { task, form, repairs: most, parties, after = 0, opens, news }: Conversation,
  signal: AbortSignal,
): Promise<ConversationResult> {
  const check = (reply: Reply) => checkReply(scope.toolbox, reply, { ...form, mayBeEmpty: callsMade(session.transcript.turns()) > 0 });
  const isWhole = async (reply: Reply) => (await check(reply)).kind === 'good';
  const repairs: ConversationResult['repairs'] = [];
  let prompt = task;
  let effect: (() => Promise<ToolEffect>) | undefined = opens;
  for (let ask = after + 1; ; ask++) {
    const said = await requestReply(scope, session, { ask, prompt, isWhole, effect }, signal);
    effect = undefined;
    const more = await news?.(ask);
    if (more !== undefined) {
      prompt = more;
      continue;
    }
    const reply = await check(said);
    if (reply.kind === 'good' || repairs.length >= most) return { reply, raw: said.text, repairs };
    repairs.push({ missingFields: missingFieldsOf(reply) });
    effect = () => repairNote(scope, parties, reply, said.text);
    prompt = repairPrompt(reply, form);
  }
}

/** An unusable reply is kept, and an envelope of its own asks about it (docs/protocol.md, 4.3). */
async function repairNote(
  scope: AttemptScope,
  { agent, asker, outputName }: RepairParties,
  refused: InvalidReply,
  raw: string,
): Promise<ToolEffect> {
  const text = scope.secrets.mask(raw);
  const previous = await scope.toolbox.artifacts.put(text, { mediaType: 'text/plain', name: `${outputName}.refused.txt` });
  const payload = asJson({
    previous_report: payloadRef(previous),
    missing_fields: missingFieldsOf(refused),
    faults: refused.faults,
    question: clarifyingQuestion(refused.faults),
  });
  return { journal: [messageEvent(scope, { from: asker, to: agent, intent: 'request_clarification', payload, expect_response: true })] };
}
