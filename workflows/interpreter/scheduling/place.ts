import { holdsBranches, isContainer } from '../../../kinds/questions';
import type { KindsWith } from '../../../kinds/traits';
import { defined } from '../../../plan/defined';
import { type Address, isWithin, parseAddress } from '../../../plan/steps/address';
import type { ControlBlock, ControlOf, ControlPlan, ControlStep } from '../../../plan/steps/control';
import type { StepKind } from '../../../plan/steps/step';
import { hasParts, runsInTurns, stepsWithin } from '../../../plan/steps/walk';

/**
 * Where steps are. A plan has each step once; a run may execute it many times, in the iterations of a loop. A *frame* is one execution of a
 * block (the run's own, a branch's, an iteration's), a *place* is a step in its frame.
 *
 * A place's path is its address without round and try, and the key of its record: `build/tests[3]/ask`.
 */
export interface Place {
  readonly step: ControlStep;
  readonly path: string;
  readonly frame: Frame;
  /** The number of the place's round in progress; absent if there is none. */
  readonly turn?: number;
  /** Set for the work of a spawned child, or of code that is parallel to other code of its step. */
  readonly child?: ChildWork;
}

/** The owner of the work, whether it is still needed, and what it is within. */
export interface ChildWork {
  readonly id: string;
  over: boolean;
  readonly within?: ChildWork;
}

/** A place whose step's kind is known. */
export type PlaceOf<K extends StepKind> = Place & { readonly step: ControlOf<K> };

export interface Frame {
  readonly block: ControlBlock;
  /** The step with the block; absent for the run's own and for `finally`. */
  readonly container?: Place;
  /** Set for a loop's iteration, or a turn. */
  readonly iteration?: number;
  /** Places in the order of the block's steps. */
  readonly places: readonly Place[];
  /** How its steps run when one of them ends with `stop`. */
  readonly kind: 'run' | 'finally' | 'branches' | 'block' | 'parts';
  /** Nothing in it continues: its container has what it needs, or has failed. */
  closed: boolean;
  /** How many rounds of a place, by its path, were superseded while they were in progress. */
  readonly turns: Map<string, number>;
  /** How many steps its next chain takes; absent: as many as a chain may have. */
  chainSteps?: number;
}

/** A step of the plan, and what it is within. */
export interface PlanPosition {
  readonly step: ControlStep;
  readonly container?: PlanPosition;
  /** Its number among the branches of its container. */
  readonly branch?: number;
}

const known = new WeakMap<ControlPlan, ReadonlyMap<string, PlanPosition>>();

/** Every step of a plan by id; ids are unique in a file, whatever they are within. Worked out once: a plan never changes. */
export function planPositions(plan: ControlPlan): ReadonlyMap<string, PlanPosition> {
  let positions = known.get(plan);
  if (!positions) {
    positions = laidOut(plan);
    known.set(plan, positions);
  }
  return positions;
}

function laidOut(plan: ControlPlan): ReadonlyMap<string, PlanPosition> {
  const found = new Map<string, PlanPosition>();
  const visit = (steps: readonly ControlStep[], container: PlanPosition | undefined): void => {
    const branches = container !== undefined && holdsBranches(container.step);
    for (const [i, step] of steps.entries()) {
      const standing: PlanPosition = container ? { step, container, ...defined({ branch: branches ? i : undefined }) } : { step };
      found.set(step.id, standing);
      visit(stepsWithin(step), standing);
    }
  };
  visit(plan.block.steps, undefined);
  visit(plan.finally?.steps ?? [], undefined);
  return found;
}

/** The path before a step of a container: `par[0]/` for a branch, `loop[3]/` for an iteration, `group/` for a group. */
export function pathWithin(container: string, index: number | undefined, id: string): string {
  return index === undefined ? `${container}/${id}` : `${container}[${index}]/${id}`;
}

/**
 * The path of a step by its id, seen from within a frame: in the same iteration if both are in a loop. Undefined if the step is in a loop
 * that the frame is not within.
 */
export function pathOf(standing: PlanPosition, from: Frame | undefined): string | undefined {
  const { step, container, branch } = standing;
  if (!container) return step.id;
  const outer = pathOf(container, from);
  if (outer === undefined) return undefined;
  if (!runsInTurns<ControlStep>(container.step)) return pathWithin(outer, branch, step.id);
  for (let frame = from; frame; frame = frame.container?.frame) {
    if (frame.container?.step.id === container.step.id) return pathWithin(outer, frame.iteration, step.id);
  }
  return undefined;
}

/** The id of the step at a path: its innermost segment. */
export function stepIdAt(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the step that a path is within; undefined at the top. */
export function containerPath(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return undefined;
  const outer = path.slice(0, slash);
  return outer.endsWith(']') ? outer.slice(0, outer.lastIndexOf('[')) : outer;
}

/** Whether it is within one of several; `itself`: or is one of them. */
export function isWithinAny(path: string, containers: string | readonly string[], itself?: 'itself'): boolean {
  return [containers].flat().some((container) => isWithin(path, container) || (itself !== undefined && path === container));
}

/** Whether a step's own work is its inner steps: it takes no place among the steps in flight. */
export function isContainerPlace(step: ControlStep): boolean {
  return isContainer(step) || hasParts<ControlStep>(step);
}

/** What distinguishes one execution of a block from every other: the path before its steps, or the run's own name for it. */
export function frameKey(frame: Frame): string {
  if (!frame.container) return frame.kind;
  return frame.iteration === undefined ? frame.container.path : `${frame.container.path}[${frame.iteration}]`;
}

export function makeFrame(how: Pick<Frame, 'block' | 'kind' | 'container' | 'iteration'>): Frame {
  const places: Place[] = [];
  const frame: Frame = { ...how, places, closed: false, turns: new Map() };
  const outer = how.container?.path;
  how.block.steps.forEach((step, i) => {
    const index = how.kind === 'branches' ? i : how.iteration;
    places.push({ step, frame, path: outer === undefined ? step.id : pathWithin(outer, index, step.id) });
  });
  return frame;
}

/** One execution of a container's content: its branches, its block, or one iteration of that. */
export function frameIn(container: Place & { readonly step: ContainerStep }, iteration?: number): Frame {
  const { step } = container;
  if (holdsBranches(step)) return makeFrame({ block: { order: 'graph', steps: step.branches }, kind: 'branches', container });
  return makeFrame({ block: step.block, kind: 'block', container, ...defined({ iteration }) });
}
type ContainerStep = ControlOf<KindsWith<{ container: 'branches' | 'block' }>>;

/** One turn of a step with parts: all of them, or one. */
export function partsFrame(container: Place, parts: ControlStep[], turn: number): Frame {
  return makeFrame({ block: { order: 'graph', steps: parts }, kind: 'parts', container, iteration: turn });
}

/** The place for a round that begins now, or continues in another execution. */
export function beginTurn(place: Place): Place {
  return { ...place, turn: turnOf(place) };
}

/** The work in progress at the place is superseded: it continues no more, whatever happens to the place. */
export function endTurn(place: Place): void {
  place.frame.turns.set(place.path, turnOf(place) + 1);
}

function turnOf({ frame, path }: Place): number {
  return frame.turns.get(path) ?? 0;
}

/** Whether a place, its round in progress, or a frame around it, is superseded. */
export function isSuperseded(place: Place): boolean {
  for (let { child } = place; child; child = child.within) if (child.over) return true;
  if (place.turn !== undefined && place.turn !== turnOf(place)) return true;
  for (let frame: Frame | undefined = place.frame; frame; frame = frame.container?.frame) if (frame.closed) return true;
  return false;
}

/** The label by which activities are cancelled: a child's are within its step. */
export function placeLabel({ path, child }: Place): string {
  return child ? `${path}/${child.id}` : path;
}

/** A path parses as an address, because it was made from one. */
export function placeAddress(path: string, { round, try: again }: Pick<Address, 'round' | 'try'>): Address {
  const whole = path.includes('/') ? parseAddress(path)?.path : undefined;
  return { path: whole ?? [{ id: path }], round, try: again };
}
