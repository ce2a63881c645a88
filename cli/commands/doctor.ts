import type { PriceTable } from '../../plan/budgets/price';
import { CHAT_NAMES, CHATS } from '../../plan/people/chats';
import type { CallbackSpec, EncryptionSpec, WatchSpec } from '../../plan/run/services';
import { duration } from '../../plan/text/duration';
import type { RetentionLimits } from '../../records/pruning/prune-store';
import type { LoadLimits } from '../../worker/activity-slots';
import { adapterSpecs } from '../../worker/adapter-specs';
import { defaultCachedRuns } from '../../worker/cached-runs';
import { SHUTDOWN_GRACE_MS } from '../../worker/shutdown-times';
import { DEFAULT_KEEP_REFS_DAYS, DEFAULT_PORTS } from '../../worker/worktrees/worktree-settings';
import { checkAgentPrograms } from '../checks/agent-programs';
import { checkAgents } from '../checks/agents';
import { type Check, failed } from '../checks/check';
import { checkEndpoints } from '../checks/endpoints';
import { interestOf } from '../checks/interest';
import { checkKept } from '../checks/kept';
import { checkKeys } from '../checks/keys';
import { checkMachine } from '../checks/machine';
import { checkModels, checkUnpriced } from '../checks/models';
import { checkPipelines } from '../checks/pipelines';
import { checkPrices } from '../checks/prices';
import { checkSecrets } from '../checks/secrets';
import { checkServer } from '../checks/server';
import { checkServing } from '../checks/serving';
import { checkStore } from '../checks/store';
import { checkToolServers } from '../checks/tool-servers';
import { inTrialFolder } from '../checks/trial-folder';
import { checkWorktrees } from '../checks/worktrees';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { chooseAdapterHere } from '../pipelines/run-by';
import { alignColumns } from '../rendering/text/table';
import { type FolderAgents, folderAgents } from '../serving/folder-agents';
import type { Configuration } from '../settings/configuration';
import { shownStore } from '../settings/records';
import type { Setting } from '../settings/setting';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { wantedTriggers } from '../triggers/trigger-news';

/** Runs every check, whatever the earlier ones found, and says what to do about each. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const checks = await inTrialFolder(configuration.stateDir.value, (folder) => allChecks(configuration, terminal, folder));
  const settings = settingsOf(configuration);
  const ok = !checks.some(failed);
  if (options.flag('json')) terminal.out(`${JSON.stringify({ ok, checks, settings }, null, 2)}\n`);
  else print(checks, settings, terminal);
  return ok ? EXIT.done : EXIT.failed;
}

/** @param folder replaces the state folder for checks that write */
async function allChecks(configuration: Configuration, terminal: Terminal, folder: string): Promise<Check[]> {
  const found = await folderAgents(configuration, terminal.cwd);
  const inFolder = { ...configuration, stateDir: { ...configuration.stateDir, value: folder } };
  return [
    ...checkMachine(),
    ...checkWorktrees(configuration),
    ...(await checkStore(configuration, folder)),
    ...(await checkKept(configuration)),
    checkPipelines(configuration),
    ...(await checkSecrets(configuration, terminal.env, wantedTriggers(configuration, terminal.cwd))),
    ...(await checkServing(configuration)),
    ...checkKeys(configuration),
    // Slow checks run in parallel.
    ...(await Promise.all([agentChecks(found, configuration, terminal), serverChecks(found, inFolder, terminal)])).flat(),
  ];
}

function serverChecks({ queues }: FolderAgents, configuration: Configuration, { cwd, err, colors }: Terminal): Promise<Check[]> {
  return checkServer(configuration, { cwd, queues }, (line) => err(`${colors.dim(line)}\n`));
}

/** Checks what runs the agents. No model service is contacted, so nothing is paid. */
async function agentChecks(found: FolderAgents, configuration: Configuration, { env }: Terminal): Promise<Check[]> {
  const { adapters, models, prices, toolServers, root } = configuration;
  const specs = adapterSpecs(adapters.value);
  const aliases = Object.keys(models.value).map((model) => ({ model }));
  const run = [...found.agents, ...aliases].map((one) => chooseAdapterHere(one, configuration));
  const interest = interestOf(found.agents, configuration);
  const groups = await Promise.all([
    checkEndpoints(specs, interest, env),
    checkAgentPrograms(specs, new Set([...interest.setUp, ...interest.used]), env),
    checkModels(models.value),
    [checkPrices(prices.value, Date.now())],
    checkUnpriced(run, specs, prices.value),
    checkToolServers(toolServers.value, root, env),
    checkAgents(found, configuration, env),
  ]);
  return groups.flat();
}

interface ShownSetting {
  name: string;
  value: string;
  source: string;
}

/** Shows that secrets are there, never what they are. */
function settingsOf(configuration: Configuration): ShownSetting[] {
  const shown = (name: string, setting: Setting<unknown>, value = textOf(setting.value)): ShownSetting => ({
    name,
    value,
    source: setting.source,
  });
  return [
    shown('address', configuration.address, configuration.address.value ?? 'embedded'),
    shown('namespace', configuration.namespace),
    shown('task_queue', configuration.taskQueue),
    shown('api key', configuration.apiKey, configuration.apiKey.value === undefined ? 'none' : 'set'),
    shown('tls', configuration.tls, configuration.tls.value === undefined ? 'off' : 'on'),
    shown('state_dir', configuration.stateDir),
    shown('store', configuration.store, configuration.store.value === undefined ? 'the state folder' : shownStore(configuration)),
    ...(configuration.store.value === undefined ? [] : [shown('store_schema', configuration.storeSchema)]),
    shown('artifacts', configuration.artifacts, configuration.artifacts.value ?? 'the store'),
    shown('pipelines', configuration.pipelines),
    shown('channels', configuration.channels, namesOf(configuration.channels.value)),
    shown('people', configuration.directory, namesOf(configuration.directory.value.people)),
    shown('groups', configuration.directory, namesOf(configuration.directory.value.groups)),
    shown('mail', configuration.mail, configuration.mail.value === undefined ? 'none' : `from ${configuration.mail.value.from}`),
    shown('callbacks', configuration.callbacks, describeCallbacks(configuration.callbacks.value)),
    shown('encryption', configuration.encryption, describeEncryption(configuration.encryption.value)),
    shown('retention', configuration.retention, describeRetention(configuration.retention.value)),
    shown('prices', configuration.prices, describePrices(configuration.prices.value)),
    shown('metrics', configuration.metrics, describeWatch(configuration.metrics.value)),
    shown('traces', configuration.traces, configuration.traces.value?.url ?? 'off'),
    shown('adapters', configuration.adapters, namesOf(configuration.adapters.value)),
    shown('models', configuration.models, namesOf(configuration.models.value)),
    shown('mcp', configuration.toolServers, namesOf(configuration.toolServers.value)),
    shown(
      'agents_in_flight',
      configuration.agentsInFlight,
      String(configuration.agentsInFlight.value ?? 'the limit of each pipeline, at least 8'),
    ),
    shown('cached_runs', configuration.cachedRuns, String(configuration.cachedRuns.value ?? `${defaultCachedRuns()}, by memory`)),
    shown('versions', configuration.versions),
    shown('load', configuration.load, describeLoad(configuration.load.value)),
    shown('shutdown.grace', configuration.shutdownGraceMs, duration(configuration.shutdownGraceMs.value ?? SHUTDOWN_GRACE_MS)),
    shown('stack_traces', configuration.stackTraces, String(configuration.stackTraces.value)),
    shown('worktrees.folder', configuration.worktreesFolder),
    shown('worktrees', configuration.worktrees, describeWorktrees(configuration.worktrees.value)),
    shown('git.config', configuration.gitConfig, configuration.gitConfig.value ?? 'none'),
    shown('git.ssh', configuration.gitSsh, configuration.gitSsh.value ?? 'ssh'),
    shown('default_adapter', configuration.defaultAdapter),
    shown('user', configuration.user, configuration.user.value ?? 'your login name'),
  ];
}

function namesOf(value: object): string {
  return Object.keys(value).join(', ') || 'none';
}

function describeCallbacks({ host, port, url, secret, chats = {}, teams = {}, rate }: CallbackSpec): string {
  const facts: string[] = [];
  if (host !== undefined) facts.push(`host ${host}`);
  if (port !== undefined) facts.push(`port ${port}`);
  if (url !== undefined) facts.push(`reached at ${url}`);
  if (rate !== undefined) facts.push(`${rate} requests a minute`);
  if (secret !== undefined) facts.push('a key of your own');
  for (const chat of CHAT_NAMES) if (chats[chat] !== undefined) facts.push(`answers from ${CHATS[chat].title}`);
  for (const team of Object.keys(teams)) facts.push(`tasks for ${team}`);
  return facts.join(', ') || 'default';
}

function describeEncryption(spec: EncryptionSpec | undefined): string {
  if (spec === undefined) return 'off';
  return `with ${spec.use}${spec.folder === false ? ', not in the state folder' : ''}; keys: ${Object.keys(spec.keys).join(', ')}`;
}

function describeRetention({ runsMs, artifactsMs, logsMs }: RetentionLimits = {}): string {
  const limits = Object.entries({ runs: runsMs, artifacts: artifactsMs, logs: logsMs });
  return limits.flatMap(([of, ms]) => (ms === undefined ? [] : `${of} ${duration(ms)}`)).join(', ') || 'nothing is removed';
}

function describePrices({ models, asOf }: PriceTable): string {
  const names = namesOf(models);
  return asOf === undefined ? names : `${names}, as of ${asOf}`;
}

function describeWatch(spec: WatchSpec | undefined): string {
  return spec === undefined ? 'off' : `port ${spec.port} of ${spec.host ?? '127.0.0.1'}`;
}

function describeLoad({ memory, cpu }: LoadLimits = {}): string {
  const limits = [memory && `memory ${memory} %`, cpu && `processors ${cpu} %`].filter((limit) => limit !== undefined);
  return limits.join(', ') || 'does not count';
}

function describeWorktrees({ ports = DEFAULT_PORTS, keepRefsDays = DEFAULT_KEEP_REFS_DAYS }: Configuration['worktrees']['value']): string {
  return `ports ${ports.from} to ${ports.to} by ${ports.block}, refs kept for ${keepRefsDays} days`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? '');
}

function print(checks: readonly Check[], settings: readonly ShownSetting[], { out, colors }: Terminal): void {
  const marks = { ok: colors.green('✓'), warning: colors.yellow('!'), failed: colors.red('✗') };
  const lines = alignColumns(checks.map(({ name, says }) => [name, says]));
  for (const [i, { state, hint }] of checks.entries()) {
    out(`${marks[state]} ${lines[i]}\n`);
    if (hint !== undefined) out(`  ${colors.cyan('hint:')} ${hint}\n`);
  }
  out(`\n${colors.dim('settings, and where they come from')}\n`);
  const rows = settings.map(({ name, value, source }) => [name, value, colors.dim(source)]);
  for (const line of alignColumns(rows)) out(`  ${line}\n`);
}
