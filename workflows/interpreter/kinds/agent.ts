import type { ControlOf } from '../../../plan/control';
import { addUsage } from '../../../plan/usage';
import { sendClarification, sendReport, sendTask } from '../envelopes';
import type { Interpreter } from '../interpreter';
import { workPolicy } from '../policies';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';
import { stepInput } from '../step-input';
import { performReview } from './review';

/** One agent does one thing: the request goes into the journal, the agent runs in an activity, its report comes back by reference. */
export async function performAgent(it: Interpreter, step: ControlOf<'agent' | 'review'>, record: StepRecord): Promise<StepResult> {
  if (!record.artifact) await work(it, step, record);
  if (step.kind === 'review') return performReview(it, step, record);
  return settle(it, step, 'done');
}

async function work(it: Interpreter, step: ControlOf<'agent' | 'review'>, record: StepRecord): Promise<void> {
  const { run } = it;
  takeMessages(it, step.agent, record);
  sendTask(run, step, record);
  const timeoutMs = step.timeoutMs ?? run.plan.agents?.[step.agent]?.timeoutMs;
  const output = await run.activity('agent', stepInput(run, step, record), {
    address: run.address(step.id),
    summary: step.agent,
    ...workPolicy(timeoutMs),
  });
  if (output.artifact) record.artifact = output.artifact;
  if (output.values) record.values = output.values;
  if (output.verdict) record.verdict = output.verdict;
  if (output.adapter !== undefined) record.adapter = output.adapter;
  const usage = addUsage(record.usage, output.usage);
  if (usage) record.usage = usage;
  for (const repair of output.repairs ?? []) sendClarification(run, step, repair.missingFields, undefined);
  if (output.artifact) sendReport(run, step, output.artifact);
}

/** What people wrote to the agent goes with its next task, and with every further try of it. */
function takeMessages(it: Interpreter, agent: string, record: StepRecord): void {
  const waiting = it.run.state.messages[agent];
  if (!waiting) return;
  record.messages = [...(record.messages ?? []), ...waiting];
  delete it.run.state.messages[agent];
}
