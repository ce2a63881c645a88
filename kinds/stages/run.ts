import { defined } from '../../plan/defined';
import type { Decision } from '../../plan/people/gate';
import type { StagesInput, StagesOutput } from '../../plan/steps/container-activities';
import { joined } from '../../plan/text/joined';
import { numberAt } from '../../plan/text/spelled-json';
import { isBudgeted } from '../../workflows/interpreter/budget/accounts';
import { requireMeteredModels } from '../../workflows/interpreter/budget/unmetered-models';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { stepActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { joinChain, takeChained } from '../../workflows/interpreter/steps/chains';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';
import { stepInput } from '../../workflows/interpreter/steps/step-input';
import { noteBegins, noteBeginsOfFailure } from '../../workflows/interpreter/steps/work-times';

type From = NonNullable<StagesInput['from']>;

/** Runs a pipe of stages up to the next one that asks a person, and continues after it with the answer. */
export async function performStages(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { run } = it;
  const { step, path } = place;
  if (step.kind === 'stages' && step.asksModel && ctx.once('budgeted', () => isBudgeted(run, place)))
    await requireMeteredModels(it, place, ctx);
  const chain = joinChain(it, place, record);
  if (chain) await chain;
  const chained = takeChained(it, place, record);
  if (chained) return chained;
  let from: From | undefined;
  // As often as stages ask; each has but one question.
  for (let calls = 1; ; calls++) {
    const address = calls === 1 ? run.address(path) : `${run.address(path)}/stage-${calls}`;
    const input = () => ({ ...stepInput(run, place), ...defined({ from }) });
    const ledger = from ? `${address}/from/${from.stage}` : address;
    let output: StagesOutput;
    try {
      output = await ctx.call(`pipe-${calls}`, 'stages', input, { address, ledger, ...stepActivityOptions(run, place) });
    } catch (error) {
      noteBeginsOfFailure(run, path, error);
      throw error;
    }
    // After the question this code runs again from its top, in another execution.
    const { begun } = output;
    if (begun) ctx.once(`begun-${calls}`, () => noteBegins(run, path, { begun }));
    if (output.kind === 'done') {
      recordOutput(record, step, output.output);
      return undefined;
    }
    const { stage, items, gate, question } = output;
    const decision = await ctx.gate(`question-${calls}`, { kind: gate, show: [], asked: question });
    if (decision.choice === 'reject') return { cause: { kind: 'rejected', decision } };
    from = joined<From>({ stage, items }, answerOf(gate, decision));
  }
}

function answerOf(gate: 'approval' | 'input', decision: Decision): Pick<From, 'approved' | 'response'> {
  return gate === 'approval' ? { approved: true } : joined({ response: null }, { response: numberAt(decision, 'value') ?? decision.value });
}
