import { defined } from '../../plan/defined';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { sendEnvelope } from '../../workflows/interpreter/messages/envelopes';
import { journalFeedback } from '../../workflows/interpreter/patterns/journal-feedback';
import { positionKeeper } from '../../workflows/interpreter/patterns/positions';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { DiagnoseValues } from './rules/diagnose';
import type { EscalationEnd, EscalationPosition } from './state';
import type { EscalationView } from './view';

/** The shared state of an escalation: the step, and what is kept of it for people, for a further try and for its caller. */
export interface EscalationStep {
  it: Interpreter;
  place: PlaceOf<'escalate'>;
}

export const positionsOf = (step: EscalationStep) => positionKeeper(step, 'escalate');

export function keepPosition(step: EscalationStep, position: EscalationPosition): void {
  const { move, issue } = position;
  const { levels } = step.place.step;
  const attempt = move.kind === 'workaround' ? 1 : move.attempt;
  const view: EscalationView = { issue, levels: levels.map(({ name }) => name), level: move.level, attempt, doing: move.kind };
  positionsOf(step).keep(position, { view });
  step.it.changed();
}

export function viewOf(step: EscalationStep): EscalationView {
  return positionsOf(step).kept().view ?? { issue: '', levels: [], level: 0, attempt: 1, doing: 'ask' };
}

/** The issue goes to the next level: a feedback signal, and a message as in every chain. */
export function goUp({ it, place }: EscalationStep, issue: string, raised: NonNullable<DiagnoseValues['raised']>): void {
  const { run } = it;
  const [from, to] = [raised.from_level, raised.to_level].map((level) => place.step.levels[level]?.name ?? '');
  const names = { from: from ?? '', to: to ?? '' };
  journalFeedback(it, place, { type: 'escalate', ...names, data: { issue, ...raised } });
  sendEnvelope(run, place.path, {
    ...names,
    intent: 'escalate',
    payload: { step: run.name(place.path), reason: issue },
    expect_response: true,
  });
}

/** Nothing of its attempts is left to continue. */
export function conclude(
  step: EscalationStep,
  { outcome, by, solution, rootCause, pattern }: EscalationEnd & Pick<DiagnoseValues, 'pattern'>,
): void {
  if (pattern) rememberPattern(step, by ?? '', pattern);
  const end: EscalationEnd = {
    outcome,
    ...defined({ by, solution, rootCause }),
  };
  const view = { ...viewOf(step), outcome, ...defined({ by }) };
  positionsOf(step).conclude({ end, view });
  step.it.changed();
}

/** Journals what L1 has solved, so that a post-mortem finds it. */
function rememberPattern({ it, place }: EscalationStep, from: string, { problem, solution }: NonNullable<DiagnoseValues['pattern']>): void {
  const data = { went_well: [], difficult: [problem], suggestions: [], patterns: [`${problem} → ${solution}`] };
  journalFeedback(it, place, { type: 'retro_finding', from, data });
}
