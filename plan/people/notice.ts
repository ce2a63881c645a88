import type { EarlierAdvice } from '../steps/escalation';
import type { CommentRule } from './decision-policy';
import type { GateKind } from './gate';

/** A message to a channel, and, where it is about a gate, what a person needs to answer it from there. */
const NOTICE_KINDS = ['message', 'gate', 'reminder', 'closed', 'error'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The gate that a notice of kind `gate` or `reminder` asks about. */
export interface GateNotice {
  /** Short address. */
  step: string;
  /** The name of the loop's item that the step is within. */
  item?: string;
  gate: GateKind;
  question: string;
  choices: readonly string[];
  shownSha256: string;
  approvers?: readonly string[];
  /** Those who have voted, and those who may not: neither is asked. */
  approvedBy?: readonly string[];
  notBy?: readonly string[];
  /** When a decision must come with a comment. */
  comment?: CommentRule;
  /** A claimed name is not enough. */
  identity?: 'proven';
  /** Who started the run, if that affects who may decide, or whether anybody can. */
  note?: string;
  /** For an escalation: the answers of earlier members of the chain. The question has them, too. */
  said?: readonly EarlierAdvice[];
  /** ISO 8601. */
  deadline?: string;
  /** The command of the plain Temporal CLI that answers it. Absent: a plain signal proves nothing, and would be refused. */
  answer?: string;
}
