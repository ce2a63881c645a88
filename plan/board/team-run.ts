const PREFIX = 'team-';

/** The workflow id of a team's run: there is one at a time, and the next has the same id. */
export function teamRunId(team: string): string {
  return `${PREFIX}${team}`;
}

/** The beginning of the ids of all teams. */
export const TEAM_RUNS = PREFIX;
