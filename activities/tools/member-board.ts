import { bug } from '../../plan/run/failure';
import { openCalls } from '../../records/transcripts/turn';
import type { AttemptScope } from '../agent/agent-session';
import type { Transcript } from '../agent/transcript';
import type { MemberBoard } from './tool';

/**
 * The board of the member as which the agent works. What a call asks pauses the try, and the same call made again finds the run's answer in
 * the input: by its key, so that no other call takes it.
 */
export function memberBoard({ input, member, pauses, run }: AttemptScope, agent: string, key: string): MemberBoard | undefined {
  const { decisions = [] } = input;
  if (!member) return undefined;
  return {
    me: member,
    async decide(request) {
      const found = decisions.find(({ id }) => id === key);
      if (!found) throw pauses.request({ kind: 'decision', asks: [{ id: key, agent, request }] });
      return found;
    },
    send: () => {
      throw bug(`no messages in ${run.plan.name} yet`);
    },
    inbox: async () => [],
  };
}

/**
 * Ends the try if a call has ended the member's work: in the call's own try, and in each that begins after a crash. Calls of the same reply
 * are made before that, unless it has claimed a task whose worktree is another.
 */
export function pauseAtEndOfWork({ member, pauses }: AttemptScope, transcript: Transcript): void {
  const end = member && transcript.effects().findLast(({ ends }) => ends)?.ends;
  if (!end || (end === 'idle' && openCalls(transcript.asAnswered()).length > 0)) return;
  throw pauses.request({ kind: 'over', end });
}
