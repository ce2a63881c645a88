import { traitsOf } from '../../kinds/traits';
import type { StepView } from '../../plan/run/status';
import { formatPath, isWithin, parseAddress, shortAddress } from '../../plan/steps/address';
import { oneLine, truncate } from './text/printable';

/** A step with those that ran within it, for the tree. */
export interface TreeBranch {
  step: StepView;
  /** The step's id, after the iteration of the loop, or the turn, that contains it. */
  name: string;
  within: TreeBranch[];
}

/**
 * Turns the flat list of a run's steps into a tree: a step belongs under the one whose address its own begins with. One whose container is
 * not in the list is shown by itself, so that none is lost.
 */
export function nested(steps: readonly StepView[]): TreeBranch[] {
  const roots: TreeBranch[] = [];
  const known = new Map<string, TreeBranch>();
  for (const step of steps) {
    const path = parseAddress(step.address)?.path ?? [{ id: step.id }];
    const container = path.at(-2);
    const above = container === undefined ? undefined : known.get(formatPath([...path.slice(0, -2), { id: container.id }]));
    const isNumbered = above && traitsOf(above.step.kind).container !== 'branches' && container?.index !== undefined;
    const item = step.item === undefined ? step.id : `${step.id} (${truncate(oneLine(step.item), ITEM_COLUMNS)})`;
    const branch: TreeBranch = { step, name: isNumbered ? `[${container.index}] ${item}` : step.id, within: [] };
    known.set(formatPath(path), branch);
    (above?.within ?? roots).push(branch);
  }
  return roots;
}

const ITEM_COLUMNS = 24;

/** The address of a step, and the name of its loop's item. */
export function namedAddress(address: string, item: string | undefined): string {
  return item === undefined ? oneLine(address) : `${oneLine(address)} (${oneLine(item)})`;
}

/** An address as people read it, `#1~1` left out. */
export function readableAddress(address: string): string {
  const parsed = parseAddress(address);
  return parsed ? shortAddress(parsed) : address;
}

/** The id of the step that an address names, also if the steps around it are in a later round (`ship#2/allow`). */
export function lastIdOf(address: string): string {
  return address.replace(/^.*\//, '').replace(/[[#~].*$/, '');
}

/** The path of a step, whatever its round, as commands name it. */
export function pathOfStep(step: Pick<StepView, 'address' | 'id'>): string {
  const parsed = parseAddress(step.address);
  return parsed ? formatPath(parsed.path) : step.id;
}

/** Whether a step ran within another one. */
export function isWithinStep(step: StepView, container: StepView): boolean {
  return isWithin(pathOfStep(step), pathOfStep(container));
}
