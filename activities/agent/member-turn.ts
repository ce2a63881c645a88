import type { WorkEnd } from '../../plan/board/member';
import type { MemberWork } from '../../plan/board/member-work';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { Turn } from '../../records/transcripts/turn';
import type { MemberIdentity } from '../agent-port';
import { AgentPaused } from './agent-paused';
import type { ConversationResult } from './conversation';
import type { Transcript } from './transcript';

/** What is special to the turn of a member of a board: who it is, and how its work ends. */

/** The words are those that a member is reminded with whenever its context may have lost them. */
export function identityOf({ name, role, team }: MemberWork): MemberIdentity {
  const who = role === undefined ? '' : ` role: ${role},`;
  return {
    text: `<identity>You are '${name}',${who} team: ${team}. Continue your work.</identity>`,
    answer: `I am ${name}. Continuing.`,
  };
}

const BLOCK = '<identity>';
/** A context of so few messages is a new one, or what condensing has left. */
const FEW_MESSAGES = 3;

/** The member's conversation before this turn, with its identity in front if it has lost that. */
export function withIdentity(member: MemberWork | undefined, before: readonly Turn[]): readonly Turn[] {
  if (!member || (before.length > FEW_MESSAGES && before.some(({ role, text }) => role === 'user' && text.includes(BLOCK)))) return before;
  const { text, answer } = identityOf(member);
  return [{ role: 'user', text }, { role: 'assistant', text: answer }, ...before];
}

type EndedTurn = ConversationResult & Pick<StepOutput, 'workEnd'>;

/**
 * The end of a member's turn is no failure, and costs no further reply: its last words are what it puts out. It may have ended by a call of
 * a tool, or with the last reply that it may have.
 */
export async function untilOver({ member }: StepInput, { turns }: Transcript, work: () => Promise<ConversationResult>): Promise<EndedTurn> {
  try {
    return await work();
  } catch (error) {
    const workEnd = member && endOf(error);
    if (workEnd === undefined) throw error;
    const raw = turns().findLast(({ role, text }) => role === 'assistant' && text !== '')?.text ?? '';
    return { reply: { kind: 'good', json: false, text: raw, value: raw }, raw, repairs: [], workEnd };
  }
}

function endOf(error: unknown): Exclude<WorkEnd, 'stopped'> | undefined {
  if (error instanceof AgentPaused && error.pause.kind === 'over') return error.pause.end;
  return error instanceof ThermidorFailure && error.code === 'agent.turns-used-up' ? 'cap' : undefined;
}
