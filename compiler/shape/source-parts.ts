import type { CommentRule, TimeoutOutcome } from '../../plan/people/decision-policy';
import type { Quorum } from '../../plan/people/quorum';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import type { Entry } from '../read/node';
import type { ActionSource } from './action';

/** `approval:` of a step that does something: who is asked once the work is done. */
export interface AfterApprovalSource {
  prompt?: TemplateSyntax;
  items?: TemplateSyntax;
  preview?: TemplateSyntax;
  initiatedBy?: TemplateSyntax;
  requiredApprover?: TemplateSyntax;
  requireDifferentApprover?: true;
  onReject?: ActionSource[];
}

export type WorktreeSource = { at: SourceSpan } & (
  | { kind: 'of'; step: Located<string> }
  | {
      kind: 'own';
      repo?: TemplateSyntax;
      remote?: string;
      base?: TemplateSyntax;
      copy?: string[];
      setup?: TemplateSyntax[];
      teardown?: TemplateSyntax[];
      keep?: true;
    }
);

export interface OutputSource {
  name?: Located<string>;
  /** A path, or the schema itself. */
  schema?: Entry;
}

/** Who may answer, and how. */
export interface WhoSource {
  channel?: Located<string>;
  approvers?: Located<string>[];
  /** The file says that anyone may decide. */
  anyone?: true;
  identity?: 'proven';
  remindMs?: number;
}

/** The policy of a yes-or-no gate. */
export interface PolicySource extends WhoSource {
  quorum?: Located<Quorum>;
  fourEyes?: SourceSpan;
  comment?: CommentRule;
  onTimeout?: TimeoutOutcome;
}

/** What every gate that is a step has. */
export interface GateSource extends WhoSource {
  prompt?: TemplateSyntax;
  show?: Located<string>[];
}

/** The keys of everything an agent does: a task, or a review. */
export interface AgentWorkSource extends OutputSource {
  agent?: Located<string>;
  self?: SourceSpan;
  prompt?: TemplateSyntax;
  input?: Map<string, TemplateSyntax>;
  tools?: Located<string>[];
  cwd?: TemplateSyntax;
  repair?: number;
  onInvalid?: ActionSource[];
}
