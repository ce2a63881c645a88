import { dirname, resolve } from 'node:path';
import { load, YAMLException } from 'js-yaml';
import { locationOf, sourceText } from '../../compiler/diagnostics/diagnostic';
import { SEVERAL_DOCUMENTS, secondDocument } from '../../compiler/read/documents';
import type { ModelAlias } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import { type Directory, NOBODY } from '../../plan/people/people';
import { isJsonObject } from '../../plan/text/json';
import { adapterNames } from '../../worker/adapter-specs';
import { readSourceFile } from '../../worker/source-file';
import { folderProblem } from '../../worker/worktrees/folder-problem';
import { CommandFailure, EXIT } from '../exit';
import { adapters, refuseUnknown } from './adapters';
import { channels } from './channels';
import { encryption } from './encryption';
import { type Mistake, must, type Problems, type ReadBy, type Reader, record, text, texts, unread } from './fields';
import { describeLocation, type LocatedMistake, locateMistakes, mistakeLine } from './located-mistakes';
import { toolServers } from './mcp';
import { models } from './models';
import { checkApprovers, groups, people } from './people';
import { prices } from './prices';
import { queues } from './queues';
import { retention } from './retention';
import { agentsInFlight, cachedRuns, contextSetting, loadSetting, shutdown, stackTraces, timezone, versions } from './run-settings';
import { callbacks, mail, metrics, traces } from './services';
import { artifacts, store, storeSchema } from './store';
import { tools } from './tools';
import { git, worktrees } from './worktrees';

export const SETTINGS_FILE = 'thermidor.yaml';

/** The keys of `thermidor.yaml`. Paths in it are relative to its folder. */
const READERS = {
  address: text,
  namespace: text,
  task_queue: text,
  state_dir: text,
  store,
  store_schema: storeSchema,
  artifacts,
  /** Keys, and what is sealed with them. */
  encryption,
  pipelines: must('a list of folders', (value) =>
    Array.isArray(value) && value.every((item): item is string => typeof item === 'string') ? value : undefined,
  ),
  channels,
  people,
  groups: unread,
  user: text,
  /** Ways to run agents, laid over the built-in ones. */
  adapters,
  default_adapter: text,
  /** Names of models by their use. */
  models: unread,
  /** Settings of the tools that leave the step's folder. */
  tools,
  /** Roles of briefs that an application's own workers register. */
  roles: record({ own: texts }),
  /** Servers of tools, by the name that agents list. */
  mcp: toolServers,
  /** The context of the agents of every pipeline. */
  context: contextSetting,
  /** The time zone of triggers that name none. */
  timezone,
  /** How many agents of one pipeline run at once, over all workers. */
  agents_in_flight: agentsInFlight,
  /** Runs that a worker keeps in memory. */
  cached_runs: cachedRuns,
  /** Workers record where each workflow waits. */
  stack_traces: stackTraces,
  /** How the server tells builds of this program apart. */
  versions,
  mail,
  callbacks,
  prices,
  /** Where workers serve metrics. */
  metrics,
  /** Where workers send traces. */
  traces,
  /** How old things get. */
  retention,
  worktrees,
  git,
  /** The rules of merge queues. */
  queues,
  /** How workers end. */
  shutdown,
  /** Above which load a worker begins nothing more. */
  load: loadSetting,
};

export interface SettingsFile extends Omit<ReadBy<typeof READERS>, 'people' | 'groups' | 'models'> {
  /** `people` and `groups`. */
  directory?: Directory;
  models?: Record<string, ModelAlias>;
}

/** @param shown the file as mistakes name it */
export function readSettingsFile(path: string, shown: string): SettingsFile {
  const content = contentOf(path, shown);
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

function contentOf(path: string, shown: string): string {
  try {
    return readSourceFile(path);
  } catch (error) {
    throw invalid(shown, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A mistake that only others can see, such as one about a key and a variable. */
export function settingsMistake(path: string, shown: string, mistake: Mistake): CommandFailure {
  return mistaken(shown, locateMistakes(shown, contentOf(path, shown), [mistake]));
}

/** Every mistake is reported at once, each at its place. */
export function parseSettings(path: string, content: string): SettingsFile {
  const problems: Problems = [];
  const settings = readAll(parse(path, content), problems);
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

function readAll(content: Record<string, unknown>, problems: Problems): SettingsFile {
  const { people, groups: writtenGroups, models: writtenModels, ...settings } = record(READERS)(content, '', problems) ?? {};
  const read = <T>(value: unknown, name: string, reader: Reader<T>) => (value === undefined ? undefined : reader(value, name, problems));
  const together = read(writtenGroups, 'groups', groups(people ?? {}));
  const directory = people || together ? { people: people ?? {}, groups: together ?? {} } : undefined;
  checkApprovers(settings.channels ?? {}, directory ?? NOBODY, problems);
  const known = adapterNames(settings.adapters);
  const { default_adapter: fallback } = settings;
  if (fallback !== undefined && !known.includes(fallback)) refuseUnknown(problems, fallback, 'default_adapter', known);
  return { ...settings, ...defined({ directory, models: read(writtenModels, 'models', models(known)) }) };
}

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
