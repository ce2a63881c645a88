import { AGENT_KIND } from '../../kinds/agent/keys';
import { APPROVAL_KIND } from '../../kinds/approval/keys';
import { BOARD_KIND } from '../../kinds/board/keys';
import { BRIEF_KIND } from '../../kinds/brief/keys';
import { CAID_KIND } from '../../kinds/caid/keys';
import { COMMAND_KIND } from '../../kinds/command/keys';
import { CONSENSUS_KIND } from '../../kinds/consensus/keys';
import { CONSULT_KIND } from '../../kinds/consult/keys';
import { COORDINATE_KIND } from '../../kinds/coordinate/keys';
import { ESCALATE_KIND } from '../../kinds/escalate/keys';
import { FOR_EACH_KIND } from '../../kinds/for-each/keys';
import { GROUP_KIND } from '../../kinds/group/keys';
import { INCREMENTS_KIND } from '../../kinds/increments/keys';
import { INPUT_KIND } from '../../kinds/input/keys';
import { MERGE_KIND } from '../../kinds/merge/keys';
import { NOTIFY_KIND } from '../../kinds/notify/keys';
import { PARALLEL_KIND } from '../../kinds/parallel/keys';
import { PIPELINE_KIND } from '../../kinds/pipeline/keys';
import { REPEAT_KIND } from '../../kinds/repeat/keys';
import { REVIEW_KIND } from '../../kinds/review/keys';
import { SWARM_KIND } from '../../kinds/swarm/keys';
import { SWITCH_KIND } from '../../kinds/switch/keys';
import { TASK_KIND } from '../../kinds/task/keys';
import { TRACKS_KIND } from '../../kinds/tracks/keys';
import { WAIT_KIND } from '../../kinds/wait/keys';
import type { StepKind } from '../../plan/steps/step';
import type { KeyRow, KindRow } from './row';
import { CATEGORY_ROWS, EMITS_ROWS } from './shared-rows';
import { EVERY_STEP_ROWS } from './step';

/** The kinds of step that the strict dialect has; pipes of stages are Lobster’s alone, and a post-mortem is a key of the file. */
export type WrittenKind = Exclude<StepKind, 'stages' | 'post_mortem'>;

/** In the order of the table in docs/language.md. */
export const KINDS = {
  agent: AGENT_KIND,
  review: REVIEW_KIND,
  command: COMMAND_KIND,
  approval: APPROVAL_KIND,
  input: INPUT_KIND,
  parallel: PARALLEL_KIND,
  switch: SWITCH_KIND,
  group: GROUP_KIND,
  for_each: FOR_EACH_KIND,
  repeat: REPEAT_KIND,
  coordinate: COORDINATE_KIND,
  pipeline: PIPELINE_KIND,
  merge: MERGE_KIND,
  task: TASK_KIND,
  notify: NOTIFY_KIND,
  wait: WAIT_KIND,
  caid: CAID_KIND,
  board: BOARD_KIND,
  consensus: CONSENSUS_KIND,
  tracks: TRACKS_KIND,
  escalate: ESCALATE_KIND,
  consult: CONSULT_KIND,
  swarm: SWARM_KIND,
  increments: INCREMENTS_KIND,
  brief: BRIEF_KIND,
} as const satisfies Record<WrittenKind, KindRow>;

export const WRITTEN_KINDS = Object.keys(KINDS) as readonly WrittenKind[];

/** All rows of a kind, those of every step first. A branch of several steps has no `type`; a row of the kind’s own wins. */
export function rowsOf(kind: WrittenKind): readonly KeyRow[] {
  const { rows, types } = kindRow(kind);
  return [...EVERY_STEP_ROWS.filter((row) => (row.key !== 'type' || types.length > 0) && !redefines(kind, row.key)), ...rows];
}

/** Whether the kind means something else by a key that every step has. */
export function redefines(kind: WrittenKind, key: string): boolean {
  return [kindRow(kind).rows, EVERY_STEP_ROWS].every((rows: readonly KeyRow[]) => rows.some((row) => row.key === key));
}

/** Keys that several kinds have and that say the same of each: they are read into the step, and not into what its kind does. */
const SHARED = ['worktree', 'category', 'approval', 'emits', 'max_items', 'max_waiting'] as const;

/** A row of what steps of the kind do. `on_reject` is of the approval after the work, if there can be one. */
export type OwnRow<Kind extends WrittenKind> = (typeof KINDS)[Kind] extends { own: true }
  ? never
  : Exclude<RowOf<Kind>, { own: true } | SharedRow | ('approval' extends RowOf<Kind>['key'] ? { key: 'on_reject' } : never)>;
/** `worktree: true` alone is no worktree of the step, but of what it gives to others. */
type SharedRow = { key: Exclude<(typeof SHARED)[number], 'worktree'> } | { key: 'worktree'; type: { kind: 'either' } };
type RowOf<Kind extends WrittenKind> = (typeof KINDS)[Kind]['rows'][number];

/** The rows that steps of the kind are read by in addition to those of every step. */
export function ownRows(kind: WrittenKind): readonly KeyRow[] {
  return OWN_ROWS.get(kind) ?? [];
}

/** The rows that a step is read by, whatever it does; its id and its type are read before. */
export function stepRows(kind: WrittenKind | undefined): readonly KeyRow[] {
  return (kind && STEP_ROWS.get(kind)) ?? COMMON;
}

const COMMON: readonly KeyRow[] = EVERY_STEP_ROWS.filter(({ key }) => key !== 'id' && key !== 'type');
const STREAMING = WRITTEN_KINDS.filter((kind) => kindRow(kind).rows.some(({ key }) => key === 'emits'));
const STEP_ROWS: ReadonlyMap<WrittenKind, readonly KeyRow[]> = new Map(
  // A category counts also for a kind that does not take it, which is a mistake: its approval is not forgotten.
  WRITTEN_KINDS.map((kind) => {
    const common = COMMON.filter(({ key }) => !redefines(kind, key));
    return [kind, [...common, ...CATEGORY_ROWS, ...(STREAMING.includes(kind) ? EMITS_ROWS : [])]];
  }),
);

const OWN_ROWS: ReadonlyMap<WrittenKind, readonly KeyRow[]> = new Map(
  WRITTEN_KINDS.map((kind) => {
    const { rows, own } = kindRow(kind);
    const shared: readonly string[] = rows.some(({ key }) => key === 'approval') ? [...SHARED, 'on_reject'] : SHARED;
    return [kind, own ? [] : rows.filter(({ key, type }) => !shared.includes(key) || (key === 'worktree' && type.kind === 'boolean'))];
  }),
);

/** The kinds with keys in a mapping of their own, and those keys. */
export const BODIES: readonly { kind: WrittenKind; rows: readonly KeyRow[] }[] = WRITTEN_KINDS.flatMap((kind) => {
  const { body } = kindRow(kind);
  return body ? [{ kind, rows: body }] : [];
});

export function kindRow(kind: WrittenKind): KindRow {
  return KINDS[kind];
}
