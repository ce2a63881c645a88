import { listRuns } from '../../client/list-runs';
import type { RunSummary } from '../../client/run-summary';
import { shownOf } from '../../kinds/questions';
import { briefOfRunId } from '../../plan/brief/brief-run';
import { defined } from '../../plan/defined';
import { type BriefFile, briefFilesIn, briefFolders } from '../briefs/brief-files';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { relativePath } from '../relative-path';
import { type ListedBrief, renderBriefs } from '../rendering/briefs';
import { renderEmpty } from '../rendering/text/empty';
import { readViewIfAny } from '../rerun/read-view';
import { ifNothingHasRun } from '../session/nothing-has-run';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { configurationOf } from '../settings/settings';

/** The server lists the newest first. */
const MOST_RUNS = 1000;

/** All runs of briefs, and the files of briefs that have not run. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const files = briefFilesIn(briefFolders(configuration, terminal.cwd));
  const projects = new Set(files.map(({ project }) => project));
  const asked = withSession(invocation, { configuration, need: 'answers' }, (session) => runsOf(session, projects));
  const runs = await ifNothingHasRun(asked, (why) => {
    if (files.length === 0) terminal.err(why);
    return [];
  });
  const shown = ({ path }: BriefFile): string => relativePath(path, terminal.cwd);
  const waiting = files.filter((file) => !runs.some((run) => isOf(run, file)));
  const briefs: ListedBrief[] = [
    ...runs.map((run) => {
      const own = files.filter((one) => isOf(run, one));
      const named = own.filter(({ briefId }) => briefId !== undefined);
      const [file, ...others] = named.length > 0 ? named : own;
      return { ...run, ...defined({ file: file && others.length === 0 ? shown(file) : undefined }) };
    }),
    ...waiting.map((file) => ({ project: file.project, ...defined({ briefId: file.briefId }), state: 'not started', file: shown(file) })),
  ];
  if (options.flag('json')) terminal.out(`${JSON.stringify({ briefs }, null, 2)}\n`);
  else if (briefs.length > 0) terminal.out(renderBriefs(briefs, terminal));
  else terminal.err(renderEmpty('no briefs', 'write one, and start it with', 'brief run NAME.md', givenFlags(configuration)));
  return EXIT.done;
}

/** A file without an id gets one with each start. */
function isOf({ project, briefId }: ListedBrief, file: BriefFile): boolean {
  return file.project === project && (file.briefId ?? briefId) === briefId;
}

async function runsOf({ client }: Session, projects: ReadonlySet<string>): Promise<ListedBrief[]> {
  const listed = await listRuns(client, { limit: MOST_RUNS });
  const likely = listed.filter(({ run, pipeline }) => projects.has(pipeline) || briefOfRunId(run) !== undefined);
  const found = await Promise.all(likely.map((summary) => listedBrief(client, summary)));
  return found.filter((one) => one !== undefined);
}

/** What the run says of itself; if nobody can ask it, what its id says. Undefined: it is of no brief. */
async function listedBrief(client: Session['client'], { run, state, startedAt }: RunSummary): Promise<ListedBrief | undefined> {
  const view = await readViewIfAny(client, run);
  const step = view?.steps.find((one) => one.brief);
  const brief = step?.brief;
  const shown = step && shownOf(step);
  const named = brief ?? (view === undefined ? briefOfRunId(run) : undefined);
  if (!named) return undefined;
  const { project, briefId } = named;
  return { project, ...defined({ briefId, phase: brief?.phase, at: shown?.words.current?.(shown.view) }), state, run, startedAt };
}
