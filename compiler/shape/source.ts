import type { CommandSource } from '../../kinds/command/source';
import type { CoordinateSourceOf } from '../../kinds/coordinate/source';
import type { LevelSource } from '../../kinds/escalate/source';
import type { ForEachSource } from '../../kinds/for-each/source';
import type { POST_MORTEM_ROWS } from '../../kinds/post-mortem/keys';
import type { RepeatSourceOf } from '../../kinds/repeat/source';
import type { WaitSource } from '../../kinds/wait/source';
import type { BudgetSpec } from '../../plan/budgets/budget';
import type { MemorySpec } from '../../plan/memory/recall';
import type { Category } from '../../plan/people/category';
import type { ArgSpec, ChannelSpec, CronTrigger } from '../../plan/plan';
import type { RetryPolicy } from '../../plan/steps/step';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { OwnRow, WrittenKind } from '../language/kinds';
import type { CATEGORY_POLICY_ROWS } from '../language/mappings/category';
import type { Entry } from '../read/node';
import type { ActionSource } from './action';
import type { EmitsSource } from './emits';
import type { SourceOf } from './source-of';
import type { AfterApprovalSource, WorktreeSource } from './source-parts';
import type { TargetSource } from './target';

/**
 * A pipeline as written, each value read and located, no name looked up yet. A field is absent if it was not written or could not be read.
 */
export interface PipelineShape {
  name?: Located<string>;
  description?: string;
  owner?: Located<string>;
  trigger: TriggerSource;
  args: Map<string, { at: SourceSpan; spec: ArgSpec }>;
  env?: Map<string, Located<TemplateSyntax>>;
  cwd?: TemplateSyntax;
  /** By id: a path, or the definition itself. */
  agents: Map<string, Entry>;
  schemas: Map<string, Entry>;
  limits: { concurrent?: number; depth?: number; children?: number };
  budget?: Located<BudgetSpec>;
  escalation?: Located<TargetSource>[];
  channels: Map<string, ChannelSpec>;
  /** Who decides at gates that name nobody, by channel. */
  channelApprovers: Map<string, Located<string>[]>;
  requiresApproval?: Map<Category, CategorySource>;
  memory?: MemorySource;
  steps: StepSource[];
  /** A post-mortem comes last. */
  finally?: StepSource[];
  output?: Syntax;
  /** Where an error about the whole of it is shown. */
  at: SourceSpan;
}

/** What agents are given of a memory file. */
export interface MemorySource extends Omit<MemorySpec, 'file'> {
  file: Located<string>;
}

export type TriggerSource = { kind: 'manual' } | CronSource;

/** The time zone is absent if none is written. */
export interface CronSource extends Omit<CronTrigger, 'timezone'> {
  at: SourceSpan;
  timezone?: string;
}

/** The policy of one category of action, under `requires_approval`. */
export type CategorySource = SourceOf<typeof CATEGORY_POLICY_ROWS>;

export interface StepSource {
  id: string;
  /** The place of the id, or where it should be. */
  at: SourceSpan;
  description?: string;
  /** The steps it waits for; absent if neither `depends_on` nor `needs` is written. */
  after?: Located<string>[];
  /** The key that names them. */
  afterAt?: SourceSpan;
  /** Steps of other branches that it waits for, under `after`. */
  awaits?: Located<string>[];
  /** Absent if it does not parse. */
  when?: Syntax;
  /** The place of the key with the condition. */
  whenAt?: SourceSpan;
  timeoutMs?: number;
  /** How long a phase of a coordinated task may take. */
  blockedAfterMs?: number;
  retry?: RetryPolicy;
  onError?: ActionSource[];
  queue?: string;
  priority?: 1 | 2 | 3 | 4 | 5;
  summary?: TemplateSyntax;
  budget?: Located<BudgetSpec>;
  worktree?: WorktreeSource;
  approval?: AfterApprovalSource;
  category?: Category;
  /** Items that it emits while it works. */
  emits?: EmitsSource;
  /** Absent if its kind is unknown or of a later version: then nothing more is known of it. */
  work?: WorkSource;
}

/** What a step of a kind does, as written: the keys that its kind has in addition to those of every step, by their rows. */
export type WorkOf<Kind extends WorkKind> = { kind: Kind } & RowsOf<Kind> & (Kind extends keyof OwnSources ? OwnSources[Kind] : unknown);
export type WorkKind = WrittenKind | 'post_mortem';
export type WorkSource = { [Kind in WorkKind]: WorkOf<Kind> }[WorkKind];

type RowsOf<Kind extends WorkKind> = Kind extends WrittenKind
  ? SourceOf<readonly OwnRow<Kind>[], StepSource>
  : Partial<SourceOf<typeof POST_MORTEM_ROWS>>;

/** What readers of kinds add. */
export interface OwnSources {
  command: CommandSource;
  coordinate: CoordinateSourceOf<StepSource>;
  escalate: { levels?: LevelSource[] };
  for_each: ForEachSource;
  increments: object;
  repeat: RepeatSourceOf<StepSource>;
  wait: WaitSource;
}

/** The steps within a step, each list a block of its own. */
export function stepsIn(work: WorkSource | undefined): readonly StepSource[] {
  if (!work) return [];
  if ('branches' in work) return work.branches ?? [];
  return 'steps' in work ? (work.steps ?? []) : [];
}
