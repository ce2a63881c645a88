import type { ConsensusOutcome } from '../../kinds/consensus/rules/tally-report';
import type { Diagnosis } from '../../kinds/escalate/rules/issue';
import type { DeliveryProgress, FailedGateName } from '../../kinds/increments/rules/words';
import type { Proposal, Vote } from '../people/vote';
import type { FindingsDelta } from '../steps/findings';
import type { Verdict } from '../steps/verdict';
import type { Json, JsonObject } from '../text/json';
import type { Advice, Urgency } from './advice';
import type { ReviewFindings } from './review-findings';

/**
 * The feedback signals of collaboration patterns, as data in the journal (docs/patterns.md). Only the run adds them: an agent's message
 * with one of these names is an ordinary message, and has no effect.
 */
export const FEEDBACK_TYPES = [
  'review_result',
  'fix_required',
  'proposal',
  'vote',
  'tally',
  'escalate',
  'increment_ready',
  'progress',
  'swarm_join',
  'swarm_diagnosis',
  'consult_request',
  'consult_response',
  'sync_checkpoint',
  'retro_finding',
  'item',
] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

/** The data of each signal. */
export interface FeedbackData {
  /** CP-2: a reviewer's verdict on a round. CP-6: a validator's on an attempt at an increment. */
  review_result: ReviewResult;
  /** CP-2: what the producer has to fix. CP-6: the gates that an increment has failed. */
  fix_required: ReviewFix | IncrementFix;
  /** CP-4. `context` refers to the store. */
  proposal: Proposal;
  /** CP-4. `from` is the voter; a vote that does not count is `refused`, and may be anything. */
  vote: Vote | JsonObject;
  /**
   * CP-4: the result of the votes. `decided_by`: all abstained, and somebody has decided. `extended_to`: too few have voted, and the vote
   * stays open until then.
   */
  tally: TallyNote;
  /** CP-5: an escalation to the next level. */
  escalate: EscalateNote;
  /** CP-6: an increment has passed its gates. */
  increment_ready: { increment: string; status: 'PASS' };
  /** CP-6: how far a plan is delivered, whenever that changes. */
  progress: DeliveryProgress;
  /** CP-7. */
  swarm_join: { issue: string; affected_tasks: string[]; diagnosis_so_far: Json; assignment: string };
  swarm_diagnosis: { perspective: string; root_cause: string; confidence: number; fix_suggestion: string };
  /** CP-8. */
  consult_request: { topic: string; question: string; context?: Json; options?: string[]; urgency: Urgency };
  /** If there is no advice, `refused` says why. */
  consult_response: Advice | Record<string, never>;
  /** CP-9. */
  sync_checkpoint: {
    sync_id: string;
    status: 'ALIGNED' | 'MISALIGNED';
    trackA_state: Json;
    trackB_state: Json;
    conflicts: Json[];
  };
  /** CP-10. */
  retro_finding: { went_well: string[]; difficult: string[]; suggestions: string[]; patterns: string[] };
  /** CP-11: an item that came again (`refused`), begins again, or has failed; or that all which are left are blocked. */
  item: { key: Json; fix?: number; failed?: { code: string; message: string } } | { all_blocked: Json[]; follows: string };
}

/** `refused`: why it does not count. `by`, `inPlaceOf`: for a person's vote, who cast it, and in whose place. */
export type Feedback = {
  [T in FeedbackType]: { type: T; data: FeedbackData[T]; from?: string; to?: string; refused?: string; by?: string; inPlaceOf?: string };
}[FeedbackType];

interface ReviewFix {
  /** Counts from 1. */
  iteration: number;
  findings: ReviewFindings;
}

/** `said`: the reviewer's own word, if it differs. `delta`: against the findings of the previous round. */
interface ReviewResult extends ReviewFix {
  verdict: Verdict;
  said?: string;
  /** CP-6: of which increment. */
  increment?: string;
  delta?: FindingsDelta;
}

interface IncrementFix {
  increment: string;
  failed_gates: FailedGateName[];
  affected_files?: string[];
  suggestion?: string;
}

interface TallyNote {
  proposalId: string;
  round: number;
  outcome: ConsensusOutcome | 'extended';
  approvals: number;
  rejections: number;
  abstentions: number;
  /** Approvals that it takes, once the vote is over. */
  needed?: number;
  option?: string;
  conditions?: string[];
  missing: string[];
  /** The members whose rejection blocks. */
  blocking?: string[];
  decided_by?: string;
  extended_to?: string;
}

interface EscalateNote {
  issue: string;
  from_level: number;
  to_level: number;
  attempts_at_current: number;
  /** Shortened: the step's output has the whole chain. */
  diagnosis_chain: Diagnosis[];
}
