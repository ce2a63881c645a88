import { KeyedCallSeals } from '../activities/adapters/call-seals';
import { createGit } from '../activities/adapters/git/git';
import { gitHead } from '../activities/adapters/git-head';
import { FetchClient } from '../activities/adapters/http-client';
import { KeyedGateLinks } from '../activities/adapters/keyed-gate-links';
import { McpToolServers } from '../activities/adapters/mcp/tool-servers';
import { GroupProcessRunner } from '../activities/adapters/processes/process-runner';
import { DirectorySeals } from '../activities/adapters/seals';
import { LocalSecrets } from '../activities/adapters/secrets';
import { DiskSharedFiles } from '../activities/adapters/shared-text-files';
import { DiskTextFiles } from '../activities/adapters/text-files';
import { ThreadTextMatching } from '../activities/adapters/threads/pattern-matching';
import type { AgentAdapter } from '../activities/agent-port';
import type { Log } from '../activities/log';
import { maskedLog } from '../activities/masking/masked-log';
import type { Metrics } from '../activities/metrics';
import type { CallSeals } from '../activities/ports';
import type { WorkerToolbox } from '../activities/toolbox';
import type { Tool } from '../activities/tools/tool';
import type { HostLife } from '../activities/worktree-port';
import { createSenders, type SenderSettings } from '../channels/senders';
import type { ToolSettings } from '../plan/agents/adapter';
import { defined } from '../plan/defined';
import { NOBODY } from '../plan/people/people';
import { TASK_QUEUE } from '../plan/run/contract';
import type { SearchAttributeName } from '../plan/run/search-attributes';
import type { CallbackSpec, EncryptionSpec, MailSpec, TraceSpec } from '../plan/run/services';
import type { Handovers } from '../records/handovers';
import type { Records } from '../records/records';
import { serviceKey } from '../records/service-key';
import { createAdapters } from './adapters';
import { installationOf, type PlaceSettings } from './installation';
import { keyTexts } from './key-ring';
import { PipelineFiles } from './pipeline-files';
import { createMergeHost } from './queues/merge-host';
import { type QueueRule, rulesOf } from './queues/queue-rules';
import { registeredRoles } from './registered-roles';
import { createToolPorts } from './tool-ports';
import { type TraceSender, traceSender } from './trace-sender';
import { folderHost, removeEmptyFolders, workFolder } from './work-folder';
import { hostId } from './worktrees/host-id';
import { createHostWorktrees, type HostWorktreesOptions } from './worktrees/host-worktrees';
import { type GitAccess, settingsOrDefault, type WorktreeSettings } from './worktrees/worktree-settings';

export interface ToolboxOptions extends PlaceSettings {
  records: Records;
  /** Where artifacts and ledger are, and the folders of steps. */
  stateDir: string;
  /** The database that has the records. @default the state folder has them */
  store?: string;
  pipelineDirs: readonly string[];
  /** @default no mail is sent */
  mail?: MailSpec;
  /** Its keys are masked. */
  encryption?: EncryptionSpec;
  /** Settings of the listener: how its seals are checked, and where it can be reached. */
  callbacks?: CallbackSpec;
  /** An application’s own ways to run agents, made in code (docs/adapters.md). Each wins over another of its name. @default none */
  ownAdapters?: readonly AgentAdapter[];
  /** An application’s own tools, by name, in addition to those of every worker. @default none */
  ownTools?: Readonly<Record<string, Tool>>;
  toolSettings?: ToolSettings;
  /** The namespace of the runs, for records of worktrees. @default 'default' */
  namespace?: string;
  /** @default TASK_QUEUE */
  taskQueue?: string;
  /** Settings of steps' worktrees. @default the user's folder of worktrees, with the defaults of `WorktreeSettings` */
  worktrees?: WorktreeSettings;
  /** The rules of merge queues. @default the defaults for each */
  mergeQueues?: readonly QueueRule[];
  /** How git reaches repositories and remotes. @default nothing but what the environment has */
  git?: GitAccess;
  /** Counts the activity of agents. @default nobody counts */
  metrics?: Metrics;
  /** The collector that gets traces. @default none */
  traces?: TraceSpec;
  /** The adapter of agents that name none. */
  defaultAdapter: string;
  /**
   * How many agents of one pipeline are in flight at once, over all workers that share the state folder. @default the pipeline's own
   * number, and at least 8
   */
  agentsInFlight?: number;
  /** The flags that printed commands need to reach the server, with a space before them. */
  commandFlags?: string;
  searchAttributes: readonly SearchAttributeName[];
  log: Log;
}

/** Joins the adapters to the ports. The one place that decides which implementations a worker uses. */
export function createToolbox(options: ToolboxOptions): WorkerToolbox & { traces?: TraceSender } {
  const { records, stateDir, pipelineDirs, channels, defaultAdapter, searchAttributes, callbacks } = options;
  const { directory = NOBODY, prices = { models: {} }, adapters = {}, models = {}, toolSettings = {}, toolServers = {} } = options;
  const { ownAdapters = [], ownTools = {} } = options;
  const { mergeQueues = [] } = options;
  const host = hostOf(options);
  const place = installationOf(options);
  const secrets = new LocalSecrets(process.env, keyTexts(options.encryption));
  const log = maskedLog(options.log, secrets);
  const key = (): Promise<Buffer> => serviceKey(records.key, secrets, callbacks?.secret);
  return {
    artifacts: records.artifacts,
    control: records.control,
    ledger: records.ledger,
    runs: records.runs,
    ended: records.ended,
    pipelines: new PipelineFiles(pipelineDirs, {
      ...place,
      adapters: [...(place.adapters ?? []), ...ownAdapters.map(({ name }) => name)],
      registeredRoles: registeredRoles(),
    }),
    processes: new GroupProcessRunner(),
    environments: records.environments,
    secrets,
    http: new FetchClient(),
    files: new DiskTextFiles(),
    sharedFiles: new DiskSharedFiles(),
    matching: new ThreadTextMatching(),
    adapters: createAdapters({ adapters, own: ownAdapters, secrets }),
    defaultAdapter,
    models,
    tools: ownTools,
    toolSettings,
    roles: registeredRoles(),
    unstored: new Map(),
    toolPorts: createToolPorts(toolSettings, stateDir),
    toolServers: new McpToolServers(toolServers, secrets),
    ...defined({ folderHost: options.store === undefined ? undefined : folderLife(host, stateDir) }),
    workFolder: (workflowId, address, named) => workFolder(stateDir, workflowId, address, named),
    endWork: (workflowId) => removeEmptyFolders(stateDir, workflowId),
    workHead: gitHead,
    worktrees: createHostWorktrees(host),
    mergeHost: createMergeHost({ ...host, rules: (target) => rulesOf(mergeQueues, target, host.git.remotes.identity) }),
    ...defined({ taskQueue: options.taskQueue }),
    channelAdapters: createSenders({ secrets, directory, mail: options.mail, line: messageLine(options.encryption, log) }),
    channels,
    links: new KeyedGateLinks(records.links, key),
    seals: new DirectorySeals(directory.people, secrets, key),
    ...defined({ callbackUrl: callbacks?.url, commandFlags: options.commandFlags }),
    prices,
    slots: records.slots,
    grants: records.grants,
    ...defined({ agentsInFlight: options.agentsInFlight, metrics: options.metrics }),
    ...defined({ traces: options.traces && traceSender(options.traces, { secrets, log, metrics: options.metrics }) }),
    searchAttributes,
    logs: records.logs,
    layOut: (ref, workflowId, address) => records.outputs.layOut(ref, workflowId, address),
    log,
  };
}

/** By the store's own key: whatever else their settings say, workers of one store know each other's calls. */
export function createCallSeals({ key }: Pick<Records, 'key'>): CallSeals {
  return new KeyedCallSeals(key);
}

/** What people are asked and told is content: where that is sealed, the log only says that there was a message. */
function messageLine(encryption: EncryptionSpec | undefined, log: Log): SenderSettings['line'] {
  if (encryption === undefined) return (text, fields) => log('info', text, fields);
  return (_, fields) => log('info', `a message to ${fields['channel']}: with encryption no log has its text`, fields);
}

/** Undefined if the store does not take it: whichever worker gets work begins it. */
export async function createHandovers(records: Pick<Records, 'handovers'>, log: Log): Promise<Handovers | undefined> {
  try {
    return await records.handovers();
  } catch (error) {
    log('warn', 'the handovers between workers are not known', { problem: String(error) });
    return undefined;
  }
}

/** The host of the folders in a state folder; it is alive while a worker uses that. */
function folderLife({ presence, settings }: Pick<HostWorktreesOptions, 'presence' | 'settings'>, stateDir: string): HostLife {
  return {
    host: () => folderHost(stateDir),
    announce: async (says) => presence.announce(await folderHost(stateDir), says),
    isAlive: (id) => presence.isAlive(id),
    ...defined({ silentMs: settings.silentMs }),
  };
}

function hostOf({ records, namespace = 'default', taskQueue = TASK_QUEUE, git, log, ...options }: ToolboxOptions): HostWorktreesOptions {
  const settings = settingsOrDefault(options.worktrees);
  const unheard = (host: string, problem: unknown) =>
    log('warn', 'this host cannot give a sign of life', { host, problem: String(problem) });
  return {
    git: createGit({ environment: process.env, ...git }),
    settings,
    // Dead by the time that somebody looks.
    presence: records.presence(unheard, settings.silentMs === undefined ? {} : { deadAfterMs: (settings.silentMs * 2) / 3 }),
    id: () => hostId(settings.folder),
    storeId: () => records.identity.storeId(),
    namespace,
    taskQueue,
    workFolder: process.cwd(),
    environment: process.env,
  };
}
