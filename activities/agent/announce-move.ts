import { openCalls } from '../../records/transcripts/turn';
import { type AgentSession, type AttemptScope, withNote } from './agent-session';
import type { Transcript } from './transcript';

/** Tells a working agent once that its worktree or folder has moved, while none of its calls is open. */
export async function announceMove({ moved }: AttemptScope, { transcript, adapter }: AgentSession, ask: number): Promise<void> {
  const text = moved?.note;
  const turns = transcript.of(ask);
  if (text === undefined || turns.length < 2 || turns.some((turn) => turn.text.includes(text))) return;
  const isBetween = turns.at(-1)?.role === 'tool' && openCalls(transcript.asAnswered()).length === 0;
  // A program begins the request again, with the note in its prompt.
  if (adapter.ownTools || (adapter.hearsMeanwhile && isBetween)) await transcript.add(ask, { role: 'user', text, meanwhile: true });
}

/** The newest note that the agent must read and has not read. */
export function unheard({ moved }: Pick<AttemptScope, 'moved'>, transcript: Pick<Transcript, 'turns'>): string | undefined {
  const note = moved?.mustHear?.at(-1);
  return note === undefined || transcript.turns().some(({ text }) => text.includes(note)) ? undefined : note;
}

/** The task again with what its agent must read before the reply to a request counts; what the transcript has asked next stays. */
export function newsOfMove(scope: AttemptScope, { transcript }: AgentSession, ask: number, task: string): string | undefined {
  const [next] = transcript.of(ask + 1);
  const note = next ? scope.moved?.mustHear?.find((one) => next.text.includes(one)) : unheard(scope, transcript);
  return note === undefined ? undefined : withNote(task, note);
}
