import { firstIteration, goesInRounds, iterates } from '../../../kinds/questions';
import { formatPath, parseAddress } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { runsInTurns } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { stepIdAt } from '../scheduling/place';
import { iterationsOf } from '../state/iterations';
import { lastTurnOf } from '../state/kind-state';
import { turnsOf } from '../state/turns';

/** Why nothing can begin at a path: it is in a turn, a round or an iteration that there is not. Undefined if none is missing. */
export function missingTurn(run: Run, path: string): string | undefined {
  const segments = parseAddress(path)?.path ?? [];
  for (const [at, { id, index }] of segments.entries()) {
    const outer = formatPath([...segments.slice(0, at), { id }]);
    const there = index === undefined ? undefined : turnsThatThereAre(run, outer);
    if (index === undefined || !there || (index >= there.first && index <= there.last)) continue;
    const { word, first, last } = there;
    const range = last < first ? 'none' : last === first ? `only ${first}` : `${first} to ${last}`;
    return `${outer} has no ${word} ${index}: it has ${range}`;
  }
  return undefined;
}

/**
 * Undefined if that is not known: it has not begun, it is over in a turn that is over, or its kind keeps no count and nothing of a turn is
 * left.
 */
function turnsThatThereAre(run: Run, path: string): { word: string; first: number; last: number } | undefined {
  const record = run.state.records[path];
  const step = run.steps.get(stepIdAt(path))?.step;
  if (!record || !step) return undefined;
  if (!iterates(step)) {
    // A kind that keeps no count may still have parts of its turns.
    const last = lastTurnOf(record) ?? (runsInTurns<ControlStep>(step) ? turnsOf(run, path).at(-1) : undefined);
    return last === undefined ? undefined : { word: 'turn', first: 1, last };
  }
  const loop = iterationsOf(record);
  if (!loop) return undefined;
  const first = firstIteration(step);
  // A round that has not begun is none yet.
  if (goesInRounds(step)) return { word: 'round', first, last: Math.max(loop.done, ...loop.live) };
  return { word: 'iteration', first, last: first + loop.total - 1 };
}
