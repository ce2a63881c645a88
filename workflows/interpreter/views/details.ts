import type { StepState } from '../../../plan/run/step-state';
import { answerLine, openGates } from '../gates/gate-view';
import type { Run } from '../run';
import { iterationsOf } from '../state/iterations';
import { childStateOf, verdictInState } from '../state/kind-state';
import { runStateView } from '../state/run-state';
import { listSteps } from './listing';

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

/** A longer tree shows the unfinished steps and the last finished ones. */
const LINES = 60;

/** The run's current details in the Temporal UI: the tree of steps and, for each open gate, the command that answers it. */
export function detailsOf(run: Run): string {
  const steps = [...listSteps(run)];
  const lines: string[] = [
    `**${run.plan.name}** · ${runStateView(run)}${run.opened.script ? ` · scripted by \`${run.opened.script.name}\`` : ''}`,
    '',
  ];
  for (const { path, gate } of openGates(run)) lines.push(`**${gate.question}**`, '```', answerLine(run, path, gate), '```', '');
  const shown = steps.length <= LINES ? steps : steps.filter(({ path }) => !isQuiet(run.state.records[path]?.state)).slice(0, LINES);
  for (const { path } of shown) {
    const record = run.state.records[path];
    const state = record?.state ?? 'pending';
    const said = verdictInState(record);
    const verdict = said ? ` — ${said.verdict}` : '';
    const error = record?.error ? ` — ${record.error.code}` : '';
    const turns = iterationsOf(record);
    const loop = turns ? ` — ${turns.done} of ${turns.total}` : '';
    const started = childStateOf(record);
    const child = started ? ` — child ${started.workflowId}` : '';
    lines.push(`${indentOf(path)}- ${MARKS[state]} \`${run.name(path)}\` ${state}${verdict}${loop}${child}${error}`);
  }
  if (shown.length < steps.length) lines.push(`- … ${steps.length} steps in all, ${doneSteps(run)} settled`);
  return lines.join('\n');
}

function indentOf(path: string): string {
  return '  '.repeat(path.split('/').length - 1);
}

function isQuiet(state: StepState | undefined): boolean {
  return state === undefined || state === 'pending' || state === 'done' || state === 'skipped';
}

function doneSteps(run: Run): number {
  return Object.values(run.state.records).filter(
    (record) => !isQuiet(record.state) || record.state === 'done' || record.state === 'skipped',
  ).length;
}
