import type { StepState } from '../../../plan/run/step-state';
import type { ControlStep } from '../../../plan/steps/control';
import { orderOf } from '../../../plan/steps/order';
import type { Run } from '../run';
import { readsStepStates, whyFalse } from '../steps/expression-scope';
import { endElsewhere } from './branch-waits';
import { type Frame, frameKey } from './place';

/** `compared`: the compared values of a false condition. */
export type StartDecision = { start: true } | { start: false; reason: string; compared?: string };

/** Whether a step whose turn has come starts or is skipped. `stateOf` knows the steps of its block. */
export function decideStart(run: Run, frame: Frame, step: ControlStep, stateOf: (id: string) => StepState): StartDecision {
  if (step.onCall) return { start: false, reason: 'no action called it' };
  if (run.state.skipRest.includes(frameKey(frame))) return { start: false, reason: 'the rest was skipped' };
  const asksStates = step.when !== undefined && readsStepStates(step.when);
  if (frame.block.order === 'graph' && !asksStates) {
    const producer = streamOf(step);
    const missed = orderOf(frame.block)
      .needsOf(step.id)
      .find((id) => stateOf(id) !== 'done' && !(id === producer && stateOf(id) !== 'skipped'));
    if (missed !== undefined) return { start: false, reason: `${missed} was ${stateOf(missed)}` };
  }
  for (const awaited of asksStates ? [] : (step.awaits ?? [])) {
    const end = endElsewhere(run, frame, awaited);
    if (end !== 'done') return { start: false, reason: `${awaited} was ${end}` };
  }
  const compared = step.when && whyFalse(run, step.when, frame);
  if (compared !== undefined) return { start: false, reason: compared, compared };
  return { start: true };
}

/** The step whose items a loop takes. */
export function streamOf(step: ControlStep): string | undefined {
  return 'stream' in step ? step.stream : undefined;
}
