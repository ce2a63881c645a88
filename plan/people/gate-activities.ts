import type { EnvelopePayload } from '../agents/envelope';
import type { GrantNeed } from '../brief/authority';
import type { ArtifactRef } from '../run/artifact';
import type { EarlierAdvice, EscalationRound } from '../steps/escalation';
import type { Begins, Findings, Readable, RenderedApproval } from '../steps/step-activity';
import type { Json } from '../text/json';
import type { ApprovalNeed, Category, RecordedApproval } from './category';
import type { GateNotice, NoticeKind } from './notice';
import type { Proof, Sealed } from './proof';

/** Inputs and results of activities that concern people: the question of a gate, messages, and proofs of who has answered. */

export interface GateInput extends Readable {
  run: string;
  /** For an escalation: why it came to a person, and a review's verdicts in earlier rounds. Absent: the step's own prompt is rendered. */
  escalation?: { reason: string; chain: string[]; before?: EarlierAdvice[]; rounds?: EscalationRound[] };
  /** The category of a step's own action: what it is about to do is shown exactly. */
  category?: Category;
  /** The yes that an earlier try of the step was given. */
  given?: Pick<RecordedApproval, 'id' | 'contentSha256'>;
  findings?: Findings;
  previous?: ArtifactRef;
  /** The question of the run itself, as of a budget gate. */
  statement?: string;
  /** An agent's call of a tool, as it paused for. */
  need?: ApprovalNeed | GrantNeed;
}

/** A decision as its sender sealed it. */
export interface SealedDecision {
  sealed: Sealed;
  proof: Proof;
  /** Id of the first execution of the run that the seal names. */
  run: string;
}
/** `problem` says, in words, that the seal is invalid, or that nobody here can check it. */
export type ProofCheck = { problem?: string };

/** Input of a local activity: nobody can complete it by hand. */
export interface ProofsInput {
  run: string;
  proofs: readonly SealedDecision[];
}

export interface RenderedGate {
  question: string;
  shownSha256: string;
  /** Everything that is shown, as an artifact. */
  document: ArtifactRef;
  /** The form of an input gate. */
  form?: ArtifactRef;
  /** The subject of an input gate (`$step.subject`), if it is at most 64 KiB. */
  subject?: Json;
  /** For an action of a category: the digest of exactly what is going to be done. */
  contentSha256?: string;
  /** Nobody needs to be asked: an earlier approval is for exactly this, and is unused. */
  holds?: true;
  /** For an approval after a step without an activity of its own: the question, and who may answer it. */
  approval?: RenderedApproval;
}

/** `end` is also in the notice of a failure. */
export interface NotifyInput extends Omit<Readable, 'with'> {
  run: string;
  channel: string;
  /** Plain text. Absent: the message of the notify step itself. */
  message?: string;
  payload?: EnvelopePayload;
  /** The sender. Absent: the run. */
  from?: string;
  /** The channel's own mention is left out. */
  unmentioned?: true;
  /** @default 'message' */
  kind?: NoticeKind;
  gate?: GateNotice;
  /** Approvals of a notify step of a category. */
  approvals?: RecordedApproval[];
}
export interface NotifyOutput extends Begins {
  message: string;
  /** The adapters that took it. */
  deliveredTo: string[];
}
