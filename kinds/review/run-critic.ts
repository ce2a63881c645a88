import { stepDepth } from '../../plan/agents/spawn-depth';
import { defined } from '../../plan/defined';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { VerdictRecord } from '../../plan/steps/verdict';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { ownerOf, reviewed, sendEnvelope, sendFailure } from '../../workflows/interpreter/messages/envelopes';
import type { Run } from '../../workflows/interpreter/run';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { kindStateOf, openKindState, verdictInState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { stepActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { addStepUsage } from '../../workflows/interpreter/steps/record-output';
import { agentInput } from '../../workflows/interpreter/steps/step-input';

/** A second reviewer, who does not see the report of the first. */
export async function askCritic(
  it: Interpreter,
  place: PlaceOf<'review'>,
  critic: string,
  record: StepRecord,
  ctx: StepContext,
): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  const payload = { step: run.name(path), ...reviewed(run, place, step.of) };
  // Without a verdict there can be no second one; an earlier try may have had it already.
  const isAsked = ctx.once('second', () => {
    if (!verdictInState(record) || openKindState(record, 'review').critic) return false;
    sendEnvelope(run, path, { from: ownerOf(run), to: critic, intent: 'review_request', payload, expect_response: true });
    return true;
  });
  if (!isAsked) return;
  let output: StepOutput;
  try {
    output = await ctx.agent('critic', {
      address: `${run.address(path)}/critic`,
      options: { ...stepActivityOptions(run, place, step.timeoutMs ?? run.plan.agents?.[critic]?.timeoutMs), summary: critic },
      input: () => criticInput(run, place, record),
      agent: critic,
      depth: stepDepth(run.plan, step, true),
    });
  } catch (error) {
    sendFailure(run, path, { from: critic }, error);
    throw error;
  }
  ctx.once('second-opinion', () => {
    addStepUsage(it, place, output.usage);
    if (!output.verdict) return;
    openKindState(record, 'review').critic = { verdict: output.verdict, ...defined({ artifact: output.artifact }) };
    const { verdict, said } = output.verdict;
    const payload = { verdict, ...defined({ said }) };
    sendEnvelope(run, path, { from: critic, to: ownerOf(run), intent: 'review_verdict', payload, expect_response: false });
  });
}

/** The reviewer's input, except that the critic gets its own last findings instead of the reviewer's. */
function criticInput(run: Run, place: PlaceOf<'review'>, { brief }: StepRecord): StepInput {
  const { criticBefore } = brief ?? {};
  const { previous, findings, ...input } = agentInput(run, place);
  const others = findings && findings.report?.sha256 !== previous?.sha256 ? { findings } : {};
  return { ...input, ...others, ...defined({ previous: criticBefore }), critic: true };
}

/** The disagreement of the two; undefined if they agree, or there is only one. */
export function disagreement({ step }: PlaceOf<'review'>, verdict: VerdictRecord, record: StepRecord): string | undefined {
  const other = kindStateOf(record, 'review')?.critic?.verdict;
  if (!other || other.verdict === verdict.verdict) return undefined;
  return `${step.agent} says ${verdict.verdict} and ${step.critic ?? 'the critic'} says ${other.verdict} of ${step.of}`;
}
