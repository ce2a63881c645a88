import { type ArtifactRef, readArtifactRef } from './artifact';
import { AMOUNTS, type Amounts } from './budget';
import { type GateView, isGateView } from './gate';
import { isJsonObject, type Json } from './json';
import { RUN_STATES, type RunState } from './status';

/**
 * What a child pipeline and its parent tell each other, by signals of the two names below. A child is a workflow of its own
 * whose end the parent does not bind (parent-close policy ABANDON), because continue-as-new of the parent would end it.
 */
export const CHILD_SIGNAL = 'thermidor:child';
export const PARENT_SIGNAL = 'thermidor:parent';

/**
 * Child → parent. `step` is the address of the `pipeline` step's try, as the child was given it; `told`: its failure has been
 * reported already, by itself or by a child of its own.
 */
export type ChildNews =
  | { step: string; kind: 'gates'; gates: GateView[]; state: RunState; held?: HeldView[] }
  /** It lacks so much, beside what it was given. */
  | { step: string; kind: 'short'; amounts: Amounts }
  /** What it has used up in all, said as it ends. */
  | { step: string; kind: 'spent'; amounts: Amounts; unknownCost?: boolean }
  | { step: string; kind: 'ended'; state: 'completed'; output: ChildOutput }
  | { step: string; kind: 'ended'; state: 'rejected' | 'cancelled'; reason: string }
  | { step: string; kind: 'ended'; state: 'failed'; code: string; message: string; told?: true };

/** A step that waits for an operator, by what the run that tells of it calls it. */
export interface HeldView {
  step: string;
  reason: string;
  /** ISO 8601. */
  since?: string;
}

/** The child's output: by reference where it is a step's artifact, by value where its `output:` is an expression. */
export type ChildOutput = { artifact: ArtifactRef } | { value: Json };

/** Parent → child: a decision that came to the parent, to be taken as if it had come here; or the run is over. */
export type ParentWord =
  /** `sealedFor`: the workflow id of the run that the sender saw the gate at, which a proof in the payload names. */
  | { kind: 'signal'; name: string; payload: Json; sealedFor?: string }
  | { kind: 'cancel'; reason: string }
  | { kind: 'report' }
  /** The new ceilings of what the parent has reserved for it. */
  | { kind: 'granted'; amounts: Amounts };

/** News as they came by signal, which anybody can send; undefined where they are none. */
export function readChildNews(payload: unknown): ChildNews | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { step, kind, state, gates, output, reason, code, message } = payload;
  if (typeof step !== 'string') return undefined;
  if (kind === 'gates') {
    const known = RUN_STATES.find((word) => word === state);
    const views: unknown[] | undefined = Array.isArray(gates) ? gates : undefined;
    if (!known || !views?.every(isGateView)) return undefined;
    const held = readHeld(payload['held']);
    return { step, kind, gates: views, state: known, ...(held.length > 0 ? { held } : {}) };
  }
  if (kind === 'short' || kind === 'spent') {
    const amounts = readAmounts(payload['amounts']);
    const unknown = payload['unknownCost'] === true && kind === 'spent' ? { unknownCost: true } : {};
    return amounts && { step, kind, amounts, ...unknown };
  }
  if (kind !== 'ended') return undefined;
  if (state === 'completed') {
    const put = readOutput(output);
    return put && { step, kind, state, output: put };
  }
  if (state === 'rejected' || state === 'cancelled') return typeof reason === 'string' ? { step, kind, state, reason } : undefined;
  return state === 'failed' && typeof code === 'string' && typeof message === 'string'
    ? { step, kind, state, code, message, ...(payload['told'] === true ? { told: true } : {}) }
    : undefined;
}

/** Amounts as they came by signal: whole numbers, not below 0. */
export function readAmounts(value: unknown): Amounts | undefined {
  if (!isJsonObject(value)) return undefined;
  const amounts: Amounts = {};
  for (const kind of AMOUNTS) {
    const amount = value[kind];
    if (amount === undefined) continue;
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined;
    amounts[kind] = amount;
  }
  return amounts;
}

/** Leniently: what does not read is left out, and a child of an earlier version names none. */
function readHeld(value: Json | undefined): HeldView[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    const { step, reason, since }: Record<string, unknown> = isJsonObject(one) ? one : {};
    if (typeof step !== 'string' || typeof reason !== 'string') return [];
    return [{ step, reason, ...(typeof since === 'string' ? { since } : {}) }];
  });
}

function readOutput(output: Json | undefined): ChildOutput | undefined {
  if (!isJsonObject(output)) return undefined;
  const artifact = readArtifactRef(output['artifact']);
  if (artifact) return { artifact };
  return output['value'] === undefined ? undefined : { value: output['value'] };
}
