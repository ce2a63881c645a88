import type { StepKind } from '../../plan/steps/step';
import type { ActionKey } from './actions';
import type { ForeignPlace } from './foreign-words';
import type { SimpleType } from './simple-types';

/**
 * The strict language as data: each key with what it takes and what it means. What is read and its type (`shape/read-rows.ts`,
 * `shape/source-of.ts`), the JSON Schema that `thermidor schema` prints and the tables of docs/language.md, docs/file.md and docs/steps/
 * are all made from these rows, so that none of them can know a key that another does not.
 */
export interface KeyRow {
  key: string;
  /** Other spellings; a mapping may have only one of them. */
  aliases?: readonly string[];
  /** Another way to write the value of this key: the two exclude each other. */
  insteadOf?: string;
  type: ValueType;
  /** A text says what to write if the key is absent. */
  required?: true | string;
  /** Keys without any of which this one is refused, and what to write then. */
  requires?: { keys: readonly string[]; hint: string };
  /** The kind has a reader for it, or puts a step behind its own: its type alone does not say how it is read. */
  own?: true;
  /** What the value must be, in words, if they are not those of its type: "a list of commands". */
  takes?: string;
  /** The place for which other systems have words of their own. */
  place?: ForeignPlace;
  /** Why the list may not be empty, and what to write instead. */
  empty?: { why: string; hint: string };
  /** The default if the key is absent, in words. */
  default?: string;
  /** One sentence. */
  meaning: string;
  /** A value as written in YAML; a test compiles it in its place. */
  example: string;
}

/** A mapping whose keys are rows too. */
export interface MappingRow {
  /** In headings. */
  title: string;
  /** In messages. @default its key in quotes */
  what?: string;
  /** In messages about one that has a name: what has it. */
  whose?: string;
  /** How one is written. */
  such?: string;
  /** The place for which other systems have keys of their own. */
  place?: ForeignPlace;
  rows: readonly KeyRow[];
}

export type ValueType =
  | { kind: SimpleType }
  | { kind: 'integer'; min: number; max: number }
  /** Greater than `over`. */
  | { kind: 'number'; over: number; max: number }
  | { kind: 'word'; words: readonly string[] }
  /** With `alone`, a single item may be written without brackets; with `commas`, several names in one text. */
  | { kind: 'list'; of: ValueType; alone?: true; commas?: true; filled?: true }
  | { kind: 'map'; of: ValueType; names: NameRule }
  | { kind: 'mapping'; name: string }
  /** The keys that a kind of step has in a mapping of their own: its row's `body`. */
  | { kind: 'body'; of: StepKind }
  | { kind: 'actions'; key: ActionKey }
  | { kind: 'either'; of: readonly ValueType[] };

/** Texts; a single one may be written without brackets. */
export const TEXTS = { kind: 'list', of: { kind: 'text' }, alone: true } as const satisfies ValueType;

/** What names the keys of a map are. */
export type NameRule = 'arg' | 'agent' | 'output' | 'channel' | 'environment variable' | 'category' | 'any';

/** Every spelling of the keys of some rows, in their order. */
export function spellings(rows: readonly KeyRow[]): string[] {
  return rows.flatMap((row) => [row.key, ...(row.aliases ?? [])]);
}

/** The other way to write a duration: `pause_ms` for `pause`. */
export function inMilliseconds<Key extends string>(key: Key, example: string) {
  return {
    key: `${key}_ms`,
    insteadOf: key,
    type: { kind: 'milliseconds' },
    meaning: `\`${key}\` in milliseconds.`,
    example,
  } as const satisfies KeyRow;
}

/** A kind of step: how it is recognised, its output, and its keys. */
export interface KindRow {
  /** Values of `type` that mean this kind, the usual one first. None for a branch of several steps. */
  types: readonly string[];
  meaning: string;
  /** What `step.field` reads from it. */
  output: string;
  /** Keys in addition to those of every step. */
  rows: readonly KeyRow[];
  /** Mappings within its keys, by the name that rows use. */
  mappings?: Readonly<Record<string, MappingRow>>;
  /** Keys in a mapping of their own, under one of `rows` with the type `body`. */
  body?: readonly KeyRow[];
  /** Its reader reads all of its keys. */
  own?: true;
  /** Keys that identify the kind if there is no `type`. */
  plainBy: readonly string[];
  /** Order among the kinds that their keys identify, because other kinds share keys. 0 comes first. @default 0 */
  yields?: number;
  /** Several kinds have the keys that imply this one: together with the keys of another kind they imply nothing. */
  sharesKeys?: true;
  /** One of `plainBy` is required, whatever `type` says. */
  isAlwaysPlain?: true;
  /** Without `type`, a step of another kind belongs to this one if its output has this name. */
  variant?: { of: Exclude<StepKind, 'stages' | 'post_mortem'>; output: string };
  /** What other systems call its keys, if that differs from what the words mean in other kinds. */
  spellings?: ForeignPlace;
  /** Exactly one of these keys is required; a test and the JSON Schema hold it. */
  oneOf?: readonly string[];
  /** A whole step of the kind, as YAML; `draft` is a step before it. Compiled in a test. */
  example: string;
}
