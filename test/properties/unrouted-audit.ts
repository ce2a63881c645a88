import { valueAtPath } from '../../plan/expressions/evaluate';
import { formatPath, isWithin, parseAddress, stepIdOf } from '../../plan/steps/address';
import { field, type Json } from '../../plan/text/json';
import type { History } from './history';
import type { PlanIndex } from './plan-index';

/**
 * Properties of messages of agents in coordinate steps that no step handles: 1. the journal has each once, before its sender continues; 2.
 * the output of the step counts those of its round.
 */
export function auditUnrouted(index: PlanIndex, history: History, activity: { id: string; input: Json }): string[] {
  const { id, input } = activity;
  const place = parseAddress(id.replace(/(~\d+)\/.*$/, '$1'));
  const step = place && index.step(stepIdOf(place));
  if (!place || !step) return [];
  if (id.endsWith('/compose') && step.kind === 'coordinate') {
    const counted = valueAtPath(input, ['from', 'own', 'unrouted', 'count']);
    const said = unroutedIn(index, history).byStep.get(formatPath(place.path)) ?? 0;
    return counted === said ? [] : [`${id} counts ${counted} unrouted messages; the journal has ${said}`];
  }
  const coordinator = index.step(index.coordinatorOf(step.id) ?? '');
  const taken = field(input, 'runRequests');
  if (coordinator?.kind !== 'coordinate' || !Array.isArray(taken) || !('agent' in step) || step.agent === coordinator.coordinator)
    return [];
  const { messages } = unroutedIn(index, history);
  return taken.flatMap((said) => {
    const times = messages.filter((message) => message === said).length;
    return times === 1 ? [] : [`${said} is journalled ${times} times`];
  });
}

/** The number of messages in the current round, by the path of the coordinate step; and all messages of all rounds. */
function unroutedIn(index: PlanIndex, { entries }: History): { byStep: ReadonlyMap<string, number>; messages: string[] } {
  const rounds = new Map<string, number>();
  const byStep = new Map<string, number>();
  const messages: string[] = [];
  for (const entry of entries) {
    const address = 'step' in entry && entry.step !== undefined ? parseAddress(entry.step) : undefined;
    if (!address) continue;
    const path = formatPath(address.path);
    if (entry.kind === 'step') {
      if (rounds.get(path) !== address.round) byStep.delete(path);
      rounds.set(path, address.round);
      if (entry.state === 'superseded')
        for (const known of byStep.keys()) if (known === path || isWithin(known, path)) byStep.delete(known);
    }
    if (entry.kind !== 'envelope' || !entry.unrouted) continue;
    messages.push(String(field(entry.envelope.payload as Json, 'message')));
    const around = index.coordinatorOf(stepIdOf(address));
    const coordinator = formatPath(address.path.slice(0, address.path.findIndex(({ id }) => id === around) + 1));
    byStep.set(coordinator, (byStep.get(coordinator) ?? 0) + 1);
  }
  return { byStep, messages };
}
