import type { StepOutput } from '../../plan/steps/step-activity';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { type CheckedReply, type InvalidReply, missingFieldsOf, type Reply, repairPrompt } from './reply';

/** One try's conversation with an agent: the task, then what became of its children, then repairs while the reply is bad and some are left. */
export interface Conversation {
  /** How often a bad reply may be asked for again. */
  repairs: number;
  /** The reply to one request, recorded or asked for now. */
  reply(ask: number, prompt: string, effect?: () => Promise<ToolEffect>): Promise<Reply>;
  /** What is noted with a request for a repair. */
  repairing(refused: InvalidReply, raw: string): Promise<ToolEffect>;
  /** What an agent gets before its reply counts, if a request has left something open. Throws where that is not known yet. */
  news(ask: number): Promise<string | undefined>;
  check(reply: Reply): Promise<CheckedReply>;
}

export interface ConversationResult {
  reply: CheckedReply;
  /** The last reply as it came. */
  raw: string;
  repairs: NonNullable<StepOutput['repairs']>;
}

/**
 * Holds the conversation. Invariant: the same transcript leads to the same requests. So after a crash or a pause it continues where
 * it was.
 */
export async function converse(conversation: Conversation, task: string): Promise<ConversationResult> {
  const repairs: ConversationResult['repairs'] = [];
  let prompt = task;
  let effect: (() => Promise<ToolEffect>) | undefined;
  for (let ask = 1; ; ask++) {
    const said = await conversation.reply(ask, prompt, effect);
    effect = undefined;
    const news = await conversation.news(ask);
    if (news !== undefined) {
      prompt = news;
      continue;
    }
    const reply = await conversation.check(said);
    if (reply.kind === 'good' || repairs.length >= conversation.repairs) return { reply, raw: said.text, repairs };
    repairs.push({ missingFields: missingFieldsOf(reply) });
    effect = () => conversation.repairing(reply, said.text);
    prompt = repairPrompt(reply);
  }
}
