import type { ModelAlias, ToolSettings } from '../plan/agents/adapter';
import type { Role } from '../plan/brief/role';
import type { PriceTable } from '../plan/budgets/price';
import type { ChannelSpec } from '../plan/plan';
import type { ArtifactRef } from '../plan/run/artifact';
import type { SearchAttributeName } from '../plan/run/search-attributes';
import type { Address } from '../plan/steps/address';
import type { ArtifactStore } from '../records/artifact-store';
import type { CallerEnvironments } from '../records/caller-environments';
import type { ControlReader } from '../records/control-store';
import type { EndedIndex } from '../records/ended-index';
import type { FleetSlots } from '../records/fleet-slots';
import type { LastingGrants } from '../records/lasting-grants';
import type { Ledger } from '../records/ledger';
import type { RunIndex } from '../records/run-index';
import type { StepLogs } from '../records/step-logs';
import type { AgentAdapter } from './agent-port';
import type { ChannelAdapter } from './channel-port';
import type { Timer } from './deadline';
import type { Log } from './log';
import type { Metrics } from './metrics';
import type {
  HttpClient,
  LinkedGates,
  PipelineSource,
  ProcessRunner,
  Seals,
  Secrets,
  SharedFiles,
  TextFiles,
  TextMatching,
  ToolServers,
  WorkHead,
} from './ports';
import type { MergeHost, QueueAsker } from './queue-port';
import type { TeamAsker } from './team-port';
import type { ToolPorts } from './tool-ports';
import type { Traces } from './traces-port';
import type { UnstoredOutput } from './unstored-output';
import type { HostLife, HostWorktrees } from './worktree-port';

/** All ports through which the activities of steps reach the outside, and the worker's settings for them. */
export interface ActivityPorts {
  artifacts: ArtifactStore;
  control: ControlReader;
  ledger: Ledger;
  /** For the costs of a run that ends. Absent: its record has none. */
  runs?: Pick<RunIndex, 'logs' | 'extent'>;
  /** For lists of ended runs. Absent: they lack this run. */
  ended?: Pick<EndedIndex, 'note'>;
  pipelines: PipelineSource;
  processes: ProcessRunner;
  environments: CallerEnvironments;
  secrets: Secrets;
  /** For the stages of pipes. */
  http: HttpClient;
  files: TextFiles;
  sharedFiles: SharedFiles;
  /** For checks against schemas. */
  matching: TextMatching;
  adapters: ReadonlyMap<string, AgentAdapter>;
  /** The adapter of agents that name none. */
  defaultAdapter: string;
  channelAdapters: readonly ChannelAdapter[];
  /** The worker's own channels; they win over the plan's of the same name. */
  channels: Readonly<Record<string, ChannelSpec>>;
  links: LinkedGates;
  grants: LastingGrants;
  seals: Seals;
  /** Where the listener for answers from chats and links can be reached from outside, if anywhere. */
  callbackUrl?: string;
  /** The flags that printed commands need to reach the server, with a space before them. */
  commandFlags?: string;
  prices: PriceTable;
  /** Names of models by their use. */
  models?: Readonly<Record<string, ModelAlias>>;
  toolServers?: ToolServers;
  /**
   * The folder in which a step's agents work, absolute: the one the step names, relative to the worker's own, or one that is made for the
   * step and kept over its rounds and tries. Absent: the worker's own. Fails with `agent.no-folder`, `store.unavailable`.
   */
  workFolder?(workflowId: string, address: Address, named?: string): Promise<string>;
  /** The host that has these folders: others have folders of their own. Absent: all workers that share the store share them. */
  folderHost?: HostLife;
  /** Removes the empty ones of the folders in which steps of a run have worked. Never fails: it is only tidiness. */
  endWork?(workflowId: string): Promise<void>;
  workHead?: WorkHead;
  /** Absent: steps with a worktree fail. */
  worktrees?: HostWorktrees;
  /** Absent: this worker serves no merge queues. */
  mergeHost?: MergeHost;
  /** The task queue of the workers that take workflows. @default TASK_QUEUE */
  taskQueue?: string;
  /** Asks the server that a call comes from. Absent: nobody is asked or woken. */
  queueAsker?: QueueAsker;
  /** Asks teams on the same server. Absent: there are none. */
  teamAsker?: TeamAsker;
  toolSettings?: ToolSettings;
  /** Roles of briefs that this worker has registered. */
  roles?: readonly Role[];
  /** How agents reach files and the web. Absent: they do not. */
  toolPorts?: ToolPorts;
  /** The slots of a pipeline's agents over the fleet. Absent: nothing limits them. */
  slots?: FleetSlots;
  /** How many of a pipeline's agents are in flight at once. @default the pipeline's own number, and at least 8 */
  agentsInFlight?: number;
  /** How long an agent may say nothing. @default 900000 */
  stuckMs?: number;
  /** The timer of conversations and silences. @default the machine's clock */
  timer?: Timer;
  /** @default Date.now */
  nowMs?: () => number;
  /** Counts the activity of agents. */
  metrics?: Metrics;
  /** Absent: nobody gets traces. */
  traces?: Traces;
  /** Keeps the output of commands and agents' programs. Absent: it is not kept. */
  logs?: StepLogs;
  /** The attributes that the server knows. */
  searchAttributes: readonly SearchAttributeName[];
  /** Lays a step's output out where people find it by name; a failure is logged and harms nothing. */
  layOut?(ref: ArtifactRef, workflowId: string, address: Address): Promise<void>;
  /** Outputs of this process that are not stored yet. Absent: an attempt's unstored output is lost with it. */
  unstored?: UnstoredOutput;
  log: Log;
}
