import { childDepth } from '../../../plan/depth';
import { payloadRef } from '../../../plan/envelope';
import { ThermidorFailure } from '../../../plan/failure';
import type { SpawnRequest, SpawnResult } from '../../../plan/spawn';
import type { StepInput, StepOutput } from '../../../plan/step-work';
import { send } from '../envelopes';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import type { Run } from '../run';
import { agentInput } from '../step-input';
import { stepPolicy } from '../step-policy';
import { addUse } from '../take-output';
import type { AgentCall } from './agent-call';
import type { SpawnRecord } from './agent-keeps';
import { callOf, inTries, spawnedWork } from './child-tries';

/** Calls an agent until its work is done. */
export type Perform = (place: Place, call: AgentCall) => Promise<StepOutput>;

/** Those of some children that are new become records of their parent's, and get their task. Answers with them. */
export function admit({ run }: Interpreter, place: Place, parent: AgentCall, wanted: readonly SpawnRequest[]): SpawnRecord[] {
  const known = parent.keeps.spawned ?? [];
  const fresh = wanted.filter(({ id }) => !known.some((child) => child.id === id));
  const records = fresh.map((request): SpawnRecord => ({ ...request, depth: childDepth(run.plan, parent) }));
  if (records.length > 0 || !parent.keeps.spawned) parent.keeps.spawned = [...known, ...records];
  for (const { id, agent, task } of fresh) {
    send(run, place.path, { from: parent.agent, to: agent, intent: 'assign_task', payload: { id, task }, expect_response: true });
  }
  return records;
}

/** A child's work, in a context of its own. What comes of it, a failure too, is for its parent alone; siblings never meet. */
export async function resultOf(it: Interpreter, place: Place, child: SpawnRecord, parent: string, perform: Perform): Promise<SpawnResult> {
  const { run } = it;
  const { id, agent, depth } = child;
  const timeoutMs = run.plan.agents?.[agent]?.timeoutMs ?? place.step.timeoutMs;
  const ask = (address: string) =>
    perform(place, {
      address,
      options: { ...stepPolicy(run, place, timeoutMs), summary: agent },
      input: () => ({ run: run.ctx.info.firstRunId, spawn: spawnedWork(child), ...readsOf(run, place) }),
      keeps: child,
      agent,
      depth,
    });
  try {
    const { artifact, usage } = await inTries(run, place, child, parent, ask);
    addUse(it, place, usage);
    return { id, agent, ...(artifact ? { artifact } : {}), ...callOf(child) };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { id, agent, error: { code: error.code, message: error.message }, ...callOf(child) };
  }
}

/** A child may read by reference whatever is upstream of the step, its direct inputs too; none of it is in its task. */
function readsOf(run: Run, place: Place): Pick<StepInput, 'upstream' | 'moreUpstream' | 'loops'> {
  const { inputs, upstream, moreUpstream, loops } = agentInput(run, place);
  const all = { ...inputs, ...upstream };
  return {
    ...(Object.keys(all).length > 0 ? { upstream: all } : {}),
    ...(moreUpstream ? { moreUpstream } : {}),
    ...(loops ? { loops } : {}),
  };
}

/** Its result counts; what it held is given back by now. */
export function endWith({ run }: Interpreter, place: Place, parent: string, child: SpawnRecord, result: SpawnResult): void {
  child.result = result;
  delete child.note;
  delete child.hold;
  delete child.spawned;
  delete child.awaits;
  delete child.journalled;
  const { id, agent, artifact, error } = result;
  const payload = artifact ? { id, ...payloadRef(artifact) } : { id, error: error?.code ?? 'internal', message: error?.message ?? '' };
  send(run, place.path, { from: agent, to: parent, intent: 'deliver_report', payload, expect_response: false });
}
