import { dirname, resolve } from 'node:path';
import { load, YAMLException } from 'js-yaml';
import { locationOf, sourceText } from '../../compiler/diagnostics/diagnostic';
import { SEVERAL_DOCUMENTS, secondDocument } from '../../compiler/read/documents';
import type { AdapterSpec, ModelAlias, ToolServerSpec, ToolSettings } from '../../plan/agents/adapter';
import type { PriceTable } from '../../plan/budgets/price';
import { defined } from '../../plan/defined';
import { type Directory, NOBODY } from '../../plan/people/people';
import type { ChannelSpec } from '../../plan/plan';
import type { CallbackSpec, MailSpec, WatchSpec } from '../../plan/run/services';
import { isJsonObject, type Json } from '../../plan/text/json';
import { adapterNames } from '../../worker/adapter-specs';
import type { QueueRule } from '../../worker/queues/queue-rules';
import { readSourceFile } from '../../worker/source-file';
import { folderProblem } from '../../worker/worktrees/folder-problem';
import type { GitAccess } from '../../worker/worktrees/worktree-settings';
import { CommandFailure, EXIT } from '../exit';
import { adapters, refuseUnknown } from './adapters';
import { channels } from './channels';
import { type Fields, type Problems, type Reader, refuse, settingFields, text } from './fields';
import { describeLocation, type LocatedMistake, locateMistakes, mistakeLine } from './located-mistakes';
import { toolServers } from './mcp';
import { models } from './models';
import { checkApprovers, groups, people } from './people';
import { prices } from './prices';
import { queues } from './queues';
import { agentsInFlight, cachedRuns, contextSetting, stackTraces, timezone } from './run-settings';
import { callbacks, mail, metrics } from './services';
import { type ShutdownSpec, shutdown } from './shutdown';
import { tools } from './tools';
import { git, type WrittenWorktrees, worktrees } from './worktrees';

export const SETTINGS_FILE = 'thermidor.yaml';

/** The keys of `thermidor.yaml`. Paths in it are relative to its folder. */
export interface SettingsFile {
  address?: string;
  namespace?: string;
  task_queue?: string;
  state_dir?: string;
  pipelines?: string[];
  channels?: Record<string, ChannelSpec>;
  /** Ways to run agents, laid over the built-in ones. */
  adapters?: Record<string, AdapterSpec>;
  /** Names of models by their use. */
  models?: Record<string, ModelAlias>;
  /** Settings of the tools that leave the step's folder. */
  tools?: ToolSettings;
  /** Servers of tools, by the name that agents list. */
  mcp?: Record<string, ToolServerSpec>;
  /** The context of the agents of every pipeline. */
  context?: Record<string, Json>;
  /** The time zone of triggers that name none. */
  timezone?: string;
  /** How many agents of one pipeline run at once, over all workers. */
  agents_in_flight?: number;
  /** Runs that a worker keeps in memory. */
  cached_runs?: number;
  /** Workers record where each workflow waits. */
  stack_traces?: boolean;
  default_adapter?: string;
  user?: string;
  /** `people` and `groups`. */
  directory?: Directory;
  mail?: MailSpec;
  callbacks?: CallbackSpec;
  prices?: PriceTable;
  /** Where workers serve metrics. */
  metrics?: WatchSpec;
  worktrees?: WrittenWorktrees;
  git?: GitAccess;
  /** The rules of merge queues. */
  queues?: QueueRule[];
  /** How workers end. */
  shutdown?: ShutdownSpec;
}

const TEXT_KEYS = ['address', 'namespace', 'task_queue', 'state_dir', 'default_adapter', 'user'] as const;
const KEYS: readonly string[] = [
  ...TEXT_KEYS,
  'pipelines',
  'channels',
  'people',
  'groups',
  'mail',
  'callbacks',
  'prices',
  'metrics',
  'adapters',
  'models',
  'tools',
  'mcp',
  'context',
  'timezone',
  'agents_in_flight',
  'cached_runs',
  'stack_traces',
  'worktrees',
  'git',
  'queues',
  'shutdown',
];

/** @param shown the file as mistakes name it */
export function readSettingsFile(path: string, shown: string): SettingsFile {
  let content: string;
  try {
    content = readSourceFile(path);
  } catch (error) {
    throw invalid(shown, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const settings = parseSettings(shown, content);
  checkPlaces(settings, dirname(path), shown, content);
  return settings;
}

/** Checks that need the file's location: a folder in which no worktrees may be. */
function checkPlaces({ worktrees }: SettingsFile, folder: string, shown: string, content: string): void {
  const found = worktrees?.folder === undefined ? undefined : folderProblem(resolve(folder, worktrees.folder));
  if (found === undefined) return;
  const mistake = { path: 'worktrees.folder', says: `"worktrees.folder" ${found.says}`, hint: found.hint };
  throw mistaken(shown, locateMistakes(shown, content, [mistake]));
}

/** Every mistake is reported at once, each at its place. */
export function parseSettings(path: string, content: string): SettingsFile {
  const problems: Problems = [];
  const fields = settingFields(parse(path, content), '', KEYS, problems);
  const settings = fields ? readAll(fields, problems) : {};
  if (problems.length > 0) throw mistaken(path, locateMistakes(path, content, problems));
  return settings;
}

function mistaken(path: string, mistakes: readonly LocatedMistake[]): CommandFailure {
  const [only, ...rest] = mistakes;
  if (only === undefined || rest.length > 0) {
    const problems = mistakes.map((mistake) => mistakeLine(path, mistake));
    return new CommandFailure(EXIT.usage, 'settings.invalid', `${path}: ${mistakes.length} mistakes`, { details: { problems, mistakes } });
  }
  return new CommandFailure(EXIT.usage, 'settings.invalid', `${describeLocation(path, only.place)}: ${only.says}`, {
    ...defined({ hint: only.hint }),
    details: { mistakes },
  });
}

function readAll(fields: Fields, problems: Problems): SettingsFile {
  const settings: SettingsFile = {};
  for (const key of TEXT_KEYS) {
    const value = fields.take(key, text);
    if (value !== undefined) settings[key] = value;
  }
  const [found, listed] = [fields.take('pipelines', folders), fields.take('channels', channels)];
  if (found) settings.pipelines = found;
  if (listed) settings.channels = listed;
  const known = fields.take('people', people);
  const together = fields.take('groups', groups(known ?? {}));
  if (known || together) settings.directory = { people: known ?? {}, groups: together ?? {} };
  checkApprovers(listed ?? {}, settings.directory ?? NOBODY, problems);
  const [post, answers, costs] = [fields.take('mail', mail), fields.take('callbacks', callbacks), fields.take('prices', prices)];
  if (post) settings.mail = post;
  if (answers) settings.callbacks = answers;
  if (costs) settings.prices = costs;
  const watched = fields.take('metrics', metrics);
  if (watched) settings.metrics = watched;
  const limits = fields.take('tools', tools);
  if (limits) settings.tools = limits;
  const [context, zone] = [fields.take('context', contextSetting), fields.take('timezone', timezone)];
  if (context) settings.context = context;
  if (zone) settings.timezone = zone;
  const inFlight = fields.take('agents_in_flight', agentsInFlight);
  if (inFlight !== undefined) settings.agents_in_flight = inFlight;
  const cached = fields.take('cached_runs', cachedRuns);
  if (cached !== undefined) settings.cached_runs = cached;
  const traces = fields.take('stack_traces', stackTraces);
  if (traces !== undefined) settings.stack_traces = traces;
  const servers = fields.take('mcp', toolServers);
  if (servers) settings.mcp = servers;
  const [trees, access] = [fields.take('worktrees', worktrees), fields.take('git', git)];
  if (trees) settings.worktrees = trees;
  if (access) settings.git = access;
  const rules = fields.take('queues', queues);
  if (rules) settings.queues = rules;
  const ends = fields.take('shutdown', shutdown);
  if (ends) settings.shutdown = ends;
  readAdapters(fields, settings, problems);
  return settings;
}

/** Checks the keys that name an adapter against the existing ones. */
function readAdapters(fields: Fields, settings: SettingsFile, problems: Problems): void {
  const set = fields.take('adapters', adapters);
  const known = adapterNames(set);
  const aliases = fields.take('models', models(known));
  if (set) settings.adapters = set;
  if (aliases) settings.models = aliases;
  const { default_adapter: fallback } = settings;
  if (fallback !== undefined && !known.includes(fallback)) refuseUnknown(problems, fallback, 'default_adapter', known);
}

const folders: Reader<string[]> = (value, name, problems) => {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  refuse(problems, name, `"${name}" must be a list of folders`);
  return undefined;
};

function parse(path: string, content: string): Record<string, unknown> {
  if (content.trim() === '') return {};
  try {
    const read: unknown = load(content);
    if (read === null || read === undefined) return {};
    if (isJsonObject(read)) return read;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const second = secondDocument(content);
    if (second && second.start <= (error.mark?.position ?? content.length)) {
      const place = locationOf({ source: sourceText(path, content), ...second });
      throw invalid(describeLocation(path, place), SEVERAL_DOCUMENTS);
    }
    const { line = 0, column = 0 } = error.mark ?? {};
    throw invalid(`${path}:${line + 1}:${column + 1}`, `is not YAML: ${error.reason}`);
  }
  throw invalid(path, 'must be a mapping of settings');
}

function invalid(path: string, problem: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'settings.invalid', `${path}: ${problem}`);
}
