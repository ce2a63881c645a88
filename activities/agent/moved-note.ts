import { openCalls } from '../../records/transcripts/turn';
import type { AgentSession, AttemptScope } from './agent-session';

/**
 * An agent whose worktree had to be made again on another host, while it was at work: what it remembers of its files is not so any more. It learns
 * that once, where no call of its own is open.
 */
export function movedNote({ input: { worktree } }: Pick<AttemptScope, 'input'>): string | undefined {
  if (worktree?.movedFrom === undefined) return undefined;
  const what = `The machine that you worked on was lost. Your worktree was made again, on another one, at commit ${worktree.commit}`;
  return `${what}: changes that you had not committed before are lost. Look at the files before you go on.`;
}

export async function announceMove(scope: AttemptScope, { transcript, adapter }: AgentSession, ask: number): Promise<void> {
  const text = movedNote(scope);
  const turns = transcript.of(ask);
  if (text === undefined || !adapter.hearsMeanwhile || turns.length < 2 || turns.some((turn) => turn.meanwhile && turn.text === text))
    return;
  if (turns.at(-1)?.role !== 'tool' || openCalls(transcript.asAnswered()).length > 0) return;
  await transcript.add(ask, { role: 'user', text, meanwhile: true });
}
