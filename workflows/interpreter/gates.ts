import type { EscalationTarget } from '../../plan/action';
import { describeTarget } from '../../plan/action';
import type { ControlStep } from '../../plan/control';
import { type Decision, GATE_CHOICES, type GateKind, type GateView } from '../../plan/gate';
import type { Interpreter } from './interpreter';
import { notifyChannel } from './notices';
import { QUICK_MS } from './policies';
import type { Run } from './run';
import { CLOSED_GATES_KEPT, type ClosedGate, type GateRecord, type StepRecord } from './state';
import { artifactsOf, readable } from './step-input';

/** What a gate asks for, as its step or an escalation has it. */
export interface GateSpec {
  kind: GateKind;
  show: readonly string[];
  channel?: string;
  approvers?: string[];
  timeoutMs?: number;
  onTimeout?: 'approve' | 'reject';
  escalation?: { reason: string; chain: readonly EscalationTarget[] };
}

/**
 * Opens a gate at a step, unless it is open already, and waits for its decision. What is shown is rendered and hashed by an
 * activity; the decision binds to that hash. Rejects with `Cancelled` when the run ends first.
 */
export async function decisionAt(it: Interpreter, step: ControlStep, spec: GateSpec): Promise<Decision> {
  const { run } = it;
  const record = run.record(step.id);
  record.gate ??= await openGate(it, step, spec);
  record.state = 'waiting';
  const gate = record.gate;
  it.scheduler.yielded(step, true);
  it.changed('gates');
  while (!gate.decision) {
    const name = gateSleeper(step.id);
    if (gate.deadlineMs === undefined || !spec.onTimeout) await run.sleepUntilWoken(name);
    else if (await run.until(gate.deadlineMs, name)) {
      gate.decision ??= {
        choice: spec.onTimeout,
        at: new Date(run.ctx.now()).toISOString(),
        via: 'time-out',
        identity: 'claimed',
        shownSha256: gate.shownSha256,
      };
    }
  }
  const { decision } = gate;
  run.journal.add({ kind: 'decision', step: run.name(step.id), decision });
  closeGate(run, step.id, decision.via === 'time-out' ? 'timed-out' : 'decided', decision);
  record.state = 'running';
  it.scheduler.yielded(step, false);
  it.changed('gates');
  return decision;
}

export function gateSleeper(step: string): string {
  return `gate:${step}`;
}

async function openGate(it: Interpreter, step: ControlStep, spec: GateSpec): Promise<GateRecord> {
  const { run } = it;
  const { escalation } = spec;
  const rendered = await run.activity(
    'gate',
    {
      ...readable(run, step, [...new Set([...(step.inputs ?? []), ...spec.show])]),
      ...(escalation ? { escalation: { reason: escalation.reason, chain: escalation.chain.map(describeTarget) } } : {}),
    },
    { address: `${run.address(step.id)}/gate`, startToCloseMs: QUICK_MS, summary: `gate ${run.name(step.id)}` },
  );
  const now = run.ctx.now();
  const gate: GateRecord = {
    kind: spec.kind,
    question: rendered.question,
    openedAtMs: now,
    shown: artifactsOf(run, spec.show),
    shownSha256: rendered.shownSha256,
    ...(spec.channel === undefined ? {} : { channel: spec.channel }),
    ...(spec.approvers ? { approvers: spec.approvers } : {}),
    ...(spec.timeoutMs === undefined ? {} : { deadlineMs: now + spec.timeoutMs }),
  };
  const name = run.name(step.id);
  run.journal.add({ kind: 'step', step: name, state: 'waiting' });
  run.journal.add({ kind: 'gate', step: name, event: 'opened', question: rendered.question });
  if (spec.channel !== undefined) {
    notifyChannel(it, { step: step.id, channel: spec.channel, message: `${rendered.question}\n${answerLine(run, step.id)}` });
  }
  return gate;
}

export function closeGate(run: Run, step: string, why: ClosedGate['why'], decision?: Decision): void {
  const record = run.record(step);
  delete record.gate;
  if (decision) record.decision = decision;
  run.journal.add({ kind: 'gate', step: run.name(step), event: 'closed', reason: why });
  run.state.closedGates.push({
    step,
    round: record.round,
    why,
    ...(decision?.by === undefined ? {} : { by: decision.by }),
    ...(decision ? { choice: decision.choice } : {}),
  });
  if (run.state.closedGates.length > CLOSED_GATES_KEPT) run.state.closedGates.shift();
}

/** Open gates in the plan's order. */
export function openGates(run: Run): { step: ControlStep; record: StepRecord; gate: GateRecord }[] {
  const open: { step: ControlStep; record: StepRecord; gate: GateRecord }[] = [];
  for (const [id, record] of Object.entries(run.state.records)) {
    const step = run.steps.get(id);
    if (step && record.gate && !record.gate.decision) open.push({ step, record, gate: record.gate });
  }
  return open;
}

export function gateView(run: Run, step: ControlStep, gate: GateRecord): GateView {
  return {
    step: run.name(step.id),
    kind: gate.kind,
    question: gate.question,
    choices: GATE_CHOICES[gate.kind],
    openedAt: new Date(gate.openedAtMs).toISOString(),
    shown: gate.shown,
    shownSha256: gate.shownSha256,
    ...(gate.channel === undefined ? {} : { channel: gate.channel }),
    ...(gate.approvers ? { approvers: gate.approvers } : {}),
    ...(gate.deadlineMs === undefined ? {} : { deadline: new Date(gate.deadlineMs).toISOString() }),
  };
}

/** The line of the plain Temporal CLI that answers a gate. */
export function answerLine(run: Run, step: string): string {
  return `temporal workflow signal -w ${run.ctx.info.workflowId} --name approve --input '${JSON.stringify({ step: run.name(step), by: 'YOU' })}'`;
}
