import type { TeamReport } from '../../kinds/caid/rules/report';
import type { AttemptReport } from '../../kinds/caid/rules/report-attempts';
import { duration } from '../../plan/text/duration';
import { escapeHtml } from '../rendering/text/html';
import { attemptEnd } from './team-report';

/**
 * Who worked on what and when, as SVG: one row for each engineer, and below them the merge queue, in which candidates wait and are tested.
 */

const [LEFT, WIDTH, ROW, TOP] = [60, 940, 30, 24];
const TICKS = 6;

interface Bar {
  row: number;
  from: number;
  to: number;
  look: 'work' | 'lost' | 'merged' | 'returned';
  text: string;
  about: string;
}

export function teamGantt(report: TeamReport, nowMs: number): string {
  const attempts = report.tasks.flatMap(({ attempts: all }) => all);
  const first = Math.min(...attempts.map(({ assignedAt }) => Date.parse(assignedAt)));
  const ends = attempts.map(({ end, submittedAt }) => Date.parse(end?.at ?? submittedAt ?? new Date(nowMs).toISOString()));
  const span = Math.max(1, Math.max(...ends) - first);
  const rows = report.engineers.map(({ id }) => id);
  const bars = attempts.flatMap((attempt) => barsOf(attempt, rows, nowMs));
  if (bars.length === 0) return '';
  const x = (ms: number): number => LEFT + ((ms - first) / span) * WIDTH;
  const height = TOP + (rows.length + 1) * ROW;
  const lines = [
    `<svg viewBox="0 0 ${LEFT + WIDTH + 10} ${height}" role="img" aria-label="engineers and the merge queue over time">`,
    ...Array.from({ length: TICKS + 1 }, (_, i) => tick(first + (span / TICKS) * i, first, x, height)),
    ...[...rows, 'queue'].map((name, i) => `<text class="row" x="0" y="${TOP + i * ROW + 20}">${escapeHtml(name)}</text>`),
    ...bars.map((bar) => drawBar(bar, x)),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function barsOf(attempt: AttemptReport, rows: readonly string[], nowMs: number): Bar[] {
  const { task, engineer, number, assignedAt, submittedAt, end } = attempt;
  const now = new Date(nowMs).toISOString();
  const text = attempt.attempt > 1 ? `${task} ${attempt.attempt}` : task;
  const about = `${task}, attempt ${attempt.attempt} (assignment ${number}), ${engineer}: ${attemptEnd(end)}`;
  const until = submittedAt ?? end?.at ?? now;
  const isLost = end !== undefined && end.kind !== 'merged';
  const look = isLost ? 'lost' : 'work';
  const work: Bar = { row: rows.indexOf(engineer), from: Date.parse(assignedAt), to: Date.parse(until), look, text, about };
  if (submittedAt === undefined) return [work];
  const merge = { from: Date.parse(submittedAt), to: Date.parse(end?.at ?? now), text, about };
  return [work, { ...merge, row: rows.length, look: isLost ? 'returned' : 'merged' }];
}

function drawBar({ row, from, to, look, text, about }: Bar, x: (ms: number) => number): string {
  const width = Math.max(2, x(to) - x(from));
  const y = TOP + row * ROW + 4;
  const shown = text.length * 7 < width - 6 ? `<text x="${fixed(x(from) + 4)}" y="${y + 15}">${escapeHtml(text)}</text>` : '';
  const title = `${about}, ${duration(to - from)}`;
  return `<g class="${look}"><title>${escapeHtml(title)}</title><rect x="${fixed(x(from))}" y="${y}" width="${fixed(width)}" height="${ROW - 8}" rx="3"/>${shown}</g>`;
}

function tick(ms: number, first: number, x: (ms: number) => number, height: number): string {
  const at = fixed(x(ms));
  return `<line x1="${at}" y1="${TOP - 4}" x2="${at}" y2="${height}"/><text class="time" x="${at}" y="12">${escapeHtml(duration(Math.round(ms - first)))}</text>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
