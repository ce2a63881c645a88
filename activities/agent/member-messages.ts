import type { ExchangedInput, ExchangedOutput, PostInput } from '../../plan/board/exchange';
import { pageOf } from '../../plan/board/exchange';
import type { BoardMessage } from '../../plan/board/message';
import { inboxText } from '../../plan/board/work-text';
import type { Ledger, RunKey } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import { readRecordedConversation } from '../../records/transcripts/recorded-conversation';
import type { AgentSession, AttemptScope } from './agent-session';
import type { Transcript } from './transcript';

/**
 * Messages of a member while it works (`plan/board/exchange.ts`).
 *
 * Invariants: 1. what is sent is recorded before the run gets it; 2. a message is read once in a conversation: its id is recorded with the
 * turn that shows it; 3. the log of an inbox may have a message twice, and counts it once.
 */

/** What one turn shows; the rest is there with the next. */
const SHOWN_CHARACTERS = 100_000;

export async function readExchanged(
  { ledger }: { ledger: Pick<Ledger, 'lines'> },
  key: RunKey,
  { call, after }: ExchangedInput,
): Promise<ExchangedOutput> {
  const others = (await readRecordedConversation(ledger, key, call)).exchanges().slice(after);
  const exchanges = pageOf(others);
  return { exchanges, ...(exchanges.length < others.length ? { more: true } : {}) };
}

export async function postLines({ ledger }: { ledger: Pick<Ledger, 'append'> }, key: RunKey, { log, lines }: PostInput): Promise<void> {
  await ledger.append(key, log, ...lines.map(asJson));
}

/** Must be called while none of the agent's calls is open. */
export async function announceMessages(scope: AttemptScope, { id, adapter, transcript }: AgentSession, ask: number): Promise<boolean> {
  if (!scope.input.member || id !== scope.call.id || !adapter.hearsMeanwhile) return false;
  const messages = await unreadMessages(scope, transcript);
  if (messages.length === 0) return false;
  const read = messages.map((message) => message.id);
  await transcript.add(ask, { role: 'user', text: inboxText(messages), meanwhile: true }, { exchanged: { read } });
  return true;
}

/** Messages that have come during this work and that the conversation does not have, with their whole texts. */
export async function unreadMessages({ input, toolbox, call }: AttemptScope, transcript: Transcript): Promise<BoardMessage[]> {
  const { member } = input;
  if (!member) return [];
  const known = new Set(transcript.exchanges().flatMap(({ read = [] }) => read));
  // The ledger is Thermidor's own: `postLines` wrote its content.
  const posted: unknown = await toolbox.ledger.lines(call.key, member.inbox);
  const unread = (posted as BoardMessage[]).filter(({ id }) => {
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
  const shown = pageOf(unread, SHOWN_CHARACTERS, ({ characters }) => characters);
  const whole = await Promise.all(
    shown.map(async (message) =>
      message.whole ? { ...message, content: (await toolbox.artifacts.get(message.whole)).toString('utf8') } : message,
    ),
  );
  // A thousand short ones are longer as JSON than what they say: a result that is cut would lose those at its end.
  return pageOf(whole, SHOWN_CHARACTERS);
}
