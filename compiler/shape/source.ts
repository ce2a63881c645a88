import type { BriefStepSource } from '../../kinds/brief/source';
import type { CommandSource } from '../../kinds/command/source';
import type { CoordinateSourceOf } from '../../kinds/coordinate/source';
import type { LevelSource } from '../../kinds/escalate/source';
import type { ForEachSource } from '../../kinds/for-each/source';
import type { POST_MORTEM_ROWS } from '../../kinds/post-mortem/keys';
import type { RepeatSourceOf } from '../../kinds/repeat/source';
import type { WaitSource } from '../../kinds/wait/source';
import type { Category } from '../../plan/people/category';
import type { ArgSpec, ChannelSpec, CronTrigger } from '../../plan/plan';
import type { Spelled } from '../../plan/text/spelled-json';
import type { WebhookTrigger } from '../../plan/web-hook';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { FILE_ROWS } from '../language/file';
import type { OwnRow, WrittenKind } from '../language/kinds';
import type { CATEGORY_POLICY_ROWS } from '../language/mappings/category';
import type { LIMITS_ROWS } from '../language/mappings/file';
import type { CATEGORY_ROWS, EMITS_ROWS } from '../language/shared-rows';
import type { EVERY_STEP_ROWS } from '../language/step';
import type { Entry } from '../read/node';
import type { MemorySource } from './memory';
import type { MapItem, SourceOf } from './source-of';
import type { AfterApprovalSource, WorktreeSource } from './source-parts';
import type { TargetSource } from './target';

/** Rows of the file without readers of their own. */
export type FileRow = Exclude<(typeof FILE_ROWS)[number], { own: true }>;

/**
 * A pipeline as written, each value read and located, no name looked up yet. A field is absent if it was not written or could not be read.
 */
export interface PipelineShape
  extends Omit<SourceOf<readonly FileRow[], StepSource>, 'node' | 'args' | 'schemas' | 'channels' | 'limits' | 'memory' | 'steps'> {
  /** Empty: runs start only by hand. */
  triggers: TriggerSource[];
  args: Map<string, { at: SourceSpan; spec: ArgSpec }>;
  /** By id: a path, or the definition itself. */
  agents: Map<string, Entry>;
  schemas: Map<string, Entry>;
  limits: Partial<SourceOf<typeof LIMITS_ROWS>>;
  escalation?: Located<TargetSource>[];
  channels: Map<string, ChannelSpec>;
  /** Who decides at gates that name nobody, by channel. */
  channelApprovers: Map<string, Located<string>[]>;
  requiresApproval?: Map<Category, CategorySource>;
  memory?: MemorySource;
  /** A post-mortem comes last in `finally`. */
  steps: StepSource[];
  /** The place of an error about the whole of it. */
  at: SourceSpan;
}

/** The time zone is absent if none is written. */
export interface CronSource extends Omit<CronTrigger, 'timezone' | 'args'> {
  at: SourceSpan;
  timezone?: string;
  args?: Map<string, MapItem<Spelled>>;
}

/** Its names are looked up once all args are known. */
export interface HookSource extends Omit<WebhookTrigger, 'when' | 'args' | 'key'> {
  at: SourceSpan;
  /** The place of the path. */
  pathAt: SourceSpan;
  when?: Syntax;
  args?: Map<string, MapItem<TemplateSyntax>>;
  key?: TemplateSyntax;
}

export type TriggerSource = CronSource | HookSource;

/** The policy of one category of action, under `requires_approval`. */
export type CategorySource = SourceOf<typeof CATEGORY_POLICY_ROWS>;

/** The keys of steps that are read in the same way whatever a step does. */
type StepRows = [...typeof EVERY_STEP_ROWS, ...typeof CATEGORY_ROWS, ...typeof EMITS_ROWS];

/** The keys of a step, by their rows, and what else is known of it before its kind is looked at. */
export interface StepSource extends Partial<Omit<SourceOf<StepRows>, 'id' | 'type'>> {
  id: string;
  /** The place of the id, or where it should be. */
  at: SourceSpan;
  /** How long a phase of a coordinated task may take. */
  blockedAfterMs?: number;
  worktree?: WorktreeSource;
  approval?: AfterApprovalSource;
  /** Absent if its kind is unknown or of a later version: then nothing more is known of it. */
  work?: WorkSource;
}

/** The place of a key of the step, in whichever of its spellings it is written. */
export function keyOf({ node }: StepSource, ...spellings: readonly string[]): SourceSpan | undefined {
  return node?.entries.find(({ key }) => spellings.includes(key))?.keyAt;
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
  brief: BriefStepSource;
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
