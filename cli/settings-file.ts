import { readFileSync } from 'node:fs';
import { load, YAMLException } from 'js-yaml';
import { didYouMean } from '../compiler/diagnostics/suggest';
import { isJsonObject } from '../plan/json';
import type { ChannelSpec } from '../plan/plan';
import { CommandFailure, EXIT } from './exit';

export const SETTINGS_FILE = 'thermidor.yaml';

/** What `thermidor.yaml` may say. Paths in it are relative to its folder. */
export interface SettingsFile {
  address?: string;
  namespace?: string;
  task_queue?: string;
  state_dir?: string;
  pipelines?: string[];
  channels?: Record<string, ChannelSpec>;
  default_adapter?: string;
  user?: string;
}

const TEXT_KEYS = ['address', 'namespace', 'task_queue', 'state_dir', 'default_adapter', 'user'] as const;
const KEYS: readonly string[] = [...TEXT_KEYS, 'pipelines', 'channels'];
const CHANNEL_KEYS = ['webhook', 'mention'] as const;

export function readSettingsFile(path: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseSettings(path, text);
}

/** Every mistake is reported at once. */
export function parseSettings(path: string, text: string): SettingsFile {
  const content = parse(path, text);
  const problems: string[] = [];
  const settings: SettingsFile = {};
  for (const [key, value] of Object.entries(content)) {
    const textKey = TEXT_KEYS.find((known) => known === key);
    if (textKey !== undefined) {
      if (typeof value === 'string' && value !== '') settings[textKey] = value;
      else problems.push(`"${key}" must be text`);
    } else if (key === 'pipelines') {
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) settings.pipelines = value;
      else problems.push('"pipelines" must be a list of folders');
    } else if (key === 'channels') {
      settings.channels = readChannels(value, problems);
    } else problems.push(`unknown key "${key}"; ${didYouMean(key, KEYS) ?? `known: ${KEYS.join(', ')}`}`);
  }
  const [first, ...rest] = problems;
  if (first !== undefined)
    throw invalid(path, rest.length === 0 ? first : `${problems.length} mistakes`, rest.length === 0 ? undefined : problems);
  return settings;
}

function parse(path: string, text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const content: unknown = load(text);
    if (content === null || content === undefined) return {};
    if (isJsonObject(content)) return content;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw invalid(`${path}:${(error.mark?.line ?? 0) + 1}`, `is not YAML: ${error.reason}`);
  }
  throw invalid(path, 'must be a mapping of settings');
}

function readChannels(value: unknown, problems: string[]): Record<string, ChannelSpec> {
  const channels: Record<string, ChannelSpec> = {};
  if (!isJsonObject(value)) {
    problems.push('"channels" must be a mapping from a channel to {webhook, mention}');
    return channels;
  }
  for (const [name, spec] of Object.entries(value)) {
    if (!isJsonObject(spec)) {
      problems.push(`channel "${name}" must be a mapping with webhook or mention`);
      continue;
    }
    const read: ChannelSpec = {};
    for (const [key, entry] of Object.entries(spec)) {
      const known = CHANNEL_KEYS.find((candidate) => candidate === key);
      if (known === undefined) problems.push(`channel "${name}": unknown key "${key}"; known: ${CHANNEL_KEYS.join(', ')}`);
      else if (typeof entry !== 'string') problems.push(`channel "${name}": "${key}" must be text`);
      else read[known] = entry;
    }
    channels[name] = read;
  }
  return channels;
}

function invalid(path: string, problem: string, problems?: string[]): CommandFailure {
  return new CommandFailure(EXIT.usage, 'settings.invalid', `${path}: ${problem}`, problems === undefined ? {} : { details: { problems } });
}
