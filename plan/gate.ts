import { type ArtifactRef, isArtifactRef } from './artifact';
import { isJsonObject, type Json } from './json';

export const GATE_KINDS = ['approval', 'escalation', 'input'] as const;
export type GateKind = (typeof GATE_KINDS)[number];

/**
 * What a gate may be answered with, where its step does not say: an escalation gate adds `revise` (one more round, with
 * instructions), an input gate takes a response.
 */
export const GATE_CHOICES: Readonly<Record<GateKind, readonly string[]>> = {
  approval: ['approve', 'reject'],
  escalation: ['approve', 'revise', 'reject'],
  input: ['respond'],
};

/** An open gate as people see it, in `status`, `gates`, the memo and the inbox. */
export interface GateView {
  /** Short address: what a signal's `step` names. */
  step: string;
  kind: GateKind;
  question: string;
  choices: readonly string[];
  channel?: string;
  approvers?: readonly string[];
  openedAt: string;
  deadline?: string;
  /** Outputs laid before the person. */
  shown: { step: string; artifact: ArtifactRef }[];
  /** SHA-256 over question and shown artifacts: what a decision binds to. */
  shownSha256: string;
  /** What a program needs to put the question itself (`GateForm`): of input gates and of approvals behind a command. */
  form?: ArtifactRef;
  /** Who has approved so far, where several must. */
  approvedBy?: readonly string[];
  quorum?: number;
}

/** Whether data that came from outside is an open gate, in all that anybody reads of one. */
export function isGateView(value: unknown): value is GateView {
  if (!isJsonObject(value)) return false;
  const { step, kind, question, choices, channel, approvers, openedAt, deadline, shown, shownSha256, form, approvedBy, quorum } = value;
  const texts = [step, question, openedAt, shownSha256].every((text) => typeof text === 'string');
  const optional = [channel, deadline].every((text) => text === undefined || typeof text === 'string');
  const lists = isTexts(choices) && [approvers, approvedBy].every((list) => list === undefined || isTexts(list));
  const outputs: unknown[] | undefined = Array.isArray(shown) ? shown : undefined;
  return (
    texts &&
    optional &&
    lists &&
    GATE_KINDS.some((known) => known === kind) &&
    outputs?.every(isShown) === true &&
    (form === undefined || isArtifactRef(form)) &&
    (quorum === undefined || typeof quorum === 'number')
  );
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
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
  /** How it came; a plain signal proves nothing, so who it names is `claimed`. */
  via: 'signal' | 'update' | 'time-out';
  identity: 'claimed';
  shownSha256: string;
}
