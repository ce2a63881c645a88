import { isLoop, positionsTo, reachability, type StepPosition } from '../step-positions';

/**
 * What to change in the file so that a step which cannot be read here can be, in words that name the steps to move or to join. The advice
 * compiles; `test/language/ways.test.ts` follows each.
 */
export function pathToStep(candidate: StepPosition | undefined, of: StepPosition | undefined): string {
  if (!candidate) return 'name a step of this file';
  const path = positionsTo(candidate);
  const other = of ? positionsTo(of) : [];
  const shared = path.findIndex((place, i) => place !== other[i]);
  const [from, to] = [path[shared], other[Math.max(0, shared)]];
  if (candidate === of) return 'read it in a step that runs after it';
  if (!from) return 'read the steps next to this one';
  if (of && !to) return `read it in a step that runs after "${of.step.id}"`;
  if (from.block.kind === 'finally' && to?.block !== from.block) return 'read it in a later step of `finally`';
  if (of && to && reachability(candidate, of) === 'not-upstream') return beforeIt(from, to, candidate, of);
  return outputOfLoop(path.slice(shared));
}

/** Two steps of one block: how the first can run before the second. */
function beforeIt(from: StepPosition, to: StepPosition, candidate: StepPosition, of: StepPosition): string {
  const [first, second] = [from.step.id, to.step.id];
  const { kind, holder, order } = from.block;
  if (kind === 'branches') {
    const behind = `read it after "${holder?.step.id}", where all branches have ended`;
    const awaited = positionsTo(candidate).find(({ inner }) => inner && isLoop(inner)) ?? candidate;
    return `branches do not wait for each other: write \`after: [${awaited.step.id}]\` at "${of.step.id}", or ${behind}`;
  }
  if (kind === 'cases')
    return `only one case of "${holder?.step.id}" runs: put "${first}" and "${second}" into one case, {id, steps: [${first}, ${second}]}`;
  if (kind === 'rounds' && order.isUpstream(to.index, from.index))
    return `"${first}" comes later in the round: its output of the round before is \`${lastOf(holder)}.${first}\``;
  if (kind === 'finally' || order.kind !== 'graph') return `move "${first}" before "${second}"`;
  if (order.isUpstream(to.index, from.index)) return `"${first}" waits for "${second}": read it in a step that depends on "${first}"`;
  return `add "${first}" to \`depends_on\` of "${second}"`;
}

function lastOf(holder: StepPosition | undefined): string {
  const { work } = holder?.step ?? {};
  return (work && 'lastVar' in work && work.lastVar?.value) || 'last';
}

/**
 * The path to an inner step's output: the output of a loop's steps is in the loop's own (`$loop.json[0].inner[0].step`). A group has only
 * its last step's.
 */
function outputOfLoop(path: readonly StepPosition[]): string {
  const fromLoop = path.slice(path.findIndex(holdsLoop));
  const group = fromLoop.findIndex((place) => place.inner?.kind === 'group');
  const [loop, ...within] = group < 0 ? fromLoop : fromLoop.slice(0, group + 1);
  const fields = within.map((place, i) => `.${place.step.id}${i < within.length - 1 ? itemOf(place) : ''}`);
  return `read it in the output of the loop: $${loop?.step.id}.json${loop ? itemOf(loop) : ''}${fields.join('')}`;
}

function holdsLoop({ inner }: StepPosition): boolean {
  return inner !== undefined && isLoop(inner);
}

/** The index of an item. A loop of rounds has only its last round, which is no list. */
function itemOf({ inner }: StepPosition): string {
  return inner?.kind === 'loop' ? '[0]' : '';
}
