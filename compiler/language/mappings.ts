import { POST_MORTEM_ROWS } from '../../kinds/post-mortem/keys';
import { type KINDS, kindRow, WRITTEN_KINDS, type WrittenKind } from './kinds';
import { AGENT_DEFINITION_ROWS, AGENT_LIMITS_ROWS } from './mappings/agent';
import { CATEGORY_POLICY_ROWS } from './mappings/category';
import { ARG_ROWS, BUDGET_ROWS, CHANNEL_ROWS, LEVEL_ROWS, LIMITS_ROWS, TRIGGER_ROWS } from './mappings/file';
import { MEMORY_ROWS } from './mappings/memory';
import {
  APPROVAL_OBJECT_ROWS,
  INPUT_OBJECT_ROWS,
  NOTIFY_OBJECT_ROWS,
  RETRY_ROWS,
  SIGNAL_ROWS,
  STREAM_ROWS,
  TESTS_ROWS,
  UNTIL_ROWS,
  WORKTREE_OBJECT_ROWS,
} from './mappings/step';
import { WEBHOOK_ROWS } from './mappings/web-hook';
import type { KeyRow, MappingRow } from './row';
import { EVERY_STEP_ROWS } from './step';

/** What `defaults:` may hold: keys that many steps take and that do not depend on one step's place or work. */
const DEFAULT_KEYS = [
  'timeout',
  'timeout_ms',
  'retry',
  'on_error',
  'queue',
  'priority',
  'budget',
  'env',
  'cwd',
  'worktree',
  'repair',
  'on_invalid',
  'channel',
  'approvers',
  'identity',
  'comment',
  'remind',
] as const;

const ROWS_ANYWHERE: readonly KeyRow[] = [...EVERY_STEP_ROWS, ...WRITTEN_KINDS.flatMap((kind) => kindRow(kind).rows)];

/** Mappings within the file, and within keys of steps of any kind. */
const SHARED = {
  trigger: { title: '`trigger`', rows: TRIGGER_ROWS },
  'web-hook': { title: '`trigger` with a web hook', rows: WEBHOOK_ROWS },
  arg: { title: 'an arg', whose: 'the arg', such: '{type: string, default: x}', place: 'key of an arg', rows: ARG_ROWS },
  limits: { title: '`limits`', rows: LIMITS_ROWS },
  budget: { title: '`budget`', such: '{tokens: 50000, usd: 2.5}', rows: BUDGET_ROWS },
  channel: { title: 'a channel', whose: 'the channel', such: '{webhook, mention}', rows: CHANNEL_ROWS },
  level: { title: 'a level of `escalation`', rows: LEVEL_ROWS },
  category: { title: 'a category in `requires_approval`', whose: 'the category', rows: CATEGORY_POLICY_ROWS },
  agent: { title: 'an agent', rows: AGENT_DEFINITION_ROWS },
  'agent-limits': { title: 'an agent’s `limits`', what: 'an agent’s "limits"', such: '{turns: 20}', rows: AGENT_LIMITS_ROWS },
  defaults: { title: '`defaults`', rows: DEFAULT_KEYS.flatMap((key) => ROWS_ANYWHERE.find((row) => row.key === key) ?? []) },
  retry: { title: '`retry`', such: '{max: 3, delay: 2s}', place: 'key of retry', rows: RETRY_ROWS },
  approval: { title: '`approval`', rows: APPROVAL_OBJECT_ROWS },
  input: {
    title: '`input`',
    what: '"input" of a step that asks a person',
    such: '{prompt: "…", responseSchema: {type: string}}',
    rows: INPUT_OBJECT_ROWS,
  },
  notify: { title: '`notify`', what: 'a notification', such: '{channel: "#updates", message: "…"}', rows: NOTIFY_OBJECT_ROWS },
  until: { title: '`wait` until a moment', rows: UNTIL_ROWS },
  signal: { title: '`wait` for a signal', rows: SIGNAL_ROWS },
  worktree: { title: '`worktree`', rows: WORKTREE_OBJECT_ROWS },
  tests: { title: '`tests` of a command', what: '"tests" of a command', such: '{format: junit, file: results.xml}', rows: TESTS_ROWS },
  stream: { title: '`for_each` over a stream', what: 'a `for_each` over a stream', rows: STREAM_ROWS },
  'post-mortem': { title: '`post_mortem`', such: '{when: notable, memory: team.md}', rows: POST_MORTEM_ROWS },
  memory: { title: '`memory`', rows: MEMORY_ROWS },
} as const satisfies Record<string, MappingRow>;

/** Those of each kind. */
type OwnMappings = { [K in WrittenKind]: (typeof KINDS)[K] extends { mappings: infer Own } ? Own : never }[WrittenKind];
type Mappings = typeof SHARED & { [Name in NameIn<OwnMappings>]: Extract<OwnMappings, Record<Name, unknown>>[Name] };
type NameIn<Union> = Union extends unknown ? keyof Union : never;
export type MappingName = keyof Mappings;

/** Mappings within the file and its steps, by the name that rows use. */
const MAPPINGS = Object.assign({ ...SHARED }, ...WRITTEN_KINDS.map((kind) => kindRow(kind).mappings)) as Mappings;

export const MAPPING_NAMES = Object.keys(MAPPINGS) as readonly MappingName[];

export type RowsOfMapping<Name extends MappingName> = Mappings[Name]['rows'];

/** `name`: that of a row. `test/language/page.test.ts` looks all of them up. */
export function mappingNamed(name: string): MappingRow {
  const found = (MAPPINGS as Readonly<Record<string, MappingRow>>)[name];
  if (!found) throw new Error(`the language has no mapping "${name}"`);
  return found;
}

export function mappingRows(name: MappingName): readonly KeyRow[] {
  return mappingNamed(name).rows;
}

/** What a mapping is called in headings. */
export function mappingTitle(name: string): string {
  return mappingNamed(name).title;
}
