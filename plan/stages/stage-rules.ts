import { jsonIn } from '../text/json-text';
import { type KnownStage, STAGES, type StageName } from './stage';

/**
 * The rules of each stage. A check sees the words and flags that are known before a run; a value with a reference in it is `DYNAMIC` and
 * passes. Its result is Lobster's own complaint.
 */
export interface StageRule {
  flags: readonly string[];
  check?: (given: StageArguments) => StageComplaint | undefined;
}

export const DYNAMIC: { readonly knownAt: 'run time' } = { knownAt: 'run time' };
export type StageValue = string | typeof DYNAMIC;

export interface StageArguments {
  words: readonly StageValue[];
  /** The value of a flag; true if it has none, undefined if the flag is absent. */
  flag(name: string): StageValue | true | undefined;
}

/** `at` is the flag or the number of the word it is about; absent: the whole stage. */
export interface StageComplaint {
  message: string;
  at?: string | number;
}

const LLM = [
  'prompt',
  'model',
  'provider',
  'output-schema',
  'max-output-tokens',
  'temperature',
  'token',
  'artifacts-json',
  'metadata-json',
];
const LLM_MORE = ['schema-version', 'max-validation-retries', 'state-key', 'refresh', 'disable-cache'];
const TOOL = ['tool', 'action', 'args-json', 'each', 'item-key', 'dry-run', 'url', 'token', 'session-key'];

export const STAGE_RULES: Readonly<Record<StageName, StageRule>> = {
  exec: { flags: ['json', 'shell', 'stdin'], check: checkExec },
  json: { flags: [] },
  table: { flags: [] },
  pick: { flags: [], check: (given) => needsWord(given, 'pick requires a comma-separated field list') },
  where: { flags: [], check: checkWhere },
  head: { flags: ['n'], check: checkHead },
  map: { flags: ['wrap', 'unwrap'], check: checkMap },
  sort: { flags: ['key', 'desc'] },
  dedupe: { flags: ['key'] },
  groupBy: { flags: ['key'], check: (given) => (hasText(given.flag('key')) ? undefined : { message: 'groupBy requires --key' }) },
  template: { flags: ['text', 'file'], check: checkTemplate },
  approve: { flags: ['prompt', 'emit', 'preview-from-stdin', 'limit'] },
  ask: { flags: ['prompt', 'schema', 'subject-from-stdin', 'emit'], check: checkAsk },
  'diff.last': {
    flags: ['key'],
    check: (given) => (hasText(given.flag('key') ?? given.words[0]) ? undefined : { message: 'diff.last requires --key' }),
  },
  'state.get': { flags: [], check: (given) => needsWord(given, 'state.get requires a key') },
  'state.set': { flags: [], check: (given) => needsWord(given, 'state.set requires a key') },
  'llm.invoke': { flags: [...LLM, ...LLM_MORE], check: checkLlm },
  'openclaw.invoke': { flags: TOOL, check: checkTool },
  'commands.list': { flags: [] },
  'workflows.list': { flags: [] },
};

export interface NamedStage {
  name: StageName;
  /** The name in the text, if that differs. */
  alias?: NonNullable<KnownStage['alias']>;
  /** The meaning of the alias. */
  flags: Readonly<Record<string, string>>;
}

const ALIASES: ReadonlyMap<string, NamedStage> = new Map([
  ['llm_task.invoke', { name: 'llm.invoke', alias: 'llm_task.invoke', flags: { provider: 'openclaw' } }],
  ['clawd.invoke', { name: 'openclaw.invoke', alias: 'clawd.invoke', flags: {} }],
]);

/** The stage of a name, or of another name for it. */
export function stageNamed(written: string): NamedStage | undefined {
  const name = STAGES.find((known) => known === written);
  return ALIASES.get(written) ?? (name && { name, flags: {} });
}

/** Other spellings of flags. */
export const FLAG_ALIASES: ReadonlyMap<string, string> = new Map([
  ['itemKey', 'item-key'],
  ['dryRun', 'dry-run'],
  ['sessionKey', 'session-key'],
  ['subjectFromStdin', 'subject-from-stdin'],
]);

function hasText(value: StageValue | true | undefined): boolean {
  return value !== undefined && value !== '';
}

function needsWord({ words }: StageArguments, message: string): StageComplaint | undefined {
  return hasText(words[0]) ? undefined : { message };
}

function checkExec({ words, flag }: StageArguments): StageComplaint | undefined {
  const shell = flag('shell');
  if (words.length === 0 && (shell === undefined || shell === true)) return { message: 'exec requires a command' };
  const stdin = flag('stdin');
  if (typeof stdin !== 'string' || ['raw', 'json', 'jsonl'].includes(stdin.toLowerCase())) return undefined;
  return { message: `exec --stdin must be raw, json, or jsonl (got ${stdin})`, at: 'stdin' };
}

function checkWhere({ words: [expression] }: StageArguments): StageComplaint | undefined {
  if (!hasText(expression)) return { message: 'where requires an expression (e.g. field=value)' };
  if (typeof expression !== 'string' || /^[\w.]+\s*(?:!=|[=<>]).+$/.test(expression)) return undefined;
  return { message: `Invalid where expression: ${expression}`, at: 0 };
}

function checkHead({ flag }: StageArguments): StageComplaint | undefined {
  const count = flag('n');
  const wrong = typeof count === 'string' && !(Number(count) >= 0 && Number.isFinite(Number(count)));
  return wrong ? { message: 'head --n must be a non-negative number', at: 'n' } : undefined;
}

function checkMap({ flag }: StageArguments): StageComplaint | undefined {
  const both = [flag('wrap'), flag('unwrap')].every((value) => value !== true && hasText(value));
  return both ? { message: 'map cannot use both --wrap and --unwrap', at: 'unwrap' } : undefined;
}

function checkTemplate({ words, flag }: StageArguments): StageComplaint | undefined {
  const given = [flag('text'), flag('file'), words[0]].some((value) => value !== true && hasText(value));
  return given ? undefined : { message: 'template requires --text or --file (or positional text)' };
}

function checkAsk({ flag }: StageArguments): StageComplaint | undefined {
  const schema = jsonOfFlag(flag('schema'));
  if (schema === undefined) return undefined;
  if (schema === INVALID) return { message: 'ask --schema must be valid JSON', at: 'schema' };
  return isPlain(schema) ? undefined : { message: 'ask --schema must decode to a JSON schema object', at: 'schema' };
}

function checkLlm({ words, flag }: StageArguments): StageComplaint | undefined {
  if (![flag('prompt'), words[0]].some(hasText)) return { message: 'llm.invoke requires --prompt or positional text' };
  const provider = flag('provider');
  if (typeof provider === 'string' && !['', 'openclaw', 'pi', 'http'].includes(provider.trim().toLowerCase()))
    return { message: `Unsupported llm provider: ${provider}`, at: 'provider' };
  for (const name of ['output-schema', 'metadata-json']) {
    const value = jsonOfFlag(flag(name));
    if (value !== undefined && !isPlain(value)) return { message: `llm.invoke --${name} must be a JSON object`, at: name };
  }
  const artifacts = jsonOfFlag(flag('artifacts-json'));
  if (artifacts === undefined || Array.isArray(artifacts)) return undefined;
  return { message: 'llm.invoke --artifacts-json must be a JSON array', at: 'artifacts-json' };
}

function checkTool({ flag }: StageArguments): StageComplaint | undefined {
  if (![flag('tool'), flag('action')].every(hasText)) return { message: 'openclaw.invoke requires --tool and --action' };
  const args = jsonOfFlag(flag('args-json'));
  if (args === INVALID) return { message: 'openclaw.invoke --args-json must be valid JSON', at: 'args-json' };
  if (args === undefined || flag('each') === undefined || isPlain(args)) return undefined;
  return { message: 'openclaw.invoke --each requires --args-json to be an object', at: 'args-json' };
}

const INVALID = Symbol('no JSON');

/** Undefined if there is no text to read, or if it is not known yet. */
function jsonOfFlag(value: StageValue | true | undefined): unknown {
  if (typeof value !== 'string' || value === '') return undefined;
  const read = jsonIn(value);
  return read === undefined ? INVALID : read;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
