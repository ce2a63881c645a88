import { addUsage, type Usage } from '../plan/usage';
import { unlessAborted } from './deadline';
import type { AgentAdapter, AgentRequest, Turn } from './ports';
import { type CheckedReply, repairPrompt } from './reply';
import type { Transcript } from './transcript';

/** One try's conversation with an agent: the task, then repairs while the reply is bad and some are left. */
export interface Conversation {
  adapter: AgentAdapter;
  transcript: Transcript;
  /** How often a bad reply may be asked for again. */
  repairs: number;
  request(ask: number, prompt: string): Omit<AgentRequest, 'transcript'>;
  check(reply: string): CheckedReply;
  onTurn(): void;
}

export interface ConversationResult {
  reply: CheckedReply;
  /** The last reply as it came. */
  raw: string;
  usage?: Usage;
  repairs: { missingFields: string[] }[];
}

/**
 * Holds the conversation. What the transcript has is used as it stands; only what is missing is asked for, so a retry after
 * a crash pays for nothing twice but the one request that was in flight.
 */
export async function converse(conversation: Conversation, task: string, signal: AbortSignal): Promise<ConversationResult> {
  const { transcript, check } = conversation;
  const repairs: { missingFields: string[] }[] = [];
  let prompt = task;
  for (let ask = 1; ; ask++) {
    const raw = await replyTo(conversation, ask, prompt, signal);
    const reply = check(raw);
    if (reply.kind === 'good' || ask > conversation.repairs) {
      const usage = transcript.turns().reduce<Usage | undefined>((sum, turn) => addUsage(sum, turn.usage), undefined);
      return { reply, raw, repairs, ...(usage ? { usage } : {}) };
    }
    repairs.push({ missingFields: reply.missingFields });
    prompt = repairPrompt(reply);
  }
}

/** The reply to one request: recorded, or asked for now. */
async function replyTo(
  { adapter, transcript, request, check, onTurn }: Conversation,
  ask: number,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const recorded = lastReply(transcript.of(ask));
  // A crash may have come between the reply and its end mark; a reply that is good as it stands needs no more turns.
  if (recorded !== undefined && (transcript.answered(ask) || check(recorded).kind === 'good')) return recorded;
  await transcript.request(ask, prompt);
  signal.throwIfAborted();
  const turns = adapter.run({ ...request(ask, prompt), transcript: transcript.turns() }, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(signal, turns.next());
      if (next.done) break;
      await transcript.add(ask, next.value);
      onTurn();
    }
  } catch (error) {
    // Not awaited: an adapter that hangs would hang here too.
    turns.return?.().catch(() => undefined);
    throw error;
  }
  await transcript.end(ask);
  return lastReply(transcript.of(ask)) ?? '';
}

function lastReply(turns: readonly Turn[]): string | undefined {
  return turns.findLast((turn) => turn.role === 'assistant')?.text;
}
