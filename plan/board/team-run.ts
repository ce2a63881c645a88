/** The workflow id of the run that a team of this name is. */
export function teamRunId(team: string): string {
  return `team-${team}`;
}
