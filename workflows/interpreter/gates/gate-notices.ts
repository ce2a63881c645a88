import type { GateNotice } from '../../../plan/people/notice';
import { unreachable } from '../../../plan/unreachable';
import { notifyChannel } from '../messages/notification-outbox';
import type { Run } from '../run';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import type { ClosedGate, GateRecord } from './gate-record';
import { gateNotice } from './gate-view';

/**
 * Messages to channels about gates: one when a gate opens, reminders for as long as it is open, and one when it closes without an answer,
 * if it was announced before.
 */
export function announceGate(run: Run, path: string, gate: GateRecord, channel: string): void {
  gate.announced = channel;
  const notice = gateNotice(run, path, gate);
  notifyChannel({ run }, { path, channel, message: asked(gate.question, notice), kind: 'gate', gate: notice });
}

function asked(question: string, { answer }: GateNotice): string {
  return answer === undefined ? question : `${question}\n${answer}`;
}

/** Reminders keep to fixed intervals since the gate opened. One is left out while the previous one is still on its way. */
export function remindOf(run: Run, path: string, gate: GateRecord, everyMs: number): void {
  const now = run.ctx.now();
  const past = Math.floor((now - gate.openedAtMs) / everyMs);
  gate.remindAtMs = gate.openedAtMs + (past + 1) * everyMs;
  const channel = gate.channel ?? APPROVALS_CHANNEL;
  if (isOnItsWay(run, path, channel)) return;
  gate.announced = channel;
  const notice = gateNotice(run, path, gate);
  notifyChannel({ run }, { path, channel, message: asked(`Still waiting: ${gate.question}`, notice), kind: 'reminder', gate: notice });
}

function isOnItsWay(run: Run, path: string, channel: string): boolean {
  const step = run.name(path);
  return run.state.outbox.some((item) => item.step === step && item.channel === channel && item.gate !== undefined);
}

export function announceClosing(run: Run, path: string, { announced, question }: GateRecord, why: Unanswered): void {
  if (announced === undefined) return;
  const message = `No answer is needed any more, ${reasonOf(why)}: ${question}`;
  notifyChannel({ run }, { path, channel: announced, message, kind: 'closed' });
}

/** Why a gate closes that nobody has answered. */
type Unanswered = Exclude<ClosedGate['why'], 'decided'>;

function reasonOf(why: Unanswered): string {
  switch (why) {
    case 'superseded':
      return 'the work was sent back';
    case 'timed-out':
      return 'it timed out';
    case 'ended':
      return 'the run has continued or ended without it';
    default:
      return unreachable(why);
  }
}
