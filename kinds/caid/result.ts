import { graphWarnings } from '../../plan/caid/check-graph';
import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { engineerName } from '../../workflows/interpreter/caid/team-state';
import { stateOf, type Team } from './team';

/** What became of a team's work: the output of the step, and what its manager reviews. */
export function resultOf(team: Team): Record<string, Json> & { status: string } {
  const state = stateOf(team);
  const { graph, place } = team;
  const titles = new Map(graph.units.map(({ id, title }) => [id, title]));
  return {
    status: state.over ?? 'incomplete',
    base: team.base,
    head: state.head,
    tasks: state.tasks.map(({ id, stage, attempt, author, result, holds, returned }) => ({
      ...{ id, title: titles.get(id) ?? id, stage, attempts: attempt },
      ...defined({ engineer: author === undefined ? undefined : engineerName(author), result, holds }),
      ...(returned ? { returned: { reason: returned.reason, message: returned.message } } : {}),
    })),
    engineers: state.slots.map(({ rounds }, at) => ({ id: engineerName(at), rounds })),
    restricted: [...place.step.restricted, ...(graph.restricted ?? [])],
    warnings: graphWarnings(graph),
    returned: { ...state.returned },
  };
}
