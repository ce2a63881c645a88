import { childDepth } from '../../../plan/depth';
import { payloadRef } from '../../../plan/envelope';
import { ThermidorFailure } from '../../../plan/failure';
import { DEFAULT_CONCURRENT } from '../../../plan/plan';
import type { SpawnRequest, SpawnResult } from '../../../plan/spawn';
import type { StepOutput } from '../../../plan/step-work';
import { Cancelled } from '../../run-context';
import { deferred } from '../deferred';
import { send } from '../envelopes';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import { stepInput } from '../step-input';
import { stepPolicy } from '../step-policy';
import { addUse } from '../take-output';
import type { AgentCall } from './agent-call';
import type { SpawnRecord } from './agent-keeps';

/**
 * Runs the children that an agent has spawned (protocol.md points 1 and 3), side by side as far as the run's limit of steps in flight
 * goes, each in a context of its own. What comes of them, a failure too, is for their parent alone; siblings never meet.
 */
export async function runSpawned(
  it: Interpreter,
  place: Place,
  parent: AgentCall,
  wanted: readonly SpawnRequest[],
  perform: Perform,
): Promise<void> {
  const { run } = it;
  const { keeps } = parent;
  const known = keeps.spawned ?? [];
  const fresh = wanted.filter(({ id }) => !known.some((child) => child.id === id));
  keeps.spawned = [...known, ...fresh.map((request) => ({ ...request, depth: childDepth(run.plan, parent) }))];
  for (const { id, agent, task } of fresh) {
    send(run, place.path, { from: parent.agent, to: agent, intent: 'assign_task', payload: { id, task }, expect_response: true });
  }
  const waiting = keeps.spawned.filter(({ result }) => !result);
  const lane = async (): Promise<void> => {
    for (let child = waiting.shift(); child; child = waiting.shift()) {
      child.result = await resultOf(it, place, child, perform);
      delete child.hold;
      delete child.spawned;
      delete child.journalled;
      announce(it, place, parent.agent, child.result);
    }
  };
  const lanes = Math.min(waiting.length, run.plan.concurrent ?? DEFAULT_CONCURRENT);
  // A coroutine each, so that the run knows of every one whether it waits.
  await run.parked(Promise.all(Array.from({ length: lanes }, () => spawned(it, lane))));
}

function spawned({ run }: Interpreter, work: () => Promise<void>): Promise<void> {
  const done = deferred<void>();
  run.spawn(async () => {
    try {
      await work();
      done.resolve();
    } catch (error) {
      done.reject(error instanceof Error ? error : new Cancelled());
      throw error;
    }
  });
  return done.promise;
}

/** Calls an agent until its work is done. */
type Perform = (call: AgentCall) => Promise<StepOutput>;

async function resultOf(it: Interpreter, place: Place, child: SpawnRecord, perform: Perform): Promise<SpawnResult> {
  const { run } = it;
  const { id, agent, task, depth, previous } = child;
  const timeoutMs = run.plan.agents?.[agent]?.timeoutMs ?? place.step.timeoutMs;
  try {
    const { artifact, usage } = await perform({
      address: id,
      options: { ...stepPolicy(run, place, timeoutMs), summary: agent },
      input: () => ({
        run: run.ctx.info.firstRunId,
        spawn: { id, agent, task, depth, ...(previous ? { previous } : {}) },
        ...loopsOf(stepInput(run, place)),
      }),
      keeps: child,
      agent,
      depth,
    });
    addUse(it, place, usage);
    return { id, agent, ...(artifact ? { artifact } : {}) };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { id, agent, error: { code: error.code, message: error.message } };
  }
}

function loopsOf({ loops }: ReturnType<typeof stepInput>): Pick<ReturnType<typeof stepInput>, 'loops'> {
  return loops ? { loops } : {};
}

function announce({ run }: Interpreter, place: Place, parent: string, { id, agent, artifact, error }: SpawnResult): void {
  const payload = artifact ? { id, ...payloadRef(artifact) } : { id, error: error?.code ?? 'internal', message: error?.message ?? '' };
  send(run, place.path, { from: agent, to: parent, intent: 'deliver_report', payload, expect_response: false });
}
