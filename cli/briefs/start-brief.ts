import { ClientProblem } from '../../client/client-problem';
import { describeRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { type StartRun, startRun } from '../../client/start-run';
import { shellWord } from '../../plan/text/shell-word';
import { CommandFailure, EXIT } from '../exit';
import { localTime } from '../rendering/text/time';
import type { Session } from '../session/session';
import { givenFlags } from '../settings/given-flags';

/** Starts the run of a brief's file. An id has one run, also after it has ended. Fails with `brief.running`, `brief.ended`. */
export async function startBrief(session: Session, start: StartRun): Promise<{ run: string }> {
  try {
    return await startRun(session.client, start);
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'run.exists') throw (await taken(session, start.workflowId)) ?? error;
    throw error;
  }
}

const OTHER = 'for another run, write another `brief_id` into the file, or remove it: then each start gets an id of its own';

async function taken({ client, configuration }: Session, run: string): Promise<CommandFailure | undefined> {
  const found = await describeRun(client, run);
  if (!found) return undefined;
  const line = (text: string, more = ''): string => `\`thermidor ${text} ${shellWord(run)}${more}${givenFlags(configuration)}\``;
  if (hasEnded(found.state))
    return new CommandFailure(EXIT.usage, 'brief.ended', `the brief has run before, and is ${found.state}: ${run}`, {
      hint: `${line('status')} shows its end, ${line('rerun', ' --from STEP')} goes on from a step of it; ${OTHER}`,
    });
  return new CommandFailure(EXIT.usage, 'brief.running', `the brief is already running since ${localTime(found.startedAt)}: ${run}`, {
    hint: `go on with it: ${line('brief resume')}; ${OTHER}`,
  });
}
