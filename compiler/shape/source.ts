import type { ArgSpec, ChannelSpec, Trigger } from '../../plan/plan';
import type { RetryPolicy, StepKind } from '../../plan/step';
import type { Located, Spot } from '../diagnostics/diagnostic';
import type { Syntax, TemplateSyntax } from '../expression/syntax';
import type { Entry } from '../read/node';
import type { ActionSource, TargetSource } from './action';

/** A pipeline as written, each value read and located, no name looked up yet. Absent is what was not written or did not read. */
export interface PipelineSource {
  name?: Located<string>;
  description?: string;
  owner?: Located<string>;
  trigger: Trigger;
  args: Map<string, { at: Spot; spec: ArgSpec }>;
  /** By id: a path, or the definition itself. */
  agents: Map<string, Entry>;
  schemas: Map<string, Entry>;
  concurrent?: number;
  escalation?: Located<TargetSource>[];
  channels: Map<string, ChannelSpec>;
  steps: StepSource[];
  output?: Syntax;
  /** Where an error about the whole of it is shown. */
  at: Spot;
}

export interface StepSource {
  id: string;
  /** The id, or where it should stand. */
  at: Spot;
  description?: string;
  /** What it waits for; absent where neither `depends_on` nor `needs` is written. */
  after?: Located<string>[];
  when?: Syntax;
  timeoutMs?: number;
  retry?: RetryPolicy;
  onError?: ActionSource[];
  /** Absent where its kind is unknown or of a later version: nothing more is known about it then. */
  work?: WorkSource;
}

export type WorkSource = AgentSource | CommandSource | ApprovalSource | NotifySource | WaitSource;

export interface OutputSource {
  name?: Located<string>;
  /** A path, or the schema itself. */
  schema?: Entry;
}

export interface AgentSource extends OutputSource {
  kind: Extract<StepKind, 'agent' | 'review'>;
  agent?: Located<string>;
  self?: Spot;
  prompt?: TemplateSyntax;
  input?: Map<string, TemplateSyntax>;
  repair?: number;
  onInvalid?: ActionSource[];
  of?: Located<string>;
  onRevise?: Extract<ActionSource, { kind: 'retry' }>;
  onBlock?: ActionSource[];
}

export interface CommandSource extends OutputSource {
  kind: 'command';
  command?: { shell: TemplateSyntax } | { argv: TemplateSyntax[] };
  cwd?: TemplateSyntax;
  env?: Map<string, TemplateSyntax>;
  stdin?: TemplateSyntax;
}

export interface ApprovalSource {
  kind: 'approval';
  channel?: Located<string>;
  prompt?: TemplateSyntax;
  show?: Located<string>[];
  approvers?: string[];
  onTimeout?: 'approve' | 'reject';
  onReject?: ActionSource[];
}

export interface NotifySource {
  kind: 'notify';
  channel?: Located<string>;
  message?: TemplateSyntax;
}

export interface WaitSource {
  kind: 'wait';
  forMs?: number;
}
