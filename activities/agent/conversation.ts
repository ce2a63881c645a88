import { type CheckedReply, type Reply, repairPrompt } from './reply';

/** One try's conversation with an agent: the task, then what became of its children, then repairs while the reply is bad and some are left. */
export interface Conversation {
  /** How often a bad reply may be asked for again. */
  repairs: number;
  /** The reply to one request, recorded or asked for now. */
  reply(ask: number, prompt: string): Promise<Reply>;
  /** What an agent is told before its reply counts, where a request has left something open. Throws where that is not known yet. */
  news(ask: number): Promise<string | undefined>;
  check(reply: Reply): Promise<CheckedReply>;
}

export interface ConversationResult {
  reply: CheckedReply;
  /** The last reply as it came. */
  raw: string;
  repairs: { missingFields: string[] }[];
}

/**
 * Holds the conversation. Invariant: the same transcript leads to the same requests. So after a crash or a pause it goes on where
 * it was.
 */
export async function converse(conversation: Conversation, task: string): Promise<ConversationResult> {
  const repairs: { missingFields: string[] }[] = [];
  let prompt = task;
  for (let ask = 1; ; ask++) {
    const said = await conversation.reply(ask, prompt);
    const news = await conversation.news(ask);
    if (news !== undefined) {
      prompt = news;
      continue;
    }
    const reply = await conversation.check(said);
    if (reply.kind === 'good' || repairs.length >= conversation.repairs) return { reply, raw: said.text, repairs };
    repairs.push({ missingFields: reply.missingFields });
    prompt = repairPrompt(reply);
  }
}
