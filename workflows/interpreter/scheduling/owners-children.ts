import { asksAgent } from '../../../kinds/questions';
import { DEFAULT_CHILDREN } from '../../../plan/agents/spawned-agent';
import type { Run } from '../run';
import type { Place } from './place';

/**
 * The owner of a pipeline as an agent with children (docs/protocol.md, 4.2): the agents of its steps, and those that it spawns itself in
 * its own context. Together no more are in flight than one agent may have. The agents of a pattern's parts belong to the pattern, which has
 * limits of its own.
 */
export interface ChildLimit {
  readonly most: number;
  counts(place: Place): boolean;
}

export function ownersChildren({ plan }: Pick<Run, 'plan'>): ChildLimit {
  const most = plan.owner !== undefined ? (plan.children ?? DEFAULT_CHILDREN) : Number.POSITIVE_INFINITY;
  return {
    most,
    counts({ step, frame, child }) {
      if (most === Number.POSITIVE_INFINITY || frame.kind === 'parts' || !asksAgent(step)) return false;
      return step.action === 'self' ? child !== undefined && isFirst(child.id) : child === undefined;
    },
  };
}

/** Whether it is no child of a child. */
function isFirst(id: string): boolean {
  return id.split('/spawn-').length === 2;
}
