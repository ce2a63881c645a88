import type { WorkEnd } from '../../plan/board/member';
import type { MemberWork } from '../../plan/board/member-work';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { TurnStop } from '../../records/transcripts/turn';
import type { AgentAdapter } from '../agent-port';
import { AgentPaused } from './agent-paused';
import type { AttemptScope } from './agent-session';
import type { ConversationResult } from './conversation';
import type { Transcript } from './transcript';

type EndedTurn = ConversationResult & Pick<StepOutput, 'workEnd' | 'report'>;

/**
 * The end of a member's turn is no failure, and costs no further reply: its last words are what it puts out. It may have ended by a call of
 * a tool, or with the last reply that it may have.
 */
export async function untilOver({ member }: AttemptScope, { turns }: Transcript, work: () => Promise<EndedTurn>): Promise<EndedTurn> {
  try {
    return await work();
  } catch (error) {
    const workEnd = member && endOf(error);
    if (workEnd === undefined) throw error;
    const raw = turns().findLast(({ role, text, stop }) => role === 'assistant' && text !== '' && !UNSAID.has(stop))?.text ?? '';
    return { reply: { kind: 'good', json: false, text: raw, value: raw }, raw, repairs: [], workEnd };
  }
}

/** What the agent has not said to anybody. */
const UNSAID: ReadonlySet<TurnStop | undefined> = new Set(['broken', 'condensed']);

function endOf(error: unknown): Exclude<WorkEnd, 'stopped'> | undefined {
  if (error instanceof AgentPaused && error.pause.kind === 'over') return error.pause.end;
  return error instanceof ThermidorFailure && error.code === 'agent.turns-used-up' ? 'cap' : undefined;
}

/** The member, if it is a program: it has no tools of a board, and answers with a report (`MemberReport`). */
export function programMember({ member, spawn, critic }: StepInput, { ownTools }: Pick<AgentAdapter, 'ownTools'>): MemberWork | undefined {
  return ownTools && !spawn && !critic ? member : undefined;
}

/** A program has no tools of a board, and could neither spawn members nor answer them. Fails with `adapter.unavailable`. */
export function requireNoLead({ isLead }: MemberWork, { name }: Pick<AgentAdapter, 'name'>, agent: string): void {
  if (!isLead) return;
  const message = `agent "${agent}" is run by ${name}, a program that has no tools of a board: a lead needs the adapter of a model service`;
  throw new ThermidorFailure('adapter.unavailable', message, { agent, adapter: name });
}
