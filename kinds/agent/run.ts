import { stepDepth } from '../../plan/depth';
import type { StepOutput } from '../../plan/step-work';
import { takeUpContext } from '../../workflows/interpreter/agents/own-context';
import { OWN_AGENT } from '../../workflows/interpreter/context/memory';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { sendFailure, sendReport, sendTask } from '../../workflows/interpreter/envelopes';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/place';
import { keep } from '../../workflows/interpreter/state/kept';
import type { StepRecord } from '../../workflows/interpreter/state/record';
import { agentInput } from '../../workflows/interpreter/step-input';
import { stepPolicy, summaryOf } from '../../workflows/interpreter/step-policy';
import { takeOutput } from '../../workflows/interpreter/take-output';
import { askCritic } from '../review/run-critic';

type AgentPlace = PlaceOf<'agent' | 'review'>;

/** One agent does one thing: the request goes into the journal, the agent runs in an activity, its report comes back by reference. */
export async function performAgent(it: Interpreter, place: AgentPlace, record: StepRecord, ctx: StepContext): Promise<undefined> {
  const { step } = place;
  // What failed behind the work, as a gate that could not be shown, or a critic, does not undo it.
  if (!ctx.once('has-worked', () => record.artifact !== undefined)) await work(it, place, record, ctx);
  if (step.kind === 'review' && step.critic !== undefined) await askCritic(it, { ...place, step }, step.critic, record, ctx);
  return undefined;
}

async function work(it: Interpreter, place: AgentPlace, record: StepRecord, ctx: StepContext): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  ctx.once('task', () => {
    takeMessages(it, step.agent, record);
    sendTask(run, place, record);
    if (step.action === 'self') keep(record, step.kind).context = run.state.ownContext ?? [];
  });
  const timeoutMs = step.timeoutMs ?? run.plan.agents?.[step.agent]?.timeoutMs;
  const call = {
    address: run.address(path),
    options: { ...stepPolicy(run, place, timeoutMs), summary: summaryOf(run, place) ?? step.agent },
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
  takeOutput(record, place.step, output);
  if (output.context) takeUpContext(run.state, record, output.context);
  if (output.artifact) sendReport(run, place, output.artifact);
}

/** What people wrote to the agent goes with its next task, and with every further try of it. */
function takeMessages(it: Interpreter, agent: string, record: StepRecord): void {
  const waiting = it.run.state.messages[agent];
  if (!waiting) return;
  record.brief = { ...record.brief, messages: [...(record.brief?.messages ?? []), ...waiting] };
  delete it.run.state.messages[agent];
}
