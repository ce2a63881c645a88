import { type Action, actionsIn } from '../steps/action';
import type { ControlStep } from '../steps/control';
import type { GraphEdge } from './graph-model';

/**
 * The ways from a step back to an earlier one, and to a step that its actions call. `idOf` gives the id of a step in the picture, `exit`
 * that of its end: the gate after it, if it has one.
 */
export function backEdges(step: ControlStep, idOf: (step: string) => string, exit: (step: string) => string): GraphEdge[] {
  const edges: GraphEdge[] = [];
  const add = (from: string, to: string, why: string, max: number): void => {
    edges.push({ from, to: idOf(to), kind: 'back', label: `${why}, at most ${max}` });
  };
  const retries = (actions: readonly Action[] | undefined, why: string, from = idOf(step.id)): void => {
    for (const action of actions ?? []) {
      if (action.kind === 'retry') add(from, action.step, why, action.max);
      // The called step returns its result.
      if (action.kind === 'call') edges.push({ from, to: idOf(action.step), kind: 'back', label: why });
    }
  };
  retries(actionsIn(step, 'onRevise'), 'revise');
  retries(actionsIn(step, 'onBlock'), 'on block');
  retries(actionsIn(step, 'onStall'), 'on stall');
  retries(actionsIn(step, 'onUnfixable'), 'on unfixable');
  retries(actionsIn(step, 'onInvalid'), 'on invalid');
  retries(actionsIn(step, 'onExhausted'), 'on exhausted');
  retries(actionsIn(step, 'onFail'), 'on fail');
  retries(actionsIn(step, 'onRootCause'), 'on root cause');
  retries(actionsIn(step, 'onBlocked'), 'on blocked');
  retries(actionsIn(step, 'onReject'), 'on reject');
  retries(step.approval?.onReject, 'on reject', exit(step.id));
  retries(step.onError, 'on error');
  return edges;
}
