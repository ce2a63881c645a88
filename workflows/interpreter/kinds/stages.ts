import type { StagesInput } from '../../../plan/container-work';
import type { Decision } from '../../../plan/gate';
import { actOn } from '../actions';
import { isBudgeted } from '../budget/accounts';
import { requireCountable } from '../budget/uncounted';
import { finish } from '../finish';
import { decisionAt } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import type { StepResult } from '../settle';
import type { HaltRecord, StepRecord } from '../state/record';
import { stepInput } from '../step-input';
import { stepPolicy } from '../step-policy';
import { takeOutput } from '../take-output';

/** Runs a pipe of stages as far as the next one that asks a person, and goes on behind it with the answer. */
export async function performStages(it: Interpreter, place: Place, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  if (place.step.kind === 'stages' && place.step.asksModel && isBudgeted(run, place)) await requireCountable(it, place);
  for (;;) {
    const { halted } = record;
    if (halted && !halted.answer) {
      const decision = await decisionAt(it, place, { kind: halted.gate, show: [], asked: halted.question });
      if (decision.choice === 'reject') return actOn(it, place, [], { kind: 'rejected', decision });
      halted.answer = answerOf(halted, decision);
    }
    const output = await run.activity(place, 'stages', inputOf(it, place, halted), {
      address: halted ? `${run.address(place.path)}/stage-${halted.calls + 1}` : run.address(place.path),
      ...stepPolicy(run, place),
    });
    if (output.kind === 'done') {
      delete record.halted;
      takeOutput(record, output.output);
      return finish(it, place);
    }
    const { stage, items, gate, question } = output;
    record.halted = { stage, items, gate, question, calls: (halted?.calls ?? 0) + 1 };
  }
}

function answerOf({ gate }: HaltRecord, decision: Decision): NonNullable<HaltRecord['answer']> {
  return gate === 'approval' ? { approved: true } : { response: decision.value ?? null };
}

function inputOf(it: Interpreter, place: Place, halted: HaltRecord | undefined): StagesInput {
  const input = stepInput(it.run, place);
  if (!halted) return input;
  return { ...input, from: { stage: halted.stage, items: halted.items, ...halted.answer } };
}
