import { stepDepth } from '../../../plan/depth';
import type { StepOutput } from '../../../plan/step-work';
import { callAgent } from '../agents/agent-call';
import { takeUpContext } from '../agents/own-context';
import { sendClarification, sendFailure, sendReport, sendTask } from '../envelopes';
import { finish } from '../finish';
import type { Interpreter } from '../interpreter';
import type { PlaceOf } from '../place';
import type { StepResult } from '../settle';
import type { StepRecord } from '../state/record';
import { agentInput } from '../step-input';
import { stepPolicy, summaryOf } from '../step-policy';
import { takeOutput } from '../take-output';
import { askCritic } from './critic';
import { performReview } from './review';

/** One agent does one thing: the request goes into the journal, the agent runs in an activity, its report comes back by reference. */
export async function performAgent(it: Interpreter, place: PlaceOf<'agent' | 'review'>, record: StepRecord): Promise<StepResult> {
  if (!record.artifact) await work(it, place, record);
  const { step } = place;
  if (step.kind === 'review' && step.critic !== undefined && record.verdict && !record.critic) {
    await askCritic(it, { ...place, step }, step.critic, record);
  }
  if (step.kind === 'review') return performReview(it, { ...place, step }, record);
  return finish(it, place);
}

async function work(it: Interpreter, place: PlaceOf<'agent' | 'review'>, record: StepRecord): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  takeMessages(it, step.agent, record);
  if (record.toldTry !== record.try) {
    sendTask(run, place, record);
    if (step.action === 'self') record.context = run.state.ownContext ?? [];
  }
  record.toldTry = record.try;
  const timeoutMs = step.timeoutMs ?? run.plan.agents?.[step.agent]?.timeoutMs;
  let output: StepOutput;
  try {
    output = await callAgent(it, place, record, {
      address: run.address(path),
      options: { ...stepPolicy(run, place, timeoutMs), summary: summaryOf(run, place) ?? step.agent },
      input: () => agentInput(run, place),
      keeps: record,
      agent: step.agent,
      depth: stepDepth(run.plan, step, false),
    });
  } catch (error) {
    sendFailure(run, path, { from: step.agent }, error);
    throw error;
  }
  takeOutput(record, output);
  if (output.context) takeUpContext(run.state, record, output.context);
  for (const { missingFields, journalled } of output.repairs ?? []) {
    // A try of an earlier version left it to the run to say what it asked again.
    if (!journalled) sendClarification(run, place, { missingFields });
  }
  if (output.artifact) sendReport(run, place, output.artifact);
}

/** What people wrote to the agent goes with its next task, and with every further try of it. */
function takeMessages(it: Interpreter, agent: string, record: StepRecord): void {
  const waiting = it.run.state.messages[agent];
  if (!waiting) return;
  record.messages = [...(record.messages ?? []), ...waiting];
  delete it.run.state.messages[agent];
}
