import type { StepState } from '../../plan/status';
import { answerLine, openGates } from './gates';
import type { Run } from './run';
import { runState } from './views';

const MARKS: Readonly<Record<StepState, string>> = {
  pending: '·',
  running: '▶',
  waiting: '⏸',
  held: '✋',
  done: '✓',
  skipped: '⤼',
  failed: '✗',
  superseded: '↺',
};

/** A longer tree shows what is not done and the last that are. */
const LINES = 60;

/** What the Temporal UI shows as the run's current details: the tree of steps and, for each open gate, the line that answers it. */
export function detailsOf(run: Run): string {
  const { steps } = run.plan.block;
  const lines: string[] = [
    `**${run.plan.name}** · ${runState(run)}${run.opened.script ? ` · scripted by \`${run.opened.script.name}\`` : ''}`,
    '',
  ];
  for (const { step, gate } of openGates(run)) lines.push(`**${gate.question}**`, '```', answerLine(run, step.id), '```', '');
  const shown = steps.length <= LINES ? steps : steps.filter((step) => !isQuiet(run.state.records[step.id]?.state)).slice(0, LINES);
  for (const step of shown) {
    const record = run.state.records[step.id];
    const state = record?.state ?? 'pending';
    const verdict = record?.verdict ? ` — ${record.verdict.verdict}` : '';
    const error = record?.error ? ` — ${record.error.code}` : '';
    lines.push(`- ${MARKS[state]} \`${record ? run.name(step.id) : step.id}\` ${state}${verdict}${error}`);
  }
  if (shown.length < steps.length) lines.push(`- … ${steps.length} steps in all, ${doneSteps(run)} settled`);
  return lines.join('\n');
}

function isQuiet(state: StepState | undefined): boolean {
  return state === undefined || state === 'pending' || state === 'done' || state === 'skipped';
}

function doneSteps(run: Run): number {
  return Object.values(run.state.records).filter(
    (record) => !isQuiet(record.state) || record.state === 'done' || record.state === 'skipped',
  ).length;
}
