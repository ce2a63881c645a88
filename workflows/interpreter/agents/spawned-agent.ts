import { type Envelope, payloadRef } from '../../../plan/agents/envelope';
import { childDepth } from '../../../plan/agents/spawn-depth';
import type { SpawnRequest, SpawnResult } from '../../../plan/agents/spawned-agent';
import { defined, unlessEmpty } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { StepInput, StepOutput } from '../../../plan/steps/step-activity';
import { forgetCall, type SpawnRecord } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import { sendEnvelope } from '../messages/envelopes';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { stepActivityOptions } from '../steps/activity-options';
import { addStepUsage } from '../steps/record-output';
import { agentInput } from '../steps/step-input';
import type { AgentCall } from './agent-call-spec';
import { callOfSpawned, retrySpawned, spawnedAgentInput } from './spawned-agent-retries';

/** Calls an agent until its work is done. */
export type CallAgent = (place: Place, call: AgentCall) => Promise<StepOutput>;

/** Makes records for the new ones of some children, and gives them their task. Returns the new ones. */
export function admitSpawned({ run }: Interpreter, place: Place, parent: AgentCall, wanted: readonly SpawnRequest[]): SpawnRecord[] {
  const known = parent.keeps.spawned ?? [];
  const fresh = wanted.filter(({ id }) => !known.some((child) => child.id === id));
  const records = fresh.map((request): SpawnRecord => ({ ...request, depth: childDepth(parent.depth) }));
  if (records.length > 0 || !parent.keeps.spawned) parent.keeps.spawned = [...known, ...records];
  for (const request of fresh) {
    sendEnvelope(run, place.path, { from: parent.agent, to: request.agent, ...requestOf(request), expect_response: true });
  }
  return records;
}

/** A task, or a question to the agent that has delivered what it is about (docs/protocol.md, 4.3). */
function requestOf({ id, task, previous, lacks }: SpawnRequest): Pick<Envelope, 'intent' | 'payload'> {
  const about = previous ? { previous_report: payloadRef(previous) } : {};
  if (lacks === undefined) return { intent: 'assign_task', payload: { id, task, ...about } };
  return { intent: 'request_clarification', payload: { id, ...about, missing_fields: lacks, question: task } };
}

/** A child's work, in a context of its own. Its result, even a failure, is for its parent alone; siblings never meet. */
export async function resultOfSpawned(
  it: Interpreter,
  place: Place,
  child: SpawnRecord,
  parent: string,
  perform: CallAgent,
): Promise<SpawnResult> {
  const { run } = it;
  const { id, agent, depth } = child;
  const timeoutMs = run.plan.agents?.[agent]?.timeoutMs ?? place.step.timeoutMs;
  const ask = (address: string) =>
    perform(place, {
      address,
      options: { ...stepActivityOptions(run, place, timeoutMs), summary: agent },
      input: () => ({ run: run.ctx.info.firstRunId, spawn: spawnedAgentInput(child), ...readsOf(run, place) }),
      keeps: child,
      agent,
      depth,
    });
  try {
    const { artifact, usage } = await retrySpawned(run, place, child, parent, ask);
    addStepUsage(it, place, usage);
    return { id, agent, ...defined({ artifact }), ...callOfSpawned(child) };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { id, agent, error: { code: error.code, message: error.message }, ...callOfSpawned(child) };
  }
}

/** A child may read by reference everything upstream of the step, including its direct inputs; none of it is in its task. */
function readsOf(run: Run, place: Place): Pick<StepInput, 'upstream' | 'moreUpstream' | 'loops'> {
  const { inputs, upstream, moreUpstream, loops } = agentInput(run, place);
  return defined({ upstream: unlessEmpty({ ...inputs, ...upstream }), moreUpstream, loops });
}

/** Its result counts; its reservation is given back by now. */
export function endSpawned({ run }: Interpreter, place: Place, parent: string, child: SpawnRecord, result: SpawnResult): void {
  child.result = result;
  delete child.note;
  forgetCall(child);
  const { id, agent, artifact, error } = result;
  const payload = artifact ? { id, ...payloadRef(artifact) } : { id, error: error?.code ?? 'internal', message: error?.message ?? '' };
  sendEnvelope(run, place.path, { from: agent, to: parent, intent: 'deliver_report', payload, expect_response: false });
}
