import { firstIteration, goesInRounds, iterates } from '../../../kinds/questions';
import { type Address, formatPath } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { type ExistingTurns, noSuchTurn } from '../../../plan/steps/existing-turns';
import { partId } from '../../../plan/steps/part-id';
import { hasParts } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { pathWithin, stepIdAt } from '../scheduling/place';
import { iterationsOf } from '../state/iterations';
import { lastTurnOf, partInTurn } from '../state/kind-state';
import { freshRecord } from '../state/step-record';
import { turnsOf } from '../state/turns';

/**
 * Why nothing can begin at an address: it names a turn, a round, an iteration or a try that does not exist, or a part in a turn
 * that belongs to another part. Undefined if the address is good.
 */
export function missingTurn(run: Run, address: Address): string | undefined {
  const segments = address.path;
  for (const [at, { id, index }] of segments.entries()) {
    const outer = formatPath([...segments.slice(0, at), { id }]);
    if (index === undefined) continue;
    const there = turnsThatThereAre(run, outer);
    const missing = there && noSuchTurn(outer, index, there);
    const problem = missing ?? inTurnOfAnother(run, outer, index, segments[at + 1]?.id);
    if (problem !== undefined) return problem;
  }
  return missingRound(run, address);
}

/**
 * Undefined if that is not known: it has not begun, it is over in a turn that is over, or its kind keeps no count and nothing of a turn is
 * left.
 */
function turnsThatThereAre(run: Run, path: string): ExistingTurns | undefined {
  const record = run.state.records[path];
  const step = run.steps.get(stepIdAt(path))?.step;
  if (!record || !step) return undefined;
  if (iterates(step)) {
    const loop = iterationsOf(record);
    if (!loop) return undefined;
    const first = firstIteration(step);
    // A round that has not begun is none yet.
    if (goesInRounds(step)) return { word: 'round', first, last: Math.max(loop.done, ...loop.live) };
    return { word: 'iteration', first, last: first + loop.total - 1 };
  }
  if (!hasParts<ControlStep>(step)) return undefined;
  // A kind that keeps no count may still have parts of its turns, and one that does may have more of them than it counts.
  const counted = lastTurnOf(record);
  const left = turnsOf(run, path).at(-1);
  return counted === undefined && left === undefined ? undefined : { word: 'turn', first: 1, last: Math.max(counted ?? 0, left ?? 0) };
}

function inTurnOfAnother(run: Run, path: string, turn: number, part: string | undefined): string | undefined {
  const record = run.state.records[path];
  const whose = record && partInTurn(record, turn);
  const own = whose === undefined ? undefined : partId(stepIdAt(path), whose);
  if (own === undefined || own === part) return undefined;
  return `turn ${turn} of ${path} was not ${part}'s but ${own}'s: rerun from ${pathWithin(path, turn, own)}`;
}

/** What is in a turn that is over has left no record: nothing is known of its rounds. A step that has not begun has none but the first. */
function missingRound(run: Run, { path, round, try: again }: Address): string | undefined {
  const at = formatPath(path);
  const record = run.state.records[at];
  if (!record && path.length > 1) return undefined;
  const { superseded = [], round: last, try: tries } = record ?? freshRecord(1);
  const named = round === last ? tries : superseded.find((earlier) => earlier.round === round)?.try;
  const missing = round > last ? noSuchTurn(at, round, { word: 'round', first: superseded[0]?.round ?? last, last }) : undefined;
  return missing ?? (named === undefined ? undefined : noSuchTurn(at, again, { word: 'try', first: 1, last: named }));
}
