import type { TimeoutOutcome } from '../../plan/people/decision-policy';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import type { AGENT_WORK_ROWS } from '../language/agent-rows';
import type { APPROVAL_OBJECT_ROWS, STREAM_ROWS, WORKTREE_OBJECT_ROWS } from '../language/mappings/step';
import type { GATE_ROWS, POLICY_ROWS } from '../language/shared-rows';
import type { Entry } from '../read/node';
import type { ActionSource } from './action';
import type { SourceOf } from './source-of';

/** `approval:` of a step that does something: who is asked once the work is done. */
export type AfterApprovalSource = Partial<SourceOf<typeof APPROVAL_OBJECT_ROWS>> & { onReject?: ActionSource[] };

export type WorktreeSource = { at: SourceSpan } & (
  | { kind: 'of'; step: Located<string> }
  | ({ kind: 'own' } & Partial<SourceOf<typeof WORKTREE_OBJECT_ROWS>>)
);

/** A loop over what another step emits, as written. */
export type StreamSource = SourceOf<typeof STREAM_ROWS> & { stream: Located<string> };

export interface OutputSource {
  output?: Located<string>;
  /** A path, or the schema itself. */
  schema?: Entry;
}

/** Who may answer, and how; shared by gates that are steps and by the policy of a category. */
export type WhoSource = Omit<GateSource, 'prompt' | 'show'>;

/** The policy of a yes-or-no gate. */
export type PolicySource = WhoSource & SourceOf<typeof POLICY_ROWS> & { onTimeout?: 'wait' | TimeoutOutcome };

/** What every gate that is a step has. */
export type GateSource = SourceOf<typeof GATE_ROWS>;

/** The keys of everything an agent does: a task, or a review. */
export type AgentWorkSource = Omit<SourceOf<typeof AGENT_WORK_ROWS>, 'worktree'>;
