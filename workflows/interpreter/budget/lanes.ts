import type { ControlStep } from '../../../plan/control';
import { stepsWithin } from '../../../plan/walk';
import type { Interpreter } from '../interpreter';
import { isContainer, type Place } from '../place';
import { type Account, covers } from './accounts';

/**
 * Among how many what is left of an account is shared: whoever asks, and all that could ask beside it now, because it has begun or
 * may begin and holds nothing. What holds a share already has had its part.
 */
export function lanesOf(it: Interpreter, account: Account, asking: string): number {
  const { frames, run } = it;
  const { holdings } = run;
  const opened = new Set([...frames.keys()].map((frame) => frame.container?.path));
  const holding = new Set([...holdings.values()].map(({ path }) => path));
  let lanes = 1;
  for (const { scheduler } of frames.values()) {
    for (const place of scheduler.upcoming()) {
      if (place.path === asking || holding.has(place.path) || !covers(account, place.path)) continue;
      if (run.state.records[place.path]?.gate) continue;
      lanes += lanesIn(it, place, opened);
    }
  }
  return Math.min(lanes, run.plan.concurrent ?? lanes);
}

function lanesIn({ run }: Interpreter, { step, path }: Place, opened: ReadonlySet<string | undefined>): number {
  if (!isContainer(step)) return usesBudget(step) ? 1 : 0;
  if (!anyWithin(step)) return 0;
  if (step.kind !== 'for_each') return opened.has(path) ? 0 : 1;
  const loop = run.state.records[path]?.loop;
  if (!loop) return 1;
  // Iterations that may begin beside those that have.
  return Math.max(0, Math.min((step.maxConcurrent ?? 1) - loop.live.length, loop.total - loop.next));
}

function usesBudget({ kind }: ControlStep): boolean {
  return kind === 'agent' || kind === 'review' || kind === 'pipeline';
}

function anyWithin(step: ControlStep): boolean {
  return stepsWithin(step).some((inner) => usesBudget(inner) || anyWithin(inner));
}
