import type { ScriptedPerson } from '../../plan/agents/script';
import type { GateView } from '../../plan/people/gate';
import type { SignalName, SignalPayload } from '../../plan/run/signal';
import { joined } from '../../plan/text/joined';
import type { Json } from '../../plan/text/json';
import { numberAt } from '../../plan/text/spelled-json';
import { lastIdOf } from '../rendering/step-tree';

/** What a script's people do at a gate, in the script's order: those for this very round, else those for any. */
export function peopleFor(gate: Pick<GateView, 'step'>, people: readonly ScriptedPerson[]): ScriptedPerson[] {
  const exact = people.filter((person) => person.gate === gate.step && person.gate.includes('#'));
  if (exact.length > 0) return exact;
  const id = lastIdOf(gate.step);
  return people.filter((person) => person.gate === gate.step || person.gate === id);
}

/** How long from now a person answers, given when the gate opened. */
export function delayOf(person: Pick<ScriptedPerson, 'afterMs'>, openedAt: string, now: number): number {
  const after = person.afterMs ?? 0;
  // If the server's clock is ahead of ours, never longer than the script says.
  return Math.max(0, Math.min(after, Date.parse(openedAt) + after - now));
}

/** The update that makes a choice at a gate. */
export function choiceUpdate(
  step: string,
  choice: string,
  more: { by?: string | undefined; comment?: string | undefined; response?: Json | undefined },
): { name: SignalName; payload: SignalPayload } {
  const payload: SignalPayload = { step };
  if (more.by !== undefined) payload.by = more.by;
  if (more.comment !== undefined && more.comment !== '') payload.comment = more.comment;
  if (choice === 'approve' || choice === 'reject') return { name: choice, payload };
  return { name: 'respond', payload: joined(payload, { response: choice }, { response: numberAt(more, 'response') ?? more.response }) };
}
