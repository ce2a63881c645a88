import { type BallotPaper, MOST_CONDITION, MOST_CONDITIONS, VOTE_CHOICES } from '../../../plan/people/vote';
import type { SignalPayload } from '../../../plan/run/signal';
import { isJsonObject, type Json } from '../../../plan/text/json';
import type { NotApplied } from '../inbound/planned-command';
import type { GatePolicy } from './gate-policy';

/**
 * Gates at which people vote in a pattern: the choice is the word of the vote, the comment its rationale, and the value its further fields.
 */

/** A person's possible answers. A chosen option counts as approved. */
export function choicesOfBallot({ options }: BallotPaper): string[] {
  const [approve, ...others] = VOTE_CHOICES;
  return [...(options.length < 2 ? [approve] : options), ...others];
}

/** Why an answer is no vote. A refused one does not use up the person's one vote. */
export function whyNoVote({ label, ballot }: GatePolicy, choice: string, { value }: SignalPayload): NotApplied | undefined {
  if (!ballot || value === undefined || value === null) return undefined;
  const problem = problemOf(value, choice);
  return problem === undefined ? undefined : { outcome: 'refused', reason: `${label}: ${problem}` };
}

function problemOf(value: Json, choice: string): string | undefined {
  if (!isJsonObject(value)) return 'the value of a vote is {"conditions", "confidence", "blocking"}';
  const { conditions = [], confidence = 1, blocking = false, ...more } = value;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) return `a vote has no "${unknown}": it takes conditions, confidence and blocking`;
  if (!Array.isArray(conditions) || !conditions.every(isCondition) || conditions.length > MOST_CONDITIONS)
    return `"conditions" is a list of texts, ${MOST_CONDITIONS} at most, with ${MOST_CONDITION} characters each`;
  if (typeof confidence !== 'number' || confidence < 0 || confidence > 1) return '"confidence" is a number from 0 to 1';
  if (typeof blocking !== 'boolean') return '"blocking" is true or false';
  return blocking && choice !== 'reject' ? 'only a rejection is blocking' : undefined;
}

function isCondition(text: Json): boolean {
  return typeof text === 'string' && text.trim() !== '' && text.length <= MOST_CONDITION;
}
