import { type BudgetOrder, type BudgetView, isBudgetOrder } from '../budgets/budget';
import { type ArtifactRef, isArtifactRef } from '../run/artifact';
import { type EarlierAdvice, isEarlierAdvice } from '../steps/escalation';
import { isJsonObject, type Json } from '../text/json';
import { CATEGORIES, type Category } from './category';
import { COMMENT_RULES, type DecisionPolicy } from './decision-policy';
import type { ProofChannel } from './proof';
import type { BallotPaper } from './vote';

export const GATE_KINDS = ['approval', 'escalation', 'input', 'budget'] as const;
export type GateKind = (typeof GATE_KINDS)[number];

/**
 * The answers of a gate, if its step does not list them: an escalation gate adds `revise` (one more round, with instructions), an input
 * gate takes a response, a budget gate the signal `extend_budget`, or `abort`.
 */
export const GATE_CHOICES: Readonly<Record<GateKind, readonly string[]>> = {
  approval: ['approve', 'reject'],
  escalation: ['approve', 'revise', 'reject'],
  input: ['respond'],
  budget: ['extend_budget', 'abort'],
};

/** The form of an author's own choice. */
export const CHOICE_WORD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * An open question to people: what is asked and shown, how and by whom it may be answered, and what an answer binds to. The run's record,
 * the view, and the notice that messages and links carry are extensions of it.
 */
export interface Gate extends Pick<DecisionPolicy, 'channel' | 'approvers' | 'quorum' | 'comment' | 'identity'> {
  kind: GateKind;
  question: string;
  choices: readonly string[];
  /** Outputs laid before the person. */
  shown: { step: string; artifact: ArtifactRef }[];
  /** SHA-256 over question and shown artifacts: a decision binds to it. */
  shownSha256: string;
  /** People who may not decide: by four eyes, or because they asked for it. */
  notBy?: readonly string[];
  /** Who started the run, if that affects who may decide, or whether anybody can. */
  note?: string;
  /** For an escalation: the answers of earlier members of the chain, an agent's advice with its reasons; each cut to 300 characters. */
  said?: readonly EarlierAdvice[];
  /** What a program needs to ask the question itself (`GateForm`): for input gates and for approvals after a command. */
  form?: ArtifactRef;
  /** The category of an action that needs an approval each time. */
  category?: Category;
  /** The answer is a vote in a collaboration pattern. */
  ballot?: BallotPaper;
  /** For a budget gate: a suggested payload of `extend_budget` that lets the work continue. */
  raise?: BudgetOrder;
}

/** A gate as people see it, in `status`, `gates`, the memo and the inbox. */
export interface GateView extends Gate {
  /** Short address, which a signal's `step` names. */
  step: string;
  /** The name of the loop's item that the step is within. */
  item?: string;
  /** ISO 8601, as `deadline` is. */
  openedAt: string;
  deadline?: string;
  /** Who has approved so far, if several must. */
  approvedBy?: readonly string[];
  /** Who may decide in an approver's place, at this gate. */
  delegates?: Readonly<Record<string, readonly string[]>>;
  /** For a budget gate: its budgets. */
  budget?: BudgetView;
  /** For a budget gate: the budget is that of a role team. */
  roleTeam?: true;
}

/** The first approver whose answer is still awaited. Undefined if the gate names none, or none is left. */
export function awaitedApprover({ approvers, approvedBy, notBy }: Partial<GateView>): string | undefined {
  return approvers?.find((name) => !approvedBy?.includes(name) && !notBy?.includes(name));
}

/** Whether data from outside is an open gate, in every field that anybody reads. */
export function isGateView(value: unknown): value is GateView {
  if (!isJsonObject(value)) return false;
  const { step, kind, question, choices, channel, approvers, openedAt, deadline, shown, shownSha256, form, approvedBy, quorum } = value;
  const { comment, identity, category, ballot, delegates, budget, raise, notBy, note, said, item } = value;
  const texts = [step, question, openedAt, shownSha256].every((text) => typeof text === 'string');
  const optional = [channel, deadline, note, item].every((text) => text === undefined || typeof text === 'string');
  const lists = isTexts(choices) && [approvers, approvedBy, notBy].every((list) => list === undefined || isTexts(list));
  const outputs: unknown[] | undefined = Array.isArray(shown) ? shown : undefined;
  const words: unknown[] | undefined = Array.isArray(said) ? said : undefined;
  return (
    texts &&
    optional &&
    lists &&
    GATE_KINDS.some((known) => known === kind) &&
    outputs?.every(isShown) === true &&
    (form === undefined || isArtifactRef(form)) &&
    (quorum === undefined || typeof quorum === 'number') &&
    (comment === undefined || COMMENT_RULES.some((known) => known === comment)) &&
    (identity === undefined || identity === 'proven') &&
    (category === undefined || CATEGORIES.some((known) => known === category)) &&
    (ballot === undefined || isBallot(ballot)) &&
    (delegates === undefined || (isJsonObject(delegates) && Object.values(delegates).every(isTexts))) &&
    (said === undefined || words?.every(isEarlierAdvice) === true) &&
    (budget === undefined || isJsonObject(budget)) &&
    (raise === undefined || isBudgetOrder(raise))
  );
}

export function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isBallot(value: Json): boolean {
  return isJsonObject(value) && typeof value['proposalId'] === 'string' && isTexts(value['options']);
}

function isShown(value: unknown): boolean {
  return isJsonObject(value) && typeof value['step'] === 'string' && isArtifactRef(value['artifact']);
}

/** The JSON that a gate's `form` holds. */
export interface GateForm {
  prompt: string;
  items?: Json[];
  preview?: string;
  responseSchema?: Json;
  defaults?: Json;
  subject?: Json;
  initiatedBy?: string;
  requiredApprover?: string;
  requireDifferentApprover?: boolean;
}

export interface Decision {
  choice: string;
  by?: string;
  comment?: string;
  value?: Json;
  at: string;
  /** How it came: from a person, as the gate's time ran out, or from an agent of the escalation chain. */
  via: 'signal' | 'update' | 'time-out' | 'agent';
  /** A plain signal proves nothing, so who it names is `claimed`. */
  identity: 'claimed' | 'proven';
  /** The way that proved it, if one did. */
  channel?: ProofChannel;
  /** The approver in whose place `by` decides. */
  inPlaceOf?: string;
  shownSha256: string;
}
