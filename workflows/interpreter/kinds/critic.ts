import { stepDepth } from '../../../plan/depth';
import type { StepInput, StepOutput } from '../../../plan/step-work';
import { addUsage } from '../../../plan/usage';
import type { VerdictRecord } from '../../../plan/verdict';
import { callAgent } from '../agents/agent-call';
import { ownerOf, send, sendFailure } from '../envelopes';
import type { Interpreter } from '../interpreter';
import type { PlaceOf } from '../place';
import type { Run } from '../run';
import type { StepRecord } from '../state/record';
import { agentInput } from '../step-input';
import { stepPolicy } from '../step-policy';

/** A second reviewer, who is not told what the first says. */
export async function askCritic(it: Interpreter, place: PlaceOf<'review'>, critic: string, record: StepRecord): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  const payload = { step: run.name(path), of: step.of };
  // An earlier execution may have asked, and not heard yet.
  if (!record.criticKeeps) send(run, path, { from: ownerOf(run), to: critic, intent: 'review_request', payload, expect_response: true });
  record.criticKeeps ??= {};
  let output: StepOutput;
  try {
    output = await callAgent(it, place, record, {
      address: `${run.address(path)}/critic`,
      options: { ...stepPolicy(run, place, step.timeoutMs ?? run.plan.agents?.[critic]?.timeoutMs), summary: critic },
      input: () => criticInput(run, place, record),
      keeps: record.criticKeeps,
      agent: critic,
      depth: stepDepth(run.plan, step, true),
    });
  } catch (error) {
    sendFailure(run, path, { from: critic }, error);
    throw error;
  }
  delete record.criticKeeps;
  const usage = addUsage(record.usage, output.usage);
  if (usage) record.usage = usage;
  if (!output.verdict) return;
  record.critic = { verdict: output.verdict, ...(output.artifact ? { artifact: output.artifact } : {}) };
  const said = { verdict: output.verdict.verdict };
  send(run, path, { from: critic, to: ownerOf(run), intent: 'review_verdict', payload: said, expect_response: false });
}

/** As the reviewer's, but for what the reviewer said the last time: of that it has its own. */
function criticInput(run: Run, place: PlaceOf<'review'>, { criticBefore }: StepRecord): StepInput {
  const { previous, findings, ...input } = agentInput(run, place);
  const others = findings && findings.report?.sha256 !== previous?.sha256 ? { findings } : {};
  return { ...input, ...others, ...(criticBefore ? { previous: criticBefore } : {}), critic: true };
}

/** What the two say where they do not agree; undefined where they do, or there is but one. */
export function disagreement({ step }: PlaceOf<'review'>, verdict: VerdictRecord, record: StepRecord): string | undefined {
  const other = record.critic?.verdict;
  if (!other || other.verdict === verdict.verdict) return undefined;
  return `${step.agent} says ${verdict.verdict} and ${step.critic ?? 'the critic'} says ${other.verdict} of ${step.of}`;
}
