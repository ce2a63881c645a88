import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countTests } from '../../activities/queue/count-tests';
import { findRun } from '../../client/find-run';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { readPlan } from '../../client/read-run';
import { type TeamReport, teamReport } from '../../plan/caid/report';
import type { TeamView } from '../../plan/caid/team-view';
import { defined } from '../../plan/defined';
import { TEST_FORMATS } from '../../plan/queue/queue-settings';
import type { StepView } from '../../plan/run/status';
import { everyStep } from '../../plan/steps/walk';
import { readPaid } from '../../records/accounts/read-paid';
import { openRecords, type Records } from '../../records/open-records';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { pathOfStep } from '../rendering/step-tree';
import { COMPARED, comparedTeams } from '../rendering/team-comparison';
import { renderTeamReport } from '../rendering/team-report';
import { teamReportPage } from '../rendering/team-report-page';
import { renderTable } from '../rendering/text/table';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';

/** What the teams of some runs have done, as text, as JSON, or as a page; of several also how they compare. */
export async function report(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const nowMs = Date.now();
  const reports = await withSession(invocation, 'answers', async (session) => {
    const found: TeamReport[] = [];
    for (const run of args) found.push(...(await reportsOf(session, run, nowMs)));
    return found;
  });
  const page = options.text('html');
  if (page !== undefined) {
    const file = resolve(terminal.cwd, page);
    await writeFile(file, teamReportPage(reports, nowMs));
    if (!options.flag('json')) terminal.out(`${file}\n`);
  }
  if (options.flag('json')) terminal.out(`${JSON.stringify({ reports }, null, 2)}\n`);
  else if (page === undefined)
    terminal.out([...reports.map((one) => renderTeamReport(one, terminal)), ...compared(reports, terminal)].join('\n'));
  return EXIT.done;
}

function compared(reports: readonly TeamReport[], terminal: Invocation['terminal']): string[] {
  if (reports.length < 2) return [];
  const headers = COMPARED.map((name) => name.toUpperCase());
  return [renderTable(headers, comparedTeams(reports), terminal)];
}

/** How the last tests of a team have ended: those of its last beginning. */
async function testsOf(
  steps: readonly StepView[],
  { id }: StepView,
  { artifacts }: Pick<Records, 'artifacts'>,
): Promise<Pick<TeamReport, 'tests' | 'testsRun'>> {
  const { state, artifact } = steps.findLast((step) => step.id === `${id}_tests`) ?? {};
  if (state === 'failed' || state === 'held') return { tests: 'failed' };
  if (state !== 'done') return {};
  const printed =
    artifact && artifact.sizeBytes <= MOST_READ_BYTES && (await artifacts.has(artifact))
      ? (await artifacts.get(artifact)).toString('utf8')
      : '';
  return {
    tests: 'passed',
    ...defined({ testsRun: TEST_FORMATS.map((format) => countTests(format, printed)).find((count) => count !== undefined) }),
  };
}

/** Of what tests have printed. */
const MOST_READ_BYTES = 8 * 1024 * 1024;

type WithTeam = StepView & { team: TeamView };

async function reportsOf({ client, configuration }: Session, given: string, nowMs: number): Promise<TeamReport[]> {
  const { run } = await findRun(client, given);
  const view = await readLiveRun(client, run);
  const teams = view.steps.filter((step): step is WithTeam => step.team !== undefined);
  if (teams.length === 0)
    throw new CommandFailure(
      EXIT.failed,
      'caid.no-team',
      `no team of ${run} has begun: a report needs a step of type "caid" whose manager has divided the work`,
      {
        hint: `look at its steps with \`thermidor status ${run}\``,
      },
    );
  const records = openRecords(configuration.stateDir.value);
  const plan = await readPlan(client, run);
  const journal = await readJournal(client, run, records.artifacts);
  const paid = await readPaid(
    records.runs,
    (await records.runs.list()).filter(({ workflowId }) => workflowId === run),
  );
  const isolations = new Map(
    [...everyStep([...plan.block.steps, ...(plan.finally?.steps ?? [])])].flatMap((step) =>
      'isolation' in step ? [[step.id, step.isolation] as const] : [],
    ),
  );
  return await Promise.all(
    teams.map(async (team) =>
      teamReport({
        ...{ run, view: team, step: pathOfStep(team), isolation: isolations.get(team.id) ?? 'worktree', journal, paid, nowMs },
        ...(await testsOf(view.steps, team, records)),
      }),
    ),
  );
}
