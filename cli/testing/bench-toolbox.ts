import { ThreadMatching } from '../../activities/adapters/text-thread';
import { type ActivityCall, requireAddress } from '../../activities/call';
import type { ChannelMessage } from '../../activities/channel-port';
import type { HttpClient, PipelineSource, ProcessRunner, TextFiles } from '../../activities/ports';
import { SCRIPTED, type WorkerToolbox } from '../../activities/toolbox';
import type { StandIn } from '../../compiler/test-file/test-file';
import { ThermidorFailure } from '../../plan/failure';
import type { Script } from '../../plan/script';
import type { Step } from '../../plan/step';
import { turnsIn } from '../../plan/walk';
import type { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import type { CallLog } from './call-log';
import { memoryTools } from './memory-tools';
import { BENCH_SEALS } from './proofs';
import { ScriptedAgent } from './scripted-agent';
import { StandInCommands } from './stand-in-commands';
import type { WorkMeter } from './work-meter';

/** The stores and notes of one test, shared by its run and the children of it. */
export interface BenchStores {
  artifacts: MemoryArtifacts;
  control: MemoryControl;
  ledger: MemoryLedger;
  calls: CallLog;
  meter: WorkMeter;
  files: Map<string, string>;
  delivered: ChannelMessage[];
}

/** The stand-ins of the agents and commands of one run. */
export interface RunStandIns {
  script: Script;
  commands: Readonly<Record<string, readonly StandIn[]>>;
}

/** The toolbox of one run: all in memory, nothing of the machine. */
export function benchToolbox(stores: BenchStores, { script }: RunStandIns, workflowId: string): WorkerToolbox {
  const { artifacts, control, ledger, calls, meter, files, delivered } = stores;
  return {
    artifacts,
    control,
    ledger,
    pipelines: frozenPipelines(script),
    processes: NO_COMMANDS,
    http: NO_COMMANDS,
    files: memoryFiles(files),
    matching: new ThreadMatching(),
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
    searchAttributes: [],
    log: () => undefined,
  };
}

/** The same, for one call of a step that runs commands, or whose agents do: its stand-ins know which execution of it they are for. */
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
  run: () => Promise.reject(new ThermidorFailure('internal', 'work outside of a step runs no command')),
  post: () => Promise.reject(new ThermidorFailure('internal', 'work outside of a step sends no requests')),
};

/** Plans come frozen, and the script is at hand: nothing is looked up by name. */
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
