import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { beginning } from '../../plan/text/shortened';
import { tooFewRounds } from './limits';
import { graphWarnings } from './rules/check-graph';
import { engineerName } from './state';
import { stateOf, type Team } from './team';
import type { TaskStage } from './view';

/** The result of a team's work: the output of the step, and the input of its manager's review. */
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
      ...defined({
        engineer: author === undefined ? undefined : engineerName(author),
        result,
        holds,
        returned: returned && { reason: returned.reason, message: returned.message },
      }),
    })),
    engineers: state.slots.map(({ rounds }, at) => ({ id: engineerName(at), rounds })),
    restricted: [...place.step.restricted, ...(graph.restricted ?? [])],
    warnings: warningsOf(team),
    returned: { ...state.returned },
  };
}

/** Warnings on the graph, and on landed work. */
function warningsOf(team: Team): string[] {
  const remarks = stateOf(team).tasks.flatMap(({ id, remarks: of = [] }) => of.map((remark) => `${id}: ${remark}`));
  return [...graphWarnings(team.graph), ...tooFewRounds(team, team.graph), ...remarks];
}

/** The limit of each text in the manager's record. */
const MOST_WORDS = 300;

/**
 * What a manager has to know of its team, as a structured record: the graph, what is merged, what is in progress, and what went wrong.
 * Engineers' words are cut: nobody's dialogue is passed on, and the record of a hundred tasks stays short.
 */
export function recordOf(team: Team): Record<string, Json> {
  const state = stateOf(team);
  const named = (stages: readonly TaskStage[]) => state.tasks.filter(({ stage }) => stages.includes(stage));
  const brief = (text: string) => (text.length <= MOST_WORDS ? text : `${beginning(text, MOST_WORDS)} …`);
  return {
    head: state.head,
    graph: state.tasks.map(({ id, waitsFor, files, holds }) => ({
      id,
      waits_for: waitsFor,
      files: files.slice(0, 10),
      ...defined({ holds }),
    })),
    merged: named(['merged']).map(({ id, result = '', summary }) => ({
      ...{ id, commit: result },
      ...defined({ summary: summary === undefined ? undefined : brief(summary) }),
    })),
    in_flight: named(['working', 'submitted', 'asking']).map(({ id, stage, attempt, author = 0 }) => ({
      id,
      stage,
      attempt,
      engineer: engineerName(author),
    })),
    open: named(['open']).map(({ id }) => id),
    errors: state.tasks.flatMap(({ id, returned, attempt }) =>
      returned ? [{ id, attempt, reason: returned.reason, message: brief(returned.message) }] : [],
    ),
    returned: { ...state.returned },
    warnings: warningsOf(team).map(brief),
  };
}
