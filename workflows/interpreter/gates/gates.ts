import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import type { Run } from '../run';
import { announceClosing } from './gate-notices';
import { CLOSED_GATES_KEPT, type ClosedGate } from './gate-record';
import { notePassed } from './passed-gates';
import { notePlaces } from './whole-question';

export function gateWakeKey(path: string): string {
  return `gate:${path}`;
}

export function closeGate(run: Run, path: string, why: ClosedGate['why'], decision?: Decision): void {
  const record = run.record(path);
  if (record.gate) announceClosing(run, path, record.gate, why);
  if (decision) notePassed(record, decision);
  if (record.gate) notePlaces(run, path, record.gate, why, decision);
  delete record.gate;
  if (decision) record.decision = decision;
  run.journal.add({ kind: 'gate', step: run.name(path), event: 'closed', reason: why });
  run.state.closedGates.push({
    step: path,
    round: record.round,
    why,
    ...defined({ by: decision?.by }),
    ...(decision ? { choice: decision.choice } : {}),
  });
  if (run.state.closedGates.length > CLOSED_GATES_KEPT) run.state.closedGates.shift();
}
