import type { AgentSource } from '../../kinds/agent/source';
import type { ApprovalSource } from '../../kinds/approval/source';
import type { CaidSource } from '../../kinds/caid/source';
import type { CommandSource } from '../../kinds/command/source';
import type { ConsensusSource } from '../../kinds/consensus/source';
import type { ConsultSource } from '../../kinds/consult/source';
import type { CoordinateSourceOf } from '../../kinds/coordinate/source';
import type { EscalateSource } from '../../kinds/escalate/source';
import type { ForEachSourceOf } from '../../kinds/for-each/source';
import type { GroupSourceOf } from '../../kinds/group/source';
import type { IncrementsSource } from '../../kinds/increments/source';
import type { InputSource } from '../../kinds/input/source';
import type { ParallelSourceOf } from '../../kinds/parallel/source';
import type { ChildSource } from '../../kinds/pipeline/source';
import type { PostMortemSource } from '../../kinds/post-mortem/source';
import type { RepeatSourceOf } from '../../kinds/repeat/source';
import type { ReviewSource } from '../../kinds/review/source';
import type { SwarmSource } from '../../kinds/swarm/source';
import type { SwitchSourceOf } from '../../kinds/switch/source';
import type { TracksSource } from '../../kinds/tracks/source';
import type { WaitSource } from '../../kinds/wait/source';
import type { BudgetSpec } from '../../plan/budgets/budget';
import type { MemorySpec } from '../../plan/memory/recall';
import type { Category } from '../../plan/people/category';
import type { ArgSpec, ChannelSpec, CronTrigger } from '../../plan/plan';
import type { RetryPolicy } from '../../plan/steps/step';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { OwnRow, WrittenKind } from '../language/kinds';
import type { Entry } from '../read/node';
import type { ActionSource } from './action';
import type { EmitsSource } from './emits';
import type { SourceOf } from './source-of';
import type { AfterApprovalSource, PolicySource, WorktreeSource } from './source-parts';
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
export interface CategorySource extends PolicySource {
  timeoutMs?: number;
}

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

/**
 * What a step of a kind does, as written: the keys that its kind has in addition to those of every step, by their rows, or what the kind's
 * own reader makes of them.
 */
export type WorkOf<Kind extends WorkKind> = Kind extends keyof OwnSources
  ? OwnSources[Kind]
  : Kind extends WrittenKind
    ? { kind: Kind } & SourceOf<readonly OwnRow<Kind>[], StepSource>
    : never;
export type WorkKind = WrittenKind | 'post_mortem';
export type WorkSource = { [Kind in WorkKind]: WorkOf<Kind> }[WorkKind];

/** Kinds with a reader of their own. */
export interface OwnSources {
  agent: AgentSource;
  review: ReviewSource;
  command: CommandSource;
  approval: ApprovalSource;
  input: InputSource;
  wait: WaitSource;
  parallel: ParallelSource;
  switch: SwitchSource;
  group: GroupSource;
  for_each: ForEachSource;
  repeat: RepeatSource;
  pipeline: ChildSource;
  caid: CaidSource;
  consensus: ConsensusSource;
  post_mortem: PostMortemSource;
  tracks: TracksSource;
  escalate: EscalateSource;
  consult: ConsultSource;
  swarm: SwarmSource;
  increments: IncrementsSource;
  coordinate: CoordinateSource;
}

export type ParallelSource = ParallelSourceOf<StepSource>;
export type SwitchSource = SwitchSourceOf<StepSource>;
export type GroupSource = GroupSourceOf<StepSource>;
export type ForEachSource = ForEachSourceOf<StepSource>;
export type RepeatSource = RepeatSourceOf<StepSource>;
export type CoordinateSource = CoordinateSourceOf<StepSource>;

/** The steps within a step, each list a block of its own. */
export function stepsIn(work: WorkSource | undefined): readonly StepSource[] {
  if (!work) return [];
  if ('branches' in work) return work.branches ?? [];
  return 'steps' in work ? (work.steps ?? []) : [];
}
