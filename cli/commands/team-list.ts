import { listRuns } from '../../client/list-runs';
import { hasEnded } from '../../client/outcome';
import type { RunSummary } from '../../client/run-summary';
import { TEAM_RUNS, teamRunId } from '../../plan/board/team-run';
import { defined } from '../../plan/defined';
import { PipelineIndex } from '../../worker/pipeline-index';
import { boardOf } from '../boards/board-of';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { relativePath } from '../relative-path';
import { type ListedTeam, renderTeams } from '../rendering/teams';
import { renderEmpty } from '../rendering/text/empty';
import { readViewIfAny } from '../rerun/read-view';
import { ifNothingHasRun } from '../session/nothing-has-run';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { configurationOf } from '../settings/settings';

/** The server lists the newest first. */
const MOST_RUNS = 1000;

/** All teams that have a file, and those that run without one. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const files = new PipelineIndex(configuration.pipelines.value).teams();
  const asked = withSession(invocation, { configuration, need: 'answers' }, (session) => runsOf(session, new Set(files.keys())));
  const runs = await ifNothingHasRun(asked, (why) => {
    if (files.size === 0) terminal.err(why);
    return new Map<string, ListedTeam>();
  });
  const names = [...new Set([...files.keys(), ...runs.keys()])].sort();
  const teams = names.map((team): ListedTeam => {
    const file = files.get(team)?.[0];
    return { ...(runs.get(team) ?? { team, state: 'not started' }), ...defined({ file: file && relativePath(file, terminal.cwd) }) };
  });
  if (options.flag('json')) terminal.out(`${JSON.stringify({ teams }, null, 2)}\n`);
  else if (teams.length > 0) terminal.out(renderTeams(teams, terminal));
  else terminal.err(renderEmpty('no teams', 'write teams/NAME.yaml, and start it with', 'team start NAME', givenFlags(configuration)));
  return EXIT.done;
}

async function runsOf({ client }: Session, known: ReadonlySet<string>): Promise<Map<string, ListedTeam>> {
  const listed = await listRuns(client, { startsWith: TEAM_RUNS, limit: MOST_RUNS });
  const own = listed.filter(({ run, pipeline, state }) => run === teamRunId(pipeline) && (known.has(pipeline) || !hasEnded(state)));
  const found = await Promise.all(own.map(async (summary) => [summary.pipeline, await listedTeam(client, summary)] as const));
  return new Map(found);
}

async function listedTeam(client: Session['client'], { run, pipeline, state, startedAt }: RunSummary): Promise<ListedTeam> {
  const view = await readViewIfAny(client, run);
  const board = view && boardOf(view);
  const words = hasEnded(state) ? (state === 'completed' ? 'stopped' : state) : board?.isDraining ? 'stopping' : state;
  return {
    ...{ team: pipeline, run, state: words, startedAt },
    ...defined({
      members: board?.members.map(({ name, status }) => ({ name, status })),
      tasks: board && { completed: board.completed, total: board.total },
    }),
  };
}
