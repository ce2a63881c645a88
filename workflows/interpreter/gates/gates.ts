import { describeTarget, type EscalationTarget } from '../../../plan/action';
import type { BudgetOrder } from '../../../plan/budget';
import type { ApprovalNeed, Category } from '../../../plan/category';
import type { CommentRule, TimeoutOutcome } from '../../../plan/decision-policy';
import { SAID_LIMIT, type Said } from '../../../plan/escalation';
import { type Decision, GATE_CHOICES, type GateKind } from '../../../plan/gate';
import type { GateInput, RenderedGate } from '../../../plan/gate-work';
import type { RenderedApproval } from '../../../plan/step-work';
import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { noteOn, quorumOf } from '../people/four-eyes';
import { isOver, type Place } from '../place';
import { SHORT_MS } from '../policies';
import type { Run } from '../run';
import type { StepRecord } from '../state/record';
import { artifactsOf, readable } from '../step-input';
import { summaryOf } from '../step-policy';
import { announceWorkDone } from '../superior';
import { forgetError } from '../take-output';
import { announceClosing, announceGate, remindOf } from './gate-notices';
import { CLOSED_GATES_KEPT, type ClosedGate, ESCALATED, type GateRecord } from './gate-record';
import { notePassed } from './passed-gates';

/** What a gate asks for, as its step or an escalation has it. */
export interface GateSpec {
  kind: GateKind;
  show: readonly string[];
  channel?: string;
  approvers?: string[];
  notBy?: string[];
  /** Neither the owner nor who started the run decides: they are in `notBy`. */
  fourEyes?: true;
  choices?: string[];
  quorum?: number;
  timeoutMs?: number;
  remindMs?: number;
  onTimeout?: TimeoutOutcome;
  comment?: CommentRule;
  identity?: 'proven';
  escalation?: { reason: string; chain: readonly EscalationTarget[]; before?: Said[] };
  /** Where the question is known already: of an approval behind a command, of a stage that asks. */
  asked?: RenderedApproval;
  /** The question of the run itself, as of a budget gate, and whose budget it is. */
  statement?: string;
  account?: string;
  raise?: BudgetOrder;
  /** A yes to exactly what the step, or a tool that its agent calls, is about to do. */
  category?: Category;
  need?: ApprovalNeed;
  /** The answer holds for this try alone, and for nothing behind the step. */
  holdsHere?: true;
  /** Whether the answer is no longer needed; whatever brings that about wakes the gate. */
  over?: () => boolean;
}

/** The choices of nobody: what a gate answers with where its time ran out and that is no decision by itself. */
const DEFAULTED = 'defaults';
const GIVEN_UP = 'ended';

/**
 * Opens a gate at a place, unless it is open already, and waits for its decision. What is shown is rendered and hashed by an
 * activity; the decision binds to that hash. `taken` is called in the moment in which the decision is. Rejects with `Cancelled` when the run, or a frame around, ends first.
 */
export async function decisionAt(
  it: Interpreter,
  place: Place,
  spec: GateSpec,
  taken: (decision: Decision, gate: GateRecord) => void = () => undefined,
): Promise<Decision> {
  const { run } = it;
  const record = run.record(place.path);
  record.gate ??= await openGate(it, place, spec);
  if (spec.kind !== 'escalation') forgetError(record);
  record.state = 'waiting';
  const { gate } = record;
  const onTimeout = outcomeOfTime(spec);
  it.rest(place);
  it.changed('gates');
  while (!gate.decision) {
    if (spec.over?.() || place.child?.over) return giveUp(it, place, gate);
    const due = earliest(onTimeout === undefined ? undefined : gate.deadlineMs, gate.remindAtMs);
    const name = gateSleeper(place.path);
    if (due === undefined) await run.sleepUntilWoken(name, place.path);
    else if (await run.until(due, place.path, name)) {
      // Where both fall together the gate closes: nobody is reminded of what asks nothing any more.
      const over = onTimeout !== undefined && due === gate.deadlineMs;
      if (due === gate.remindAtMs && !over) remindOf(run, place.path, gate, spec.remindMs ?? 0);
      else gate.decision ??= decisionOfTime(run, gate, onTimeout ?? ESCALATED);
    }
  }
  const { decision } = gate;
  run.journal.add({ kind: 'decision', step: run.name(place.path), decision });
  closeGate(run, place.path, decision.via === 'time-out' ? 'timed-out' : 'decided', decision);
  taken(decision, gate);
  record.state = 'running';
  it.resume(place);
  it.changed('gates');
  return decision;
}

/** The gate closes without an answer. */
function giveUp(it: Interpreter, place: Place, gate: GateRecord): Decision {
  const { run } = it;
  closeGate(run, place.path, 'ended');
  run.record(place.path).state = 'running';
  it.resume(place);
  it.changed('gates');
  return decisionOfTime(run, gate, GIVEN_UP);
}

function outcomeOfTime({ kind, onTimeout, choices }: GateSpec): string | undefined {
  if (kind === 'input') return DEFAULTED;
  return onTimeout === 'conservative' ? mostCareful(choices ?? GATE_CHOICES[kind]) : onTimeout;
}

/** Of the answers that a person could give it is no; else the last, because authors list them from bold to careful. */
function mostCareful(choices: readonly string[]): string {
  return choices.includes('reject') ? 'reject' : (choices.at(-1) ?? 'reject');
}

function decisionOfTime(run: Run, gate: GateRecord, choice: string): Decision {
  return { choice, at: new Date(run.ctx.now()).toISOString(), via: 'time-out', identity: 'claimed', shownSha256: gate.shownSha256 };
}

function earliest(...moments: (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

export function gateSleeper(path: string): string {
  return `gate:${path}`;
}

async function openGate(it: Interpreter, place: Place, spec: GateSpec): Promise<GateRecord> {
  const { run } = it;
  const { path } = place;
  const shown: Shown = spec.asked
    ? { question: spec.asked.question, shownSha256: spec.asked.form.sha256, form: spec.asked.form }
    : await render(it, place, spec);
  // Rendered too late: what is cancelled meanwhile asks nobody.
  if (isOver(place) || (run.ending && run.ending.kind !== 'continue')) throw new Cancelled();
  const record = run.record(path);
  if (shown.subject !== undefined || shown.approval)
    record.asked = {
      ...record.asked,
      ...(shown.subject === undefined ? {} : { subject: shown.subject }),
      ...(shown.approval ? { question: shown.approval } : {}),
    };
  const now = run.ctx.now();
  const gate: GateRecord = {
    kind: spec.kind,
    question: shown.question,
    openedAtMs: now,
    shown: artifactsOf(run, place.frame, spec.show),
    shownSha256: shown.shownSha256,
    ...policyOf(run, { ...spec, ...(shown.approval ? { asked: shown.approval } : {}) }),
    ...(shown.form ? { form: shown.form } : {}),
    ...(spec.account === undefined ? {} : { account: spec.account }),
    ...(spec.holdsHere ? { holdsHere: true } : {}),
    ...(shown.contentSha256 === undefined ? {} : { contentSha256: shown.contentSha256 }),
    ...(spec.raise ? { raise: spec.raise } : {}),
    ...saidBefore(spec),
    ...(spec.timeoutMs === undefined ? {} : { deadlineMs: now + spec.timeoutMs }),
    ...(spec.remindMs === undefined ? {} : { remindAtMs: now + spec.remindMs }),
  };
  const name = run.name(path);
  if (spec.kind === 'approval' && spec.category === undefined) announceWorkDone(run, place);
  run.journal.add({ kind: 'step', step: name, state: 'waiting' });
  const reason = gate.note === undefined ? {} : { reason: gate.note };
  run.journal.add({ kind: 'gate', step: name, event: 'opened', question: gate.question, ...reason });
  if (spec.channel !== undefined) announceGate(run, path, gate, spec.channel);
  return gate;
}

type Shown = Pick<RenderedGate, 'question' | 'shownSha256' | 'form' | 'subject' | 'approval' | 'contentSha256'>;

function saidBefore({ escalation }: GateSpec): Pick<GateRecord, 'said'> {
  const { before = [] } = escalation ?? {};
  return before.length === 0 ? {} : { said: before.map((one) => ({ ...one, said: inBrief(one.said) })) };
}

function inBrief(text: string): string {
  return text.length <= SAID_LIMIT ? text : `${text.slice(0, SAID_LIMIT - 1)}…`;
}

/** Who may decide, and how many must. */
function policyOf(run: Run, spec: GateSpec): Partial<GateRecord> {
  const { channel, approvers, notBy, choices, asked, comment, identity, category } = spec;
  const required = asked?.requiredApprover === undefined ? approvers : [asked.requiredApprover];
  const asker = asked?.requireDifferentApprover && asked.initiatedBy !== undefined ? [asked.initiatedBy] : [];
  const barred = [...(notBy ?? []), ...asker];
  const quorum = quorumOf(run, spec);
  const who = {
    ...(required ? { approvers: required } : {}),
    ...(barred.length > 0 ? { notBy: barred } : {}),
    ...(quorum > 1 ? { quorum } : {}),
  };
  const note = noteOn(run, spec, who);
  return {
    ...who,
    ...(channel === undefined ? {} : { channel }),
    ...(choices ? { choices } : {}),
    ...(note === undefined ? {} : { note }),
    ...(comment ? { comment } : {}),
    ...(identity ? { identity } : {}),
    ...(category ? { category } : {}),
  };
}

function render(it: Interpreter, place: Place, { show, escalation, statement, category, need }: GateSpec): Promise<RenderedGate> {
  const { run } = it;
  const { id, inputs = [], approval } = place.step;
  // A question behind the step's work may read what came of it.
  const own = approval ? [id] : [];
  return run.activity(
    place,
    'gate',
    {
      ...readable(run, place, [...new Set([...inputs, ...show, ...own])]),
      ...(escalation ? { escalation: { ...escalation, chain: escalation.chain.map(describeTarget) } } : {}),
      ...(statement === undefined ? {} : { statement }),
      ...(category === undefined ? {} : { category }),
      ...(need ? { need } : {}),
      ...(category === undefined || need ? {} : particularOf(run.record(place.path))),
    },
    {
      address: `${run.address(place.path)}/gate`,
      startToCloseMs: SHORT_MS,
      summary: summaryOf(run, place) ?? `gate ${run.name(place.path)}`,
    },
  );
}

/** What makes a step's action another one than in the round before, or than its plan says. */
function particularOf({ brief = {} }: StepRecord): Pick<GateInput, 'with' | 'findings' | 'previous'> {
  const { replaced, findings, previous } = brief;
  return { ...(replaced ? { with: replaced.inputs } : {}), ...(findings ? { findings } : {}), ...(previous ? { previous } : {}) };
}

export function closeGate(run: Run, path: string, why: ClosedGate['why'], decision?: Decision): void {
  const record = run.record(path);
  if (record.gate) announceClosing(run, path, record.gate, why);
  if (decision) notePassed(record, decision);
  delete record.gate;
  if (decision) record.decision = decision;
  run.journal.add({ kind: 'gate', step: run.name(path), event: 'closed', reason: why });
  run.state.closedGates.push({
    step: path,
    round: record.round,
    why,
    ...(decision?.by === undefined ? {} : { by: decision.by }),
    ...(decision ? { choice: decision.choice } : {}),
  });
  if (run.state.closedGates.length > CLOSED_GATES_KEPT) run.state.closedGates.shift();
}
