import { defined } from '../../plan/defined';
import { spelledAtPath } from '../../plan/expressions/evaluate';
import type { Decision } from '../../plan/people/gate';
import { choicesOfBallot } from '../../plan/people/vote';
import { pathKey } from '../../plan/steps/step-activity';
import type { JsonObject } from '../../plan/text/json';
import { copyField, spelledObject } from '../../plan/text/spelled-json';
import { gateSpecOfPolicy } from '../../workflows/interpreter/gates/category-policy';
import { ESCALATED } from '../../workflows/interpreter/gates/gate-record';
import type { Perform } from '../../workflows/interpreter/interpreter';
import { noteOutput, type StepRecord } from '../../workflows/interpreter/state/step-record';

/** The key of its question in the log of its work. */
const QUESTION = 'decision';

/**
 * A person decides. The output of the step is the decision; a rejection is handled by `on_reject`, and stops the run without one. Of an
 * author's own choices every one but `reject` lets the run continue.
 */
export const performApproval: Perform<'approval'> = async (it, place, record, ctx) => {
  const { step } = place;
  const { ballot, choices = step.choices } = record.brief ?? {};
  const decision = await ctx.gate(QUESTION, {
    kind: 'approval',
    show: step.show ?? [],
    ...gateSpecOfPolicy(it, step),
    ...defined({ choices }),
    ...(ballot ? { ballot, choices: choicesOfBallot(ballot) } : {}),
  });
  if (isSilence(decision)) return { cause: { kind: 'silence', reason: `nobody decided on ${it.run.name(place.path)} in time` } };
  const values = (step.reads ?? []).map((path) => [pathKey(path), spelledAtPath(asOutput(decision), path)] as const);
  if (values.length > 0) noteOutput(record, { values: spelledObject(values) });
  return isRefusal(record, decision) ? { cause: { kind: 'rejected', decision } } : undefined;
};

/** Whether the deciding answer has come, although the step's code may not have reached it yet. */
export function isDecided(record: StepRecord): boolean {
  const { attempt, asked: { gate } = {} } = record;
  const asked = attempt?.work.at(-1);
  if (asked?.kind !== 'gate' || asked.key !== QUESTION || asked.end?.failure) return false;
  const decision = gate?.decision ?? (asked.end?.value as Decision | undefined);
  return decision !== undefined && !isSilence(decision) && !isRefusal(record, decision);
}

function isSilence({ choice, via }: Decision): boolean {
  return choice === ESCALATED && via === 'time-out';
}

/** A voter's no is an ordinary vote. */
function isRefusal({ brief }: StepRecord, { choice }: Decision): boolean {
  return choice === 'reject' && !brief?.ballot;
}

function asOutput(decision: Decision): JsonObject {
  const output: JsonObject = {
    decision: decision.choice,
    approved: decision.choice === 'approve',
    by: decision.by ?? null,
    comment: decision.comment ?? null,
    value: null,
    at: decision.at,
  };
  if (decision.value !== undefined) copyField(decision, 'value', output);
  return output;
}
