import type { TeamReport } from '../../kinds/caid/rules/report';
import { duration } from '../../plan/text/duration';
import { escapeHtml } from '../rendering/text/html';
import { renderUsage } from '../rendering/text/usage';
import { COMPARED, comparedTeams } from './team-comparison';
import { teamGantt } from './team-gantt';
import { attemptEnd, figures } from './team-report';

/** A page that needs nothing else: no script, no font, no other file. Text that agents wrote is escaped. */
export function teamReportPage(reports: readonly TeamReport[], nowMs: number): string {
  const title = escapeHtml(reports.map(({ run, step }) => `${run} ${step}`).join(', '));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
${reports.length > 1 ? table(COMPARED, comparedTeams(reports)) : ''}${reports.map((report) => section(report, nowMs)).join('')}</html>
`;
}

const STYLE = `
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#111;background:#fff}
table{border-collapse:collapse;margin:1rem 0;width:100%}td,th{text-align:left;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #e5e7eb;vertical-align:top}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:#6b7280}dd{margin:0}
svg{width:100%;height:auto;font:11px system-ui,sans-serif}svg line{stroke:#e5e7eb}svg .time{fill:#6b7280;text-anchor:middle}svg .row{fill:#6b7280}
.work rect{fill:#67e8f9}.merged rect{fill:#86efac}.lost rect{fill:#fecaca}.returned rect{fill:#fca5a5}`;

function section(report: TeamReport, nowMs: number): string {
  const { run, step, engineers, tasks } = report;
  const facts = figures(report).map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const people = engineers.map(({ id, rounds, workMs, usage }) => [id, String(rounds), duration(workMs), usage ? renderUsage(usage) : '']);
  const rows = tasks.flatMap(({ id, dependsOn, words, attempts }) =>
    attempts.length === 0
      ? [[id, dependsOn.join(', '), '', '', words]]
      : attempts.map(({ engineer, attempt, end }) => [id, dependsOn.join(', '), engineer, String(attempt), attemptEnd(end)]),
  );
  return `<h1>${escapeHtml(`${run} ${step}`)}</h1>
<dl>${facts.join('')}</dl>
${teamGantt(report, nowMs)}${table(['engineer', 'rounds', 'at work', 'used'], people)}${table(['task', 'depends on', 'engineer', 'attempt', 'became'], rows)}`;
}

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: 'th' | 'td', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', headers)}${rows.map((row) => cells('td', row)).join('')}</table>\n`;
}
