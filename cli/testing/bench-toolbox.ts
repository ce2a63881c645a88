import { type ActivityCall, requireAddress } from '../../activities/activity-call';
import { ScriptedAdapter } from '../../activities/adapters/scripted';
import { ThreadTextMatching } from '../../activities/adapters/threads/pattern-matching';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { ChannelMessage } from '../../activities/channel-port';
import type { HttpClient, PipelineSource, ProcessRunner, SharedFiles, TextFiles } from '../../activities/ports';
import { SCRIPTED, type WorkerToolbox } from '../../activities/toolbox';
import type { MergeStandIn, StandIn, TaskStandIn } from '../../compiler/test-file/test-file';
import type { Script } from '../../plan/agents/script';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import { turnsIn } from '../../plan/steps/walk';
import type { LastingGrants } from '../../records/lasting-grants';
import type { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import type { Turn } from '../../records/transcripts/turn';
import { benchWorktrees } from './bench-worktrees';
import type { CallLog } from './call-log';
import { loggedCallAt } from './call-log';
import { memoryTools } from './memory-tools';
import type { PendingWork } from './pending-work';
import { BENCH_SEALS } from './proofs';
import { StandInCommands } from './stand-in-commands';
import type { OfferedNames } from './stand-in-merges';
import type { TakenTasks } from './stand-in-teams';

/** The scripted adapter on the virtual clock: the script's delays are virtual, and every request is recorded. */
class ScriptedAgent implements AgentAdapter {
  readonly name = SCRIPTED;
  readonly affords = true;
  readonly limitsReplies = true;
  private readonly scripted: ScriptedAdapter;

  constructor(
    private readonly workflowId: string,
    private readonly calls: CallLog,
    meter: PendingWork,
  ) {
    this.scripted = new ScriptedAdapter(meter);
  }

  async *run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn> {
    const call = loggedCallAt(request.address, 'agent', this.workflowId, request.prompt);
    // Agents to which a step escalates, or that its agent calls, are counted separately: `review@ceo_coo`, `lead>bull`.
    const other = /[@>].*$/.exec(request.stepId)?.[0] ?? '';
    this.calls.push({ ...call, path: `${call.path}${other}` });
    yield* this.scripted.run(request, signal);
  }
}

/** The stores and notes of one test, shared by its run and the children of it. */
export interface BenchStores {
  artifacts: MemoryArtifacts;
  control: MemoryControl;
  ledger: MemoryLedger;
  grants: LastingGrants;
  calls: CallLog;
  meter: PendingWork;
  files: Map<string, string>;
  delivered: ChannelMessage[];
  offered: OfferedNames;
  taken: TakenTasks;
}

/** The stand-ins of the agents, commands, merges and tasks of one run. */
export interface RunStandIns {
  script: Script;
  commands: Readonly<Record<string, readonly StandIn[]>>;
  merges: Readonly<Record<string, readonly MergeStandIn[]>>;
  tasks: Readonly<Record<string, readonly TaskStandIn[]>>;
}

/** The toolbox of one run: all in memory, independent of the machine. */
export function benchToolbox(stores: BenchStores, { script }: RunStandIns, workflowId: string): WorkerToolbox {
  const { artifacts, control, ledger, grants, calls, meter, files, delivered } = stores;
  return {
    artifacts,
    control,
    ledger,
    grants,
    pipelines: frozenPipelines(script),
    processes: NO_COMMANDS,
    http: NO_COMMANDS,
    files: memoryFiles(files),
    sharedFiles: sharedMemoryFiles(files),
    matching: new ThreadTextMatching(),
    environments: { callerOf: async () => ({ env: {} }), inherit: async () => undefined },
    secrets: { resolve: async (reference) => (reference.startsWith('secret://') ? `resolved:${reference}` : reference) },
    adapters: new Map([[SCRIPTED, new ScriptedAgent(workflowId, calls, meter)]]),
    defaultAdapter: SCRIPTED,
    channelAdapters: [{ name: 'test', serves: () => true, deliver: async (message) => void delivered.push(message) }],
    channels: {},
    links: { keyFor: async ({ run, step }) => `${run}-${step}` },
    seals: BENCH_SEALS,
    prices: { models: {} },
    timer: (ms, ring) => meter.alarm(ms, ring),
    nowMs: () => meter.nowMs(),
    toolPorts: memoryTools(),
    worktrees: benchWorktrees(),
    searchAttributes: [],
    log: () => undefined,
  };
}

/**
 * The toolbox for one call of a step that runs commands, or whose agents do: its stand-ins know which execution of the step they are for.
 */
export function withCommands(
  toolbox: WorkerToolbox,
  { calls, meter }: BenchStores,
  standIns: RunStandIns,
  { call, steps }: { call: ActivityCall; steps: ReadonlyMap<string, Step> | undefined },
): WorkerToolbox {
  const address = requireAddress(call);
  const iterations = steps ? turnsIn(address, steps) : [];
  const place = { workflowId: call.key.workflowId, address, iterations, standIns: standIns.commands };
  const commands = new StandInCommands(place, calls, meter);
  return { ...toolbox, processes: commands, http: commands };
}

const NO_COMMANDS: ProcessRunner & HttpClient = {
  run: () => Promise.reject(bug('work outside of a step runs no command')),
  post: () => Promise.reject(bug('work outside of a step sends no requests')),
};

/** Plans come frozen, and the script is available: nothing is looked up by name. */
function frozenPipelines(script: Script): PipelineSource {
  return {
    pipeline: (name) => Promise.reject(new ThermidorFailure('pipeline.not-found', `a test has no pipeline "${name}" but its own`)),
    script: (_, name) => Promise.reject(new ThermidorFailure('script.not-found', `a test has no script "${name}" but its own`)),
    readScript: () => script,
  };
}

function memoryFiles(files: Map<string, string>): TextFiles {
  return {
    read: async (path) => files.get(path),
    write: async (path, text) => void files.set(path, text),
  };
}

function sharedMemoryFiles(files: Map<string, string>): SharedFiles {
  return {
    read: async (path) => files.get(path),
    edit: async (path, _limitBytes, change) => void files.set(path, change(files.get(path))),
  };
}
