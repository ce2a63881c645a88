import { openCalls } from '../../records/transcripts/turn';
import { movedNote } from '../worktrees/moved-note';
import type { AgentSession, AttemptScope } from './agent-session';

/** Tells a working agent once that its worktree has moved, while none of its calls is open. */
export async function announceMove(scope: AttemptScope, { transcript, adapter }: AgentSession, ask: number): Promise<void> {
  const text = movedNote(scope.input.worktree);
  const turns = transcript.of(ask);
  if (text === undefined || !adapter.hearsMeanwhile || turns.length < 2 || turns.some((turn) => turn.meanwhile && turn.text === text))
    return;
  if (turns.at(-1)?.role !== 'tool' || openCalls(transcript.asAnswered()).length > 0) return;
  await transcript.add(ask, { role: 'user', text, meanwhile: true });
}
