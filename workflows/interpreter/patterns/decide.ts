import { defined } from '../../../plan/defined';
import type { ApplyRuleOutput, RuleCall, RuleName, Rules } from '../../../plan/patterns/rule';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import { readable } from '../steps/step-input';

interface Asked<R extends RuleName> {
  call: Extract<RuleCall, { rule: R }>;
  documents?: Record<string, ArtifactRef> | undefined;
  /** The rule reads the step's subject, as the document `matter`. */
  readsMatter?: boolean;
  /** The rule reads what lasting grants give to this project, as the document `granted`. */
  grantsOf?: string;
}

/**
 * Lets a rule decide over documents in the store. `as` is the key of the call and the name of the result; each call of a step has another.
 */
export async function decide<R extends RuleName>(
  { run }: Interpreter,
  place: Place,
  ctx: StepContext,
  as: string,
  ask: () => Asked<R>,
): Promise<{ artifact: ArtifactRef; values: Rules[R]['values'] }> {
  const address = `${run.address(place.path)}/${as}`;
  // A rule takes milliseconds: a local call saves the pattern a workflow task and four events.
  const options = { address, startToCloseMs: QUICK_ACTIVITY_MS, local: true } as const;
  const input = () => {
    const { call, documents, readsMatter, grantsOf } = ask();
    const { run: _run, ...matter } = readable(run, place, place.step.inputs);
    return {
      run: run.ctx.info.firstRunId,
      at: address,
      as,
      call,
      ...defined({ documents, matter: readsMatter ? matter : undefined, grantsOf }),
    };
  };
  return (await ctx.call(as, 'applyRule', input, options)) as ApplyRuleOutput<R>;
}
