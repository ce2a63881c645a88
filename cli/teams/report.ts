import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findRun } from '../../client/find-run';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { readPlan } from '../../client/read-run';
import { type TeamReport, teamReport } from '../../kinds/caid/rules/report';
import type { TeamView } from '../../kinds/caid/view';
import { defined } from '../../plan/defined';
import type { StepView } from '../../plan/run/status';
import { everyStep } from '../../plan/steps/walk';
import { readPaid } from '../../records/accounts/read-paid';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { pathOfStep } from '../rendering/step-tree';
import { renderTable } from '../rendering/text/table';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { finalTests } from './final-tests';
import { COMPARED, comparedTeams } from './team-comparison';
import { renderTeamReport } from './team-report';
import { teamReportPage } from './team-report-page';

/** Reports what the teams of some runs have done, as text, as JSON, or as a page; for several runs it also compares them. */
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
  const records = recordsOf(configuration);
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
        ...defined({ tests: await finalTests(records, run, view.steps, team) }),
      }),
    ),
  );
}
