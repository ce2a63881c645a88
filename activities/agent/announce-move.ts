import { openCalls, type Turn } from '../../records/transcripts/turn';
import { type AgentSession, type AttemptScope, noteOfMove } from './agent-session';

/** Tells a working agent once that its worktree or folder has moved, while none of its calls is open. */
export async function announceMove(scope: AttemptScope, { transcript, adapter }: AgentSession, ask: number): Promise<void> {
  const text = noteOfMove(scope);
  const turns = transcript.of(ask);
  const knows = ({ role, text: said }: Turn) => role === 'user' && text !== undefined && said.includes(text);
  if (text === undefined || !adapter.hearsMeanwhile || turns.length < 2 || turns.some(knows)) return;
  if (turns.at(-1)?.role !== 'tool' || openCalls(transcript.asAnswered()).length > 0) return;
  await transcript.add(ask, { role: 'user', text, meanwhile: true });
}
