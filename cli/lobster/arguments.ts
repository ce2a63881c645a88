import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { parseError } from './exit';

/**
 * Parses Lobster's command lines. Pure. Flags are read as `--flag value` and `--flag=value`, at any position; an unknown flag belongs to
 * the program, and one without its value is skipped, as Lobster does.
 */
export interface RunArguments {
  mode: 'human' | 'tool';
  /** Words that are no flags: a file, or the program's words. */
  rest: string[];
  file?: string;
  argsJson?: string;
  dryRun: boolean;
}

export interface ResumeArguments {
  token?: string;
  approvalId?: string;
  answer: LobsterAnswer;
}

/** A person's answer at a gate. */
export type LobsterAnswer = { kind: 'approve' } | { kind: 'reject' } | { kind: 'respond'; response: Json } | { kind: 'cancel' };

export interface GraphArguments {
  help: boolean;
  file?: string;
  format: string;
  argsJson?: string;
}

export function readRunArguments(argv: readonly string[]): RunArguments {
  const read: RunArguments = { mode: 'human', rest: [], dryRun: false };
  const flags = takeFlags(argv, ['--mode', '--file', '--args-json'], (word) => {
    // After the first word it may be a flag of the program.
    if (word === '--dry-run' && read.rest.length === 0) read.dryRun = true;
    else read.rest.push(word);
  });
  if (flags.get('--mode') === 'tool') read.mode = 'tool';
  return { ...read, ...named({ file: flags.get('--file'), argsJson: flags.get('--args-json') }) };
}

export function readGraphArguments(argv: readonly string[]): GraphArguments {
  const rest: string[] = [];
  const flags = takeFlags(argv, ['--file', '--format', '--args-json'], (word) => rest.push(word));
  const help = rest.some((word) => word === '-h' || word === '--help');
  const file = flags.get('--file') ?? rest.find((word) => word !== '-h' && word !== '--help');
  return { help, format: flags.get('--format') || 'mermaid', ...named({ file, argsJson: flags.get('--args-json') }) };
}

/** Fails with a parse error. */
export function readResumeArguments(argv: readonly string[]): ResumeArguments {
  const { words, cancel } = takeCancel(argv);
  const flags = takeFlags(words, ['--token', '--id', '--response-json', '--approve', '--decision'], () => {}, 'bare');
  const token = flags.get('--token');
  const approvalId = flags.get('--id');
  if (!token && !approvalId) throw parseError('resume requires --token or --id');
  const decision = flags.get('--decision') || flags.get('--approve');
  const responseJson = flags.get('--response-json');
  const intents = [Boolean(decision), responseJson !== undefined, cancel].filter(Boolean).length;
  if (intents > 1) throw parseError('resume accepts only one of --approve, --response-json, or --cancel');
  if (intents === 0) throw parseError('resume requires --approve yes|no, --response-json, or --cancel');
  const answer: LobsterAnswer = cancel
    ? { kind: 'cancel' }
    : responseJson !== undefined
      ? { kind: 'respond', response: parseResponse(responseJson) }
      : { kind: readDecision(decision ?? '') };
  return { ...named({ token: token || undefined, approvalId: approvalId || undefined }), answer };
}

function readDecision(text: string): 'approve' | 'reject' {
  const word = text.toLowerCase();
  if (word === 'yes' || word === 'y') return 'approve';
  if (word === 'no' || word === 'n') return 'reject';
  throw parseError('resume --approve must be yes or no');
}

function parseResponse(text: string): Json {
  const response = jsonIn(text);
  if (response === undefined) throw parseError('resume --response-json must be valid JSON');
  return response;
}

/** `--cancel` is alone, or with yes or no. */
function takeCancel(argv: readonly string[]): { words: string[]; cancel: boolean } {
  const words: string[] = [];
  let cancel = false;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word !== '--cancel' && !word.startsWith('--cancel=')) {
      words.push(word);
      // The value of another flag is not one of our flags, whatever it looks like.
      if (TAKES_VALUE.has(word) && i + 1 < argv.length) words.push(argv[++i] ?? '');
      continue;
    }
    const next = argv[i + 1];
    const said = word === '--cancel' ? (next === undefined || next.startsWith('--') ? undefined : next) : word.slice('--cancel='.length);
    if (said !== undefined && word === '--cancel') i++;
    cancel = said === undefined || readBoolean(said);
  }
  return { words, cancel };
}

const TAKES_VALUE: ReadonlySet<string> = new Set(['--token', '--id', '--response-json', '--approve', '--decision']);
const YES = ['1', 'true', 'yes', 'y'];
const NO = ['0', 'false', 'no', 'n'];

function readBoolean(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw parseError('resume --cancel must be true or false');
}

/** The values of the known flags, the last of two winning; every other word goes to `other`. */
function takeFlags(
  argv: readonly string[],
  known: readonly string[],
  other: (word: string) => void,
  empty: 'passed-over' | 'bare' = 'passed-over',
): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const flag = known.find((name) => word === name || word.startsWith(`${name}=`));
    if (flag === undefined) other(word);
    else if (word !== flag) found.set(flag, word.slice(flag.length + 1));
    else {
      const value = argv[i + 1];
      // A flag that is last, or has an empty value, is skipped, and parsing continues normally.
      if (value || (value !== undefined && empty === 'bare')) found.set(flag, argv[++i] ?? '');
    }
  }
  return found;
}

function named<T extends Record<string, string | undefined>>(values: T): { [K in keyof T]?: string } {
  const found: { [K in keyof T]?: string } = {};
  for (const key in values) if (values[key] !== undefined) found[key] = values[key];
  return found;
}

/** Args from any JSON, as Lobster reads it: the entries of an object, or of a list by index; anything else has none. */
export function parseLobsterArgs(value: Json): Record<string, Json> {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, i) => [String(i), item]));
  return isJsonObject(value) ? value : {};
}
