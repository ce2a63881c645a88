import { SPAWN_SIGNAL } from '../agents/spawned-agent';
import { TASK_SIGNAL } from '../board/asked-task';
import { ALLOW_OR_HOLD, type Allowance, AMOUNTS, type Amounts, BUDGET_WORDS } from '../budgets/budget';
import { defined, unlessEmpty } from '../defined';
import { type GateView, isGateView } from '../people/gate';
import { QUEUE_SIGNAL } from '../queue/ticket';
import { isJsonObject, type Json, type JsonObject } from '../text/json';
import { copyField } from '../text/spelled-json';
import { type ArtifactRef, readArtifactRef } from './artifact';
import { type HeldStepView, RUN_STATES, type RunState } from './status';

/**
 * Messages between a child pipeline and its parent (plan/run/run-messages.ts). A child is a workflow of its own, started with
 * ParentClosePolicy ABANDON, because continue-as-new of the parent would end it otherwise.
 *
 * The signals only wake. `thermidor:child` has the address of the `pipeline` step's try, so that the parent knows whose log to read.
 */
export const CHILD_SIGNAL = 'thermidor:child';
export const PARENT_SIGNAL = 'thermidor:parent';
/** Signals that only runs, merge queues and their activities send. */
export const INTERNAL_SIGNALS = [CHILD_SIGNAL, PARENT_SIGNAL, SPAWN_SIGNAL, QUEUE_SIGNAL, TASK_SIGNAL] as const;

/** `run-id.deploy`, `run-id.tests@3.ask.r2`: the workflow id of the child that the step's try at an address starts. */
export function childId(run: string, address: string): string {
  const [path = '', more = ''] = address.split('#');
  const [round, again] = more.split('~');
  const marks = `${round === '1' ? '' : `.r${round}`}${again === '1' ? '' : `.t${again}`}`;
  return `${run}.${path.replaceAll('/', '.').replace(/\[(\d+)\]/g, '@$1')}${marks}`;
}

/**
 * Whose decisions under four eyes a run depends on without a record of them. `alone`: at a gate of proven identities only one person is
 * proven, so that it holds for a proven starter only. `unknown`: there were others, or nobody knows.
 */
export interface FourEyesOfRun {
  by: string[];
  alone?: true;
  unknown?: true;
}

/**
 * Child → parent. `step` is the address of the `pipeline` step's try, as the child got it; `reported`: its failure has been reported
 * already, by itself or by a child of its own; `eyes`: whose decisions there were in it.
 */
export type ChildMessage =
  | { step: string; kind: 'gates'; gates: GateView[]; state: RunState; held?: HeldStepView[] }
  /** It lacks this much, in addition to what it was given. */
  | { step: string; kind: 'short'; amounts: Amounts }
  /** What the child has used in total, sent as it ends. */
  | { step: string; kind: 'spent'; amounts: Amounts; unknownCost?: boolean }
  | ({ step: string; kind: 'ended'; eyes?: FourEyesOfRun } & ChildEnding);

export type ChildEnding =
  | { state: 'completed'; output: ChildOutput }
  | { state: 'rejected' | 'cancelled'; reason: string }
  | { state: 'failed'; code: string; message: string; reported?: true };

/** The child's output: by reference if it is a step's artifact, by value if its `output:` is an expression. */
export type ChildOutput = { artifact: ArtifactRef } | { value: Json };

/** Parent → child: a decision that came to the parent, to be handled as if it had come here; or a share of its budget, or a larger one. */
export type ParentMessage =
  /** `sealedFor`: the workflow id of the run that the sender saw the gate at, which a proof in the payload names. */
  | { kind: 'signal'; name: string; payload: Json; sealedFor?: string }
  /** The new ceilings of what the parent has reserved for it. */
  | { kind: 'granted'; amounts: Allowance };

/** Parses a message, which another version of this program may have written; undefined if it is invalid. */
export function readChildMessage(payload: unknown): ChildMessage | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { step, kind, state, gates } = payload;
  if (typeof step !== 'string') return undefined;
  if (kind === 'gates') {
    const known = RUN_STATES.find((word) => word === state);
    const views: unknown[] | undefined = Array.isArray(gates) ? gates : undefined;
    if (!known || !views?.every(isGateView)) return undefined;
    const held = readHeld(payload['held']);
    return { step, kind, gates: views, state: known, ...defined({ held: unlessEmpty(held) }) };
  }
  if (kind === 'short' || kind === 'spent') {
    const amounts = readAmounts(payload['amounts']);
    const unknown = payload['unknownCost'] === true && kind === 'spent' ? { unknownCost: true } : {};
    return amounts && { step, kind, amounts, ...unknown };
  }
  if (kind !== 'ended') return undefined;
  const ending = readEnding(payload);
  const eyes = readEyes(payload['eyes']);
  return ending && { step, kind, ...ending, ...defined({ eyes }) };
}

function readEnding({ state, output, reason, code, message, reported }: JsonObject): ChildEnding | undefined {
  if (state === 'completed') {
    const put = readOutput(output);
    return put && { state, output: put };
  }
  if (state === 'rejected' || state === 'cancelled') return typeof reason === 'string' ? { state, reason } : undefined;
  return state === 'failed' && typeof code === 'string' && typeof message === 'string'
    ? { state, code, message, ...defined({ reported: reported === true || undefined }) }
    : undefined;
}

function readEyes(value: Json | undefined): FourEyesOfRun | undefined {
  if (!isJsonObject(value) || !Array.isArray(value['by'])) return undefined;
  const by = value['by'].filter((name) => typeof name === 'string');
  return {
    by,
    ...defined({ alone: value['alone'] === true || undefined, unknown: value['unknown'] === true || undefined }),
  };
}

/** Whole numbers, not below 0. */
function readAmounts(value: unknown): Amounts | undefined {
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

function readAllowance(value: Json | undefined): Allowance | undefined {
  const amounts = readAmounts(value);
  if (!amounts || !isJsonObject(value)) return undefined;
  const allowance: Allowance = amounts;
  for (const key of BUDGET_WORDS) {
    const word = ALLOW_OR_HOLD.find((one) => one === value[key]);
    if (word) allowance[key] = word;
  }
  return allowance;
}

export function readParentMessage(word: unknown): ParentMessage | undefined {
  if (!isJsonObject(word)) return undefined;
  const { kind, name, payload, sealedFor } = word;
  if (kind === 'signal' && typeof name === 'string')
    return { kind, name, payload: payload ?? null, ...(typeof sealedFor === 'string' ? { sealedFor } : {}) };
  if (kind !== 'granted') return undefined;
  const amounts = readAllowance(word['amounts']);
  return amounts && { kind, amounts };
}

/** Parses leniently: invalid entries are left out. */
function readHeld(value: Json | undefined): HeldStepView[] {
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
  if (output['value'] === undefined) return undefined;
  const put = { value: null };
  copyField(output, 'value', put);
  return put;
}
