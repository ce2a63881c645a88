import { defined } from '../plan/defined';
import type { RunView, StepView } from '../plan/run/status';
import type { ThermidorClient } from './connect';
import { hasEnded, type RunOutcome } from './outcome';
import { readOutcome } from './read-outcome';
import type { RunSummary } from './run-summary';

/**
 * A run whose workflow was terminated, or timed out, does not notice: asked, it repeats its last state. The server knows how it ended, and
 * the server's word counts.
 */
export async function asClosed(client: ThermidorClient, view: RunView, summary: Pick<RunSummary, 'state' | 'endedAt'>): Promise<RunView> {
  const { state, endedAt } = summary;
  // It may have ended between the two looks.
  const last = hasEnded(state) ? state : view.state;
  if (!hasEnded(last) || knowsItsEnd(view)) return view;
  return closedAs(view, (await readOutcome(client, view.run)) ?? { state: last }, endedAt);
}

/** A run that failed before it was open reports that it did, and not why. */
function knowsItsEnd({ state, error }: RunView): boolean {
  return hasEnded(state) && (state !== 'failed' || error !== undefined);
}

/** The view of a run that ended like this: nobody is asked any more, and nothing is in progress. Pure. */
export function closedAs(view: RunView, outcome: RunOutcome, closedAt?: string): RunView {
  const { held: _held, paused: _paused, ...rest } = view;
  const { state } = outcome;
  const error = view.error ?? outcome.error;
  const reason = view.reason ?? outcome.reason;
  const endedAt = view.endedAt ?? closedAt;
  return {
    ...rest,
    state,
    // Work in progress in a run that then completed counts as done.
    steps: state === 'completed' ? view.steps : view.steps.map((step) => (UNDER_WAY.has(step.state) ? cancelledStep(step, endedAt) : step)),
    gates: [],
    ...defined({ endedAt, error, reason }),
  };
}

const UNDER_WAY: ReadonlySet<StepView['state']> = new Set(['running', 'waiting', 'held']);

function cancelledStep(step: StepView, endedAt: string | undefined): StepView {
  const { waitingFor: _waitingFor, storeSince: _storeSince, remindAt: _remindAt, turn: _turn, ...rest } = step;
  return { ...rest, state: 'skipped', ...defined({ endedAt }) };
}
