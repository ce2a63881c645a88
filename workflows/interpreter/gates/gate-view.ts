import { defined, ifDefined } from '../../../plan/defined';
import { awaitedApprover, type GateView } from '../../../plan/people/gate';
import type { GateNotice } from '../../../plan/people/notice';
import type { SignalName } from '../../../plan/run/signal';
import type { Json } from '../../../plan/text/json';
import { safeWord, shellQuote } from '../../../plan/text/shell-word';
import { accountAt, isTeamsBudget, viewOf } from '../budget/accounts';
import type { Run } from '../run';
import { stepIdAt } from '../scheduling/place';
import { itemNameAt, joinedNames } from '../state/item-name';
import { childStateOf } from '../state/kind-state';
import { type StepRecord, unansweredGate } from '../state/step-record';
import type { GateRecord } from './gate-record';

/** Open gates as people see them. */

export interface OpenGate {
  path: string;
  record: StepRecord;
  gate: GateRecord;
}

/** The run's own open gates, oldest record first. */
export function openGates(run: Run): OpenGate[] {
  const open: OpenGate[] = [];
  for (const [path, record] of run.index.live(run.state.records)) {
    const gate = unansweredGate(record);
    if (gate && run.steps.has(stepIdAt(path))) open.push({ path, record, gate });
  }
  return open;
}

/** An open gate of a child pipeline, under the address that it has from here. */
export interface ChildGate {
  /** The path of the `pipeline` step. */
  path: string;
  /** The child's name for it. */
  step: string;
  view: GateView;
}

export function childGates(run: Run): ChildGate[] {
  return run.index.live(run.state.records).flatMap(([path, record]) => {
    const child = childStateOf(record);
    if (!child || child.ended) return [];
    // Its budget is raised through this run, and `brief resume` is for the run that has the brief.
    return child.gates.map(({ roleTeam: _, ...gate }) => {
      const item = joinedNames([itemNameAt(run, path), gate.item]);
      return { path, step: gate.step, view: { ...gate, step: `${run.name(path)}/${gate.step}`, ...defined({ item }) } };
    });
  });
}

/** All gates that somebody can answer here: the run's own, then those of child pipelines. */
export function gateViews(run: Run): GateView[] {
  return [...openGates(run).map(({ path, gate }) => gateView(run, path, gate)), ...childGates(run).map(({ view }) => view)];
}

function gateView(run: Run, path: string, gate: GateRecord): GateView {
  const { kind, question, choices, shown, shownSha256, channel, approvers, notBy, quorum } = gate;
  const { comment, identity, note, said, form, category, ballot, raise } = gate;
  return {
    ...addressed(run, path, gate),
    ...{ kind, question, choices, shown, shownSha256 },
    openedAt: new Date(gate.openedAtMs).toISOString(),
    ...defined({ channel, approvers, notBy, quorum, comment, identity, note, said, form, category, ballot, raise }),
    ...defined({
      approvedBy: ifDefined(quorum, () => namesOf(gate)),
      budget: kind === 'budget' ? viewOf(run, accountAt(run, gate.account ?? '')) : undefined,
      roleTeam: kind === 'budget' && isTeamsBudget(run, gate.account) ? true : undefined,
      delegates: delegatesAtGate(run, gate),
    }),
  };
}

/** Who may decide in an approver's place at a gate: their delegate there, else their standing delegates. Undefined if nobody may. */
export function delegatesAtGate(
  run: Run,
  { approvers, handed }: Pick<GateRecord, 'approvers' | 'handed'>,
): Record<string, string[]> | undefined {
  const found: [string, string[]][] = [];
  for (const approver of approvers ?? []) {
    const holder = handed && Object.hasOwn(handed, approver) ? handed[approver] : undefined;
    const standing = run.plan.delegates && Object.hasOwn(run.plan.delegates, approver) ? run.plan.delegates[approver] : undefined;
    const delegates = holder === undefined ? standing : [holder];
    if (delegates && delegates.length > 0) found.push([approver, delegates]);
  }
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function addressed(run: Run, path: string, { deadlineMs }: GateRecord): Pick<GateView, 'step' | 'item' | 'deadline'> {
  const deadline = deadlineMs === undefined ? undefined : new Date(deadlineMs).toISOString();
  return { step: run.name(path), ...defined({ item: itemNameAt(run, path), deadline }) };
}

function namesOf(gate: GateRecord): string[] {
  return (gate.approvals ?? []).map(({ by }) => by ?? 'somebody without a name');
}

/** The command of the plain Temporal CLI that answers a gate. */
export function answerLine(run: Run, path: string, gate: GateRecord): string {
  const { name, input } = answerTo(run.name(path), gate);
  return `temporal workflow signal -w ${safeWord(run.ctx.info.workflowId)} --name ${name} --input ${shellQuote(JSON.stringify(input))}`;
}

function answerTo(step: string, gate: GateRecord): { name: SignalName; input: Record<string, Json> } {
  if (gate.kind === 'input') return { name: 'respond', input: { step, response: 'YOUR ANSWER' } };
  if (gate.kind === 'budget') return { name: 'extend_budget', input: { step, by: 'YOU', ...gate.raise } };
  const [first = 'approve'] = gate.choices;
  const said = gate.comment === 'always' ? { comment: 'WHY' } : {};
  // The command is for somebody whose answer the gate would accept.
  const by = awaitedApprover({ ...gate, approvedBy: namesOf(gate) }) ?? 'YOU';
  return first === 'approve'
    ? { name: 'approve', input: { step, by, ...said } }
    : { name: 'respond', input: { step, by, response: first, ...said } };
}

/** A message's data on a gate, so that it can be answered from a channel. */
export function gateNotice(run: Run, path: string, gate: GateRecord): GateNotice {
  const { kind, question, choices, shownSha256, approvers, approvals, notBy, comment, identity, note, said } = gate;
  return {
    ...addressed(run, path, gate),
    ...{ kind, question, choices, shownSha256 },
    ...defined({ approvers, notBy, comment, identity, note, said }),
    ...defined({ approvedBy: approvals && namesOf(gate), answer: identity ? undefined : answerLine(run, path, gate) }),
  };
}
