import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { AdapterSpec, ModelAlias, ToolServerSpec, ToolSettings } from '../../plan/agents/adapter';
import type { PriceTable } from '../../plan/budgets/price';
import { defined } from '../../plan/defined';
import { type Directory, NOBODY } from '../../plan/people/people';
import type { ChannelSpec } from '../../plan/plan';
import { TASK_QUEUE } from '../../plan/run/contract';
import type { VersionMode } from '../../plan/run/deployment';
import type { CallbackSpec, EncryptionSpec, MailSpec, TraceSpec, WatchSpec } from '../../plan/run/services';
import type { Json } from '../../plan/text/json';
import { givenHostName, HOST_VARIABLE, isHostName } from '../../records/locks/host-name';
import type { RetentionLimits } from '../../records/pruning/prune-store';
import type { LoadLimits } from '../../worker/activity-slots';
import type { QueueRule } from '../../worker/queues/queue-rules';
import { isUrl } from '../../worker/worktrees/is-url';
import { defaultWorktreesFolder, type GitAccess, type WorktreeSettings } from '../../worker/worktrees/worktree-settings';
import type { Options } from '../command';
import { usage } from '../exit';
import { relativePath } from '../relative-path';
import { LEAST_LOAD, MOST_LOAD } from './run-settings';
import type { ProcessSurroundings, Setting } from './setting';
import { readSettingsFile, SETTINGS_FILE, type SettingsFile } from './settings-file';
import { type StoreSettings, storeSettings } from './store-settings';
import { readTemporalSettings, type TlsFiles } from './temporal-settings';

export interface Configuration extends StoreSettings {
  /** The folder that state and pipelines belong to: the nearest with `thermidor.yaml` or `.thermidor/`, else the current one. */
  root: string;
  /** Absent address: an embedded server. */
  address: Setting<string | undefined>;
  namespace: Setting<string>;
  taskQueue: Setting<string>;
  apiKey: Setting<string | undefined>;
  tls: Setting<TlsFiles | undefined>;
  stateDir: Setting<string>;
  /** Folders that pipelines are found in by name. */
  pipelines: Setting<string[]>;
  channels: Setting<Record<string, ChannelSpec>>;
  /** Who decides, and who may decide in whose place. */
  directory: Setting<Directory>;
  /** Absent: channels send no mail. */
  mail: Setting<MailSpec | undefined>;
  callbacks: Setting<CallbackSpec>;
  /** Absent: nothing is sealed. */
  encryption: Setting<EncryptionSpec | undefined>;
  /** How old what is no longer needed gets. Absent: nothing is removed. */
  retention: Setting<RetentionLimits | undefined>;
  /** What models cost. */
  prices: Setting<PriceTable>;
  /** Absent: workers serve no metrics. */
  metrics: Setting<WatchSpec | undefined>;
  /** Absent: workers send no traces. */
  traces: Setting<TraceSpec | undefined>;
  /** The time that steps in flight get as a worker ends. */
  shutdownGraceMs: Setting<number | undefined>;
  /** Absent: the load of its host keeps a worker from nothing. */
  load: Setting<LoadLimits | undefined>;
  /** The configured ways to run agents; built-in ones are not in it. */
  adapters: Setting<Record<string, AdapterSpec>>;
  /** Names of models by their use. */
  models: Setting<Record<string, ModelAlias>>;
  /** Settings of the tools that leave the step's folder. */
  toolSettings: Setting<ToolSettings>;
  /** Names of the roles of briefs that an application's own workers register. */
  ownRoles: Setting<readonly string[]>;
  /** Servers of tools, by the name that agents list. */
  toolServers: Setting<Record<string, ToolServerSpec>>;
  /** The context of the agents of every pipeline. */
  context: Setting<Record<string, Json>>;
  /** The time zone of triggers that name none; absent: UTC. */
  timezone: Setting<string | undefined>;
  /** How many agents of one pipeline run at once, over the fleet; absent: the pipeline's own number, and at least 8. */
  agentsInFlight: Setting<number | undefined>;
  /** Runs that a worker keeps in memory; absent: as many as its memory is for. */
  cachedRuns: Setting<number | undefined>;
  /** Workers record where each workflow waits, for Temporal's stack trace query. */
  stackTraces: Setting<boolean>;
  /** How the server tells builds of workers apart. */
  versions: Setting<VersionMode>;
  /** The folder of steps' worktrees on this host. */
  worktreesFolder: Setting<string>;
  /** The rest that is set up of them. */
  worktrees: Setting<Omit<WorktreeSettings, 'folder'>>;
  mergeQueues: Setting<readonly QueueRule[]>;
  gitConfig: Setting<string | undefined>;
  gitSsh: Setting<string | undefined>;
  defaultAdapter: Setting<string>;
  /** Who decides if a decision names nobody. */
  user: Setting<string | undefined>;
}

/** Fails as a CommandFailure (exit 2) that names file and key, or variable. */
export function loadConfiguration(options: Options, around: ProcessSurroundings): Configuration {
  const { cwd, env } = around;
  checkHostName(env);
  const root = stateRoot(cwd, env, around.home);
  const path = join(root, SETTINGS_FILE);
  const file: SettingsFile = existsSync(path) ? readSettingsFile(path, relativePath(path, cwd)) : {};
  const temporal = readTemporalSettings(around);
  const variable = (name: string): Setting<string> | undefined => {
    const value = env[name];
    return value === undefined || value === '' ? undefined : { value, source: name };
  };
  const flag = (name: string, flags: string): Setting<string> | undefined => {
    const value = options.text(name);
    return value === undefined ? undefined : { value, source: flags };
  };
  const inFile = <T>(value: T | undefined): Setting<T> | undefined => (value === undefined ? undefined : { value, source: path });
  const folder = (found: Setting<string>, base: string): Setting<string> => ({ ...found, value: resolve(base, found.value) });

  const inFileFolder = (value: string | undefined): Setting<string> | undefined => {
    const found = inFile(value);
    return found && folder(found, root);
  };
  const variableFolder = (name: string): Setting<string> | undefined => {
    const found = variable(name);
    return found && folder(found, cwd);
  };
  const { folder: worktreesFolder, ...worktrees } = file.worktrees ?? {};

  const stateDir = flag('stateDir', '--state-dir') ?? variable('THERMIDOR_STATE_DIR');
  const address: Configuration['address'] = flag('address', '--address') ??
    variable('THERMIDOR_ADDRESS') ??
    temporal.address ??
    inFile(file.address) ?? { value: undefined, source: 'default: an embedded server' };
  return {
    root,
    address,
    namespace: flag('namespace', '--namespace') ??
      variable('THERMIDOR_NAMESPACE') ??
      temporal.namespace ??
      inFile(file.namespace) ?? { value: 'default', source: 'default' },
    taskQueue: flag('taskQueue', '--task-queue') ??
      variable('THERMIDOR_TASK_QUEUE') ??
      inFile(file.task_queue) ?? { value: TASK_QUEUE, source: 'default' },
    apiKey: temporal.apiKey ?? { value: undefined, source: 'default' },
    tls: temporal.tls ?? { value: undefined, source: 'default' },
    stateDir: stateDir ? folder(stateDir, cwd) : folder(inFile(file.state_dir) ?? { value: '.thermidor', source: 'default' }, root),
    ...storeSettings(file, path, around, variable),
    pipelines: pipelineFolders(variable('THERMIDOR_PIPELINES'), inFile(file.pipelines), cwd, root),
    channels: inFile(file.channels) ?? { value: {}, source: 'default' },
    directory: inFile(file.directory) ?? { value: NOBODY, source: 'default' },
    mail: inFile(file.mail) ?? { value: undefined, source: 'default' },
    callbacks: inFile(file.callbacks) ?? { value: {}, source: 'default' },
    encryption: inFile(file.encryption) ?? { value: undefined, source: 'default' },
    retention: inFile(file.retention) ?? { value: undefined, source: 'default' },
    prices: inFile(file.prices) ?? { value: { models: {} }, source: 'default' },
    metrics: inFile(file.metrics) ?? { value: undefined, source: 'default' },
    traces: inFile(file.traces) ?? { value: undefined, source: 'default' },
    adapters: inFile(file.adapters) ?? { value: {}, source: 'default' },
    models: inFile(file.models) ?? { value: {}, source: 'default' },
    toolSettings: inFile(file.tools) ?? { value: {}, source: 'default' },
    ownRoles: inFile(file.roles?.own) ?? { value: [], source: 'default' },
    toolServers: inFile(file.mcp) ?? { value: {}, source: 'default' },
    context: inFile(file.context) ?? { value: {}, source: 'default' },
    timezone: inFile(file.timezone) ?? { value: undefined, source: 'default: UTC' },
    agentsInFlight: inFile(file.agents_in_flight) ?? { value: undefined, source: 'default' },
    cachedRuns: inFile(file.cached_runs) ?? { value: undefined, source: 'default' },
    versions: inFile(file.versions) ?? versionsAt(address.value),
    stackTraces: inFile(file.stack_traces) ?? { value: false, source: 'default' },
    shutdownGraceMs: inFile(file.shutdown?.graceMs) ?? { value: undefined, source: 'default' },
    load: loadLimits(options, inFile<LoadLimits | undefined>(file.load)),
    worktreesFolder: variableFolder('THERMIDOR_WORKTREES') ??
      inFileFolder(worktreesFolder) ?? { value: defaultWorktreesFolder(env, around.home), source: 'default' },
    worktrees: { value: worktrees, source: file.worktrees === undefined ? 'default' : path },
    mergeQueues: inFile(file.queues?.map((rule) => (isUrl(rule.repo) ? rule : { ...rule, repo: resolve(root, rule.repo) }))) ?? {
      value: [],
      source: 'default',
    },
    gitConfig: variableFolder('THERMIDOR_GIT_CONFIG') ?? inFileFolder(file.git?.configFile) ?? { value: undefined, source: 'default' },
    gitSsh: variable('THERMIDOR_GIT_SSH') ?? inFile(file.git?.sshCommand) ?? { value: undefined, source: 'default' },
    defaultAdapter: variable('THERMIDOR_DEFAULT_ADAPTER') ?? inFile(file.default_adapter) ?? { value: DEFAULT_ADAPTER, source: 'default' },
    user: variable('THERMIDOR_USER') ?? inFile(file.user) ?? { value: undefined, source: 'default' },
  };
}

const DEFAULT_ADAPTER = 'anthropic';

/** The embedded server's only worker is replaced with the program: there is nothing to promote. */
function versionsAt(address: string | undefined): Setting<VersionMode> {
  return address === undefined ? { value: 'off', source: 'default: an embedded server' } : { value: 'auto', source: 'default' };
}

function loadLimits(options: Options, inFile: Setting<LoadLimits | undefined> | undefined): Setting<LoadLimits | undefined> {
  const flag = (name: string, given = options.number(name, LEAST_LOAD)): number | undefined => {
    if (given !== undefined && given > MOST_LOAD)
      throw usage(`${given} % is more than there is`, `--max-memory and --max-cpu: ${LEAST_LOAD} to ${MOST_LOAD}`);
    return given;
  };
  const flags = defined({ memory: flag('maxMemory'), cpu: flag('maxCpu') });
  if (Object.keys(flags).length === 0) return inFile ?? { value: undefined, source: 'default' };
  return { value: { ...inFile?.value, ...flags }, source: '--max-memory, --max-cpu' };
}

/** The settings of this host's worktrees for workers and commands. */
export function worktreeSettings({ worktreesFolder, worktrees }: Configuration): WorktreeSettings {
  return { ...worktrees.value, folder: worktreesFolder.value };
}

export function gitAccess({ gitConfig, gitSsh }: Configuration): GitAccess {
  return defined({ configFile: gitConfig.value, sshCommand: gitSsh.value });
}

function checkHostName(env: NodeJS.ProcessEnv): void {
  const name = givenHostName(env);
  if (name !== undefined && !isHostName(name))
    throw usage(
      `${HOST_VARIABLE} is not a valid name for a host`,
      'letters, digits, ., _ and -, beginning with a letter or digit, at most 63',
    );
}

/** The nearest folder upwards with `thermidor.yaml` or `.thermidor/`. The home folder's `.thermidor` holds nobody's runs. */
function stateRoot(cwd: string, env: NodeJS.ProcessEnv, home: string): string {
  if (env['THERMIDOR_STATE_DIR'] && !existsSync(join(cwd, SETTINGS_FILE)))
    return nearest(cwd, (at) => existsSync(join(at, SETTINGS_FILE))) ?? cwd;
  return nearest(cwd, (at) => existsSync(join(at, SETTINGS_FILE)) || (at !== home && existsSync(join(at, '.thermidor')))) ?? cwd;
}

function nearest(from: string, fits: (folder: string) => boolean): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    if (fits(at)) return at;
    if (dirname(at) === at) return undefined;
  }
}

function pipelineFolders(
  variable: Setting<string> | undefined,
  inFile: Setting<string[]> | undefined,
  cwd: string,
  root: string,
): Setting<string[]> {
  if (variable)
    return {
      ...variable,
      value: variable.value
        .split(delimiter)
        .filter(Boolean)
        .map((path) => resolve(cwd, path)),
    };
  // Also those that are not there yet: a worker finds what is in them as soon as somebody makes them.
  const inRoot = (...names: string[]): string[] => names.map((name) => resolve(root, name));
  if (inFile) return { ...inFile, value: [...new Set(inRoot(...inFile.value, 'teams'))] };
  return { value: inRoot('pipelines', 'teams', '.'), source: 'default' };
}
