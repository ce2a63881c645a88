import { CommandFailure, EXIT } from '../exit';
import { localTime } from '../rendering/text/time';

export const ALREADY_RUNS = 'team.running';

/** A team has one run at a time. */
export function alreadyRuns(team: string, run: string, since?: string): CommandFailure {
  const when = since === undefined ? '' : ` since ${localTime(since)}`;
  return new CommandFailure(EXIT.usage, ALREADY_RUNS, `team ${team} is already running${when}: ${run}`, {
    hint: `look at it with \`thermidor status ${run}\`; \`thermidor team apply ${team}\` takes up its edited file`,
  });
}
