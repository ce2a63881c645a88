import type { TeamReport } from '../../kinds/caid/rules/report';
import type { AttemptReport } from '../../kinds/caid/rules/report-attempts';
import { duration } from '../../plan/text/duration';
import { unreachable } from '../../plan/unreachable';
import { oneLine } from '../rendering/text/printable';
import { renderTable } from '../rendering/text/table';
import { clock } from '../rendering/text/time';
import { renderUsage } from '../rendering/text/usage';
import type { Terminal } from '../terminal';

type Shown = Pick<Terminal, 'colors' | 'live' | 'columns'>;

const SHORT_COMMIT = 12;

/** A team's report as text: its figures, its engineers, and a line for each attempt. */
export function renderTeamReport(report: TeamReport, terminal: Shown): string {
  const { colors } = terminal;
  const engineers = report.engineers.map(({ id, rounds, workMs, usage }) => [
    id,
    String(rounds),
    duration(workMs),
    usage ? renderUsage(usage) : '',
  ]);
  const attempts = report.tasks.flatMap(({ id, dependsOn, attempts: all, words }) =>
    all.length === 0 ? [[id, '', '', '', words]] : all.map((attempt) => attemptCells(id, attempt, dependsOn)),
  );
  return [
    `${colors.bold(report.run)}  ${report.step}\n`,
    figures(report)
      .map(([name, value]) => `${colors.dim(`${name}:`)} ${value}\n`)
      .join(''),
    renderTable(['ENGINEER', 'ROUNDS', 'AT WORK', 'USED'], engineers, terminal),
    renderTable(['TASK', 'ENGINEER', 'ASSIGNED', 'AT WORK', ''], attempts, terminal),
  ].join('\n');
}

/** The facts of a report, by name: text and page show the same. */
export function figures({
  status,
  isolation,
  tests,
  wallClockMs,
  returned,
  wastedMs,
  usage,
  manager,
  tasks,
  warnings,
  bound,
}: TeamReport): [string, string][] {
  const merged = tasks.filter(({ stage }) => stage === 'merged' || stage === 'held').length;
  const back = Object.entries(returned).map(([reason, times]) => `${times} ${reason}`);
  return [
    ['status', `${status}, ${merged} of ${tasks.length} tasks merged`],
    ['isolation', isolation],
    ...(tests ? [['tests at the end', testsText(tests)] satisfies [string, string]] : []),
    ['wall-clock', duration(wallClockMs)],
    ['came back', back.length === 0 ? 'nothing' : `${back.join(', ')}; ${duration(wastedMs)} of work`],
    ...warnings.map((warning): [string, string] => ['look at', oneLine(warning)]),
    ...(usage ? [['used', renderUsage(usage)] satisfies [string, string]] : []),
    ...(manager ? [['of it the manager', renderUsage(manager)] satisfies [string, string]] : []),
    ...(bound ? [['against the bound', boundText(bound)] satisfies [string, string]] : []),
  ];
}

/** `failed, 31 of 57 pass` */
export function testsText({ state, passed, ran }: NonNullable<TeamReport['tests']>): string {
  return passed === undefined || ran === undefined ? state : `${state}, ${passed} of ${ran} pass`;
}

function boundText({ measuredMs, finishMs, ratio }: NonNullable<TeamReport['bound']>): string {
  return `${duration(measuredMs)} from the first assignment to the last merge; the same times without waiting and returns make ${duration(finishMs)} (${Math.round(ratio * 100)} %)`;
}

function attemptCells(
  id: string,
  { engineer, attempt, assignedAt, submittedAt, end }: AttemptReport,
  dependsOn: readonly string[],
): string[] {
  const until = submittedAt ?? end?.at;
  const name = attempt > 1 ? `${id} (attempt ${attempt})` : id;
  const behind = attempt === 1 && dependsOn.length > 0 ? `, behind ${dependsOn.join(', ')}` : '';
  const worked = until === undefined ? '' : duration(Date.parse(until) - Date.parse(assignedAt));
  return [name, engineer, clock(assignedAt), worked, `${attemptEnd(end)}${behind}`];
}

/** How an attempt ended. */
export function attemptEnd(end: AttemptReport['end']): string {
  switch (end?.kind) {
    case undefined:
      return 'in progress';
    case 'merged':
      return `merged ${end.commit.slice(0, SHORT_COMMIT)}`;
    case 'returned':
      return `came back: ${end.reason}: ${oneLine(end.message)}`;
    case 'left':
      return 'not finished';
    default:
      return unreachable(end);
  }
}
