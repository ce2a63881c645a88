import { defined } from '../../plan/defined';
import { openCalls } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { unreadMessages } from '../agent/member-messages';
import type { Transcript } from '../agent/transcript';
import { answer, type MemberBoard, type ToolAnswer } from './tool';

/**
 * The board of the member as which the agent works. What a call asks pauses the try, and the same call made again finds the run's answer in
 * the input: by its key, so that no other call takes it. A message has the key as its id: sent again after a crash, it is the same one.
 */
export function memberBoard(
  scope: AttemptScope,
  { agent, transcript }: AgentSession,
  key: string,
): (MemberBoard & { noted(said: ToolAnswer): ToolAnswer }) | undefined {
  const { input, member, pauses, toolbox } = scope;
  const { decisions = [] } = input;
  if (!member) return undefined;
  let read: string[] = [];
  return {
    me: member,
    async decide(request) {
      const found = decisions.find(({ id }) => id === key);
      if (!found) throw pauses.request({ kind: 'decision', asks: [{ id: key, agent: agent.id, request }] });
      return found;
    },
    send(message) {
      const at = new Date((toolbox.nowMs ?? Date.now)()).toISOString();
      const { type, to } = message;
      return {
        ...answer({ status: 'sent', type, ...defined({ to }) }),
        effect: { exchanged: { sent: { ...message, id: key, from: member.name, at } } },
      };
    },
    async inbox() {
      const messages = await unreadMessages(scope, transcript);
      read = messages.map(({ id }) => id);
      return messages;
    },
    noted(said) {
      if (read.length === 0) return said;
      return { ...said, effect: { ...said.effect, exchanged: { ...said.effect?.exchanged, read } } };
    },
  };
}

/**
 * Ends the try if its budget is used up, or if a call has ended the member's work: in the call's own try, and in each that begins after a
 * crash. Calls of the same reply are made before that, unless it has claimed a task that has a work of its own.
 */
export function pauseAtEndOfWork({ input, member, pauses }: AttemptScope, transcript: Transcript): void {
  if (member && input.spent) throw pauses.request({ kind: 'over', end: 'spent' });
  const end = member && transcript.effects().findLast(({ ends }) => ends)?.ends;
  if (!end || (end === 'idle' && openCalls(transcript.asAnswered()).length > 0)) return;
  throw pauses.request({ kind: 'over', end });
}
