import type { ActivityCall } from '../../activities/activity-call';
import type { WorkerToolbox } from '../../activities/toolbox';
import { ANY_STEP, type PipelineTest } from '../../compiler/test-file/test-file';
import { defined } from '../../plan/defined';
import { type AskedBy, QUEUE_SIGNAL } from '../../plan/queue/ticket';
import type { Activities, ActivityName } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ScheduledFor } from '../../plan/run/run-input';
import { stepIdOf } from '../../plan/steps/address';
import { addressOfCall } from '../../plan/steps/call-address';
import { isJsonObject } from '../../plan/text/json';
import { MemoryGrants } from '../../records/memory/memory-grants';
import { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import type { MemoryCall, MemoryRun } from '../../workflows/memory/memory-run';
import { runInMemory } from '../../workflows/memory/run-context';
import { attempts, withinVirtual } from './attempts';
import { type BenchStores, benchToolbox, type RunStandIns, withCommands } from './bench-toolbox';
import { PendingWork } from './pending-work';
import { type BenchCall, PERFORM_IN_BENCH } from './perform';
import type { PreparedPipeline } from './prepare-pipeline';
import { outcomeInTest } from './stand-in-merges';
import { standInTeams } from './stand-in-teams';

/** A run on the bench: the real interpreter on a virtual clock, the real activities on stores in memory. */
export interface BenchRun {
  run: MemoryRun;
  stores: BenchStores;
}

type TypedCall<N extends ActivityName> = MemoryCall & { name: N; input: Parameters<Activities[N]>[0] };

/** Every run has a script, so that only it answers for agents. Its content is available (bench-toolbox.ts). */
const NO_REPLIES: RunStandIns['script'] = { name: 'test', replies: {}, people: [] };

export function startOnBench(prepared: PreparedPipeline, test: PipelineTest): BenchRun {
  const { plan, planRef, frozen, base } = prepared;
  const workflowId = `${plan.name}-test`;
  const artifacts = new MemoryArtifacts(base);
  const meter = new PendingWork();
  const stores: BenchStores = {
    ...{ artifacts, control: new MemoryControl(frozen), ledger: new MemoryLedger(), grants: new MemoryGrants() },
    ...{ calls: [], meter, files: new Map(), delivered: [], offered: new Map(), taken: new Map() },
  };
  const runs = new Map<string, { standIns: RunStandIns; toolbox: WorkerToolbox }>();
  const anyCommand = Object.fromEntries(Object.entries(test.commands).filter(([id]) => id === ANY_STEP));

  function toolsOf({ workflowId: id, workflowType }: MemoryCall['info']): { standIns: RunStandIns; toolbox: WorkerToolbox } {
    const known = runs.get(id);
    if (known) return known;
    const child = Object.hasOwn(test.children, workflowType) ? test.children[workflowType] : undefined;
    const standIns = id === workflowId ? test : (child ?? { script: NO_REPLIES, commands: anyCommand, merges: {}, tasks: {} });
    const steps = prepared.plans.get(workflowType)?.steps ?? new Map();
    const teamAsker = standInTeams({ ...stores, steps, standIns: standIns.tasks, wake });
    const tools = { standIns, toolbox: { ...benchToolbox(stores, standIns, id), teamAsker } };
    runs.set(id, tools);
    return tools;
  }

  async function perform<N extends ActivityName>(call: TypedCall<N>): Promise<unknown> {
    const { standIns, toolbox } = toolsOf(call.info);
    const limit = { ms: limitOf(prepared, call), error: (ms: number) => timedOut(call, ms) };
    return await attempts(call, meter, (attempt) =>
      withinVirtual(call, limit, async (signal) => {
        const bench: BenchCall = {
          call: activityCall(call, signal, attempt),
          toolbox,
          script: standIns.script.name,
          nowMs: call.clock.now,
          outcome: (input) => outcomeInTest(stores.offered, standIns.merges, input),
          commandToolbox: (one) =>
            withCommands(toolbox, stores, standIns, { call: one, steps: prepared.plans.get(call.info.workflowType)?.steps }),
        };
        return await PERFORM_IN_BENCH[call.name](bench, call.input);
      }),
    );
  }

  const run = runInMemory({
    workflowType: plan.name,
    workflowId,
    startMs: test.startMs,
    input: { plan: planRef, args: test.args, ...defined({ scheduled: scheduledIn(test) }) },
    // Each activity's result has its own type, which the compiler does not follow through a table.
    perform: (call) => meter.on(call.clock).measure(async () => copy(await perform(call))) as never,
  });
  return { run, stores };

  function wake({ workflowId: id, name }: AskedBy): void {
    (id === workflowId ? run : run.children.get(id))?.signal(QUEUE_SIGNAL, { name });
  }
}

function scheduledIn({ scheduledMs }: PipelineTest): ScheduledFor | undefined {
  return scheduledMs === undefined ? undefined : { at: new Date(scheduledMs).toISOString() };
}

/** The limit after which an agent or a pipe is stopped: the activity's own timer counts in real time. */
function limitOf({ plans }: PreparedPipeline, { name, info, options, input }: MemoryCall): number | undefined {
  if (name !== 'agent' && name !== 'stages') return undefined;
  const address = addressOfCall({ id: options.address ?? '' });
  const of = plans.get(info.workflowType);
  const step = address && of?.steps.get(stepIdOf(address));
  if (!step) return undefined;
  const critic = isJsonObject(input) && input['critic'] === true && 'critic' in step ? step.critic : undefined;
  const asked = critic ?? ('agent' in step ? step.agent : undefined);
  return step.timeoutMs ?? (asked === undefined ? undefined : of?.plan.agents?.[asked]?.timeoutMs);
}

function timedOut({ name, options }: MemoryCall, limitMs: number): ThermidorFailure {
  const code = name === 'agent' ? 'agent.timeout' : 'command.timeout';
  return new ThermidorFailure(code, `${options.address ?? 'the step'} did not finish within ${limitMs} ms`, { timeoutMs: limitMs });
}

function activityCall({ info, options, name, wake }: MemoryCall, signal: AbortSignal, attempt: number): ActivityCall {
  return {
    key: { workflowId: info.workflowId, run: info.firstRunId },
    id: options.address ?? name,
    attempt,
    signal,
    heartbeat: () => undefined,
    wake,
  };
}

/** Copies an activity's result as if it had been sent, as bytes or as JSON. */
function copy(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return structuredClone(value);
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
