import type { MERGES } from '../../kinds/parallel/model';
import type { BudgetSpec } from '../../plan/budget';
import type { Category } from '../../plan/category';
import type { CommentRule, TimeoutOutcome } from '../../plan/decision-policy';
import type { Json } from '../../plan/json';
import type { ArgSpec, ChannelSpec, CronTrigger } from '../../plan/plan';
import type { Quorum } from '../../plan/quorum';
import type { RetryPolicy } from '../../plan/step';
import type { Located, Spot } from '../diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { Entry } from '../read/node';
import type { ActionSource } from './action';
import type { TargetSource } from './target';

/** A pipeline as written, each value read and located, no name looked up yet. Absent is what was not written or did not read. */
export interface PipelineSource {
  name?: Located<string>;
  description?: string;
  owner?: Located<string>;
  trigger: TriggerSource;
  args: Map<string, { at: Spot; spec: ArgSpec }>;
  env?: Map<string, TemplateSyntax>;
  cwd?: TemplateSyntax;
  /** By id: a path, or the definition itself. */
  agents: Map<string, Entry>;
  schemas: Map<string, Entry>;
  limits: { concurrent?: number; depth?: number; children?: number };
  budget?: Located<BudgetSpec>;
  escalation?: Located<TargetSource>[];
  channels: Map<string, ChannelSpec>;
  /** Who decides at gates in a channel that name nobody. */
  channelApprovers: Map<string, Located<string>[]>;
  requiresApproval?: Map<Category, CategorySource>;
  steps: StepSource[];
  finally?: StepSource[];
  output?: Syntax;
  /** Where an error about the whole of it is shown. */
  at: Spot;
}

export type TriggerSource = { kind: 'manual' } | CronSource;

/** Without a time zone where none is written. */
export interface CronSource extends Omit<CronTrigger, 'timezone'> {
  at: Spot;
  timezone?: string;
}

export interface StepSource {
  id: string;
  /** The id, or where it should stand. */
  at: Spot;
  description?: string;
  /** What it waits for; absent where neither `depends_on` nor `needs` is written. */
  after?: Located<string>[];
  /** The key that says so. */
  afterAt?: Spot;
  when?: Syntax;
  timeoutMs?: number;
  retry?: RetryPolicy;
  onError?: ActionSource[];
  queue?: string;
  priority?: 1 | 2 | 3 | 4 | 5;
  summary?: TemplateSyntax;
  budget?: Located<BudgetSpec>;
  worktree?: WorktreeSource;
  approval?: AfterApprovalSource;
  category?: Category;
  /** Absent where its kind is unknown or of a later version: nothing more is known about it then. */
  work?: WorkSource;
}

export type WorkSource =
  | AgentSource
  | CommandSource
  | ApprovalSource
  | InputSource
  | NotifySource
  | WaitSource
  | ParallelSource
  | GroupSource
  | ForEachSource
  | ChildSource;

export type WorktreeSource = { at: Spot } & (
  | { kind: 'of'; step: Located<string> }
  | {
      kind: 'own';
      repo?: TemplateSyntax;
      base?: TemplateSyntax;
      copy?: string[];
      setup?: TemplateSyntax[];
      teardown?: TemplateSyntax[];
      keep?: true;
    }
);

/** `approval:` beside an executor: who is asked once the work is done. */
export interface AfterApprovalSource {
  prompt?: TemplateSyntax;
  items?: TemplateSyntax;
  preview?: TemplateSyntax;
  initiatedBy?: TemplateSyntax;
  requiredApprover?: TemplateSyntax;
  requireDifferentApprover?: true;
  onReject?: ActionSource[];
}

export interface OutputSource {
  name?: Located<string>;
  /** A path, or the schema itself. */
  schema?: Entry;
}

export interface AgentSource extends OutputSource {
  kind: 'agent' | 'review';
  agent?: Located<string>;
  self?: Spot;
  prompt?: TemplateSyntax;
  input?: Map<string, TemplateSyntax>;
  tools?: Located<string>[];
  cwd?: TemplateSyntax;
  repair?: number;
  onInvalid?: ActionSource[];
  of?: Located<string>;
  critic?: Located<string>;
  onRevise?: Extract<ActionSource, { kind: 'retry' }>;
  onBlock?: ActionSource[];
  stallRounds?: number;
}

export interface CommandSource extends OutputSource {
  kind: 'command';
  command?: { shell: TemplateSyntax } | { argv: TemplateSyntax[] };
  cwd?: TemplateSyntax;
  env?: Map<string, TemplateSyntax>;
  stdin?: TemplateSyntax;
}

/** Who may answer, and how. */
export interface WhoSource {
  channel?: Located<string>;
  approvers?: Located<string>[];
  /** It says that anyone may decide. */
  anyone?: true;
  identity?: 'proven';
  remindMs?: number;
}

/** The policy of a gate at which a person says yes or no. */
export interface PolicySource extends WhoSource {
  quorum?: Located<Quorum>;
  fourEyes?: Spot;
  comment?: CommentRule;
  onTimeout?: TimeoutOutcome;
}

/** Of one category of action, under `requires_approval`. */
export interface CategorySource extends PolicySource {
  timeoutMs?: number;
}

/** What every gate that is a step has. */
export interface GateSource extends WhoSource {
  prompt?: TemplateSyntax;
  show?: Located<string>[];
}

export interface ApprovalSource extends GateSource, PolicySource {
  kind: 'approval';
  preview?: TemplateSyntax;
  choices?: string[];
  onReject?: ActionSource[];
}

export interface InputSource extends GateSource {
  kind: 'input';
  /** A path, or the schema itself. */
  responseSchema?: Entry;
  defaults?: Json;
  subject?: TemplateSyntax;
}

export interface NotifySource {
  kind: 'notify';
  channel?: Located<string>;
  message?: TemplateSyntax;
  report?: Located<string>;
}

/** Exactly one of the three, where it read. */
export interface WaitSource {
  kind: 'wait';
  forMs?: number;
  until?: Syntax;
  signal?: string;
}

export interface ParallelSource {
  kind: 'parallel';
  branches: StepSource[];
  wait?: 'any' | { quorum: Quorum };
  maxConcurrent?: number;
  merge?: { how: (typeof MERGES)[number]; key: string };
}

export interface GroupSource {
  kind: 'group';
  steps: StepSource[];
}

export interface ForEachSource {
  kind: 'for_each';
  items?: Syntax;
  steps: StepSource[];
  itemVar?: Located<string>;
  indexVar?: Located<string>;
  batchSize?: number;
  pauseMs?: number;
  maxConcurrent?: number;
}

/** Another pipeline as a child. */
export interface ChildSource {
  kind: 'pipeline';
  path?: Located<string>;
  with: Map<string, { at: Spot; value: TemplateSyntax; valueAt: Spot }>;
  /** Where a missing arg is shown. */
  at: Spot;
}

/** The steps within a step, each list a block of its own. */
export function stepsIn(work: WorkSource | undefined): readonly StepSource[] {
  switch (work?.kind) {
    case 'parallel':
      return work.branches;
    case 'group':
    case 'for_each':
      return work.steps;
    default:
      return [];
  }
}
