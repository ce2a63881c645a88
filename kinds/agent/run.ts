import { stepDepth } from '../../plan/agents/spawn-depth';
import type { StepOutput } from '../../plan/steps/step-activity';
import { keepContext } from '../../workflows/interpreter/agents/owner-context';
import { OWN_AGENT } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { sendFailure, sendReport, sendTask } from '../../workflows/interpreter/messages/envelopes';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { activitySummary, stepActivityOptions } from '../../workflows/interpreter/steps/activity-options';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';
import { agentInput } from '../../workflows/interpreter/steps/step-input';
import { askCritic } from '../review/run-critic';

type AgentPlace = PlaceOf<'agent' | 'review'>;

/** One agent does one thing: the request goes into the journal, the agent runs in an activity, its report comes back by reference. */
export async function performAgent(it: Interpreter, place: AgentPlace, record: StepRecord, ctx: StepContext): Promise<undefined> {
  const { step } = place;
  // A failure after the work, such as a gate that could not be shown, or a critic's, does not undo it.
  if (!ctx.once('has-worked', () => record.output?.artifact !== undefined)) await work(it, place, record, ctx);
  if (step.kind === 'review' && step.critic !== undefined) await askCritic(it, { ...place, step }, step.critic, record, ctx);
  return undefined;
}

async function work(it: Interpreter, place: AgentPlace, record: StepRecord, ctx: StepContext): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  ctx.once('task', () => {
    takeMessages(it, step.agent, record);
    sendTask(run, place, record);
    if (step.action === 'self') openKindState(record, step.kind).context = run.state.ownContext ?? [];
  });
  const timeoutMs = step.timeoutMs ?? run.plan.agents?.[step.agent]?.timeoutMs;
  const call = {
    address: run.address(path),
    options: { ...stepActivityOptions(run, place, timeoutMs), summary: activitySummary(run, place) ?? step.agent },
    input: () => agentInput(run, place),
    agent: step.agent,
    depth: stepDepth(run.plan, step, false),
  };
  let output: StepOutput;
  try {
    output = await ctx.agent(OWN_AGENT, call, record.attempt?.adopted);
  } catch (error) {
    sendFailure(run, path, { from: step.agent }, error);
    throw error;
  }
  ctx.once('report', () => takeReport(it, place, record, output));
}

function takeReport({ run }: Interpreter, place: AgentPlace, record: StepRecord, output: StepOutput): void {
  recordOutput(record, place.step, output);
  keepContext(run.state, record, output);
  if (output.artifact) sendReport(run, place, output.artifact);
}

/** Messages that people wrote to the agent are sent with its next task, and with every further try of it. */
function takeMessages(it: Interpreter, agent: string, record: StepRecord): void {
  const waiting = it.run.state.messages[agent];
  if (!waiting) return;
  record.brief = { ...record.brief, messages: [...(record.brief?.messages ?? []), ...waiting] };
  delete it.run.state.messages[agent];
}
