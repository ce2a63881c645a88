import type { RoundView, RunView, StepView } from '../../plan/run/status';
import type { Colors } from '../terminal';
import { stepStateText } from './states';
import { pathOfStep } from './step-tree';
import { oneLine, pad, widthOf } from './text/printable';
import { roundFacts } from './tree-facts';

/**
 * The rounds of every step that has had more than one, oldest first: the verdict, the output, and its path. A superseded round is kept as
 * evidence, and no later step reads it.
 */
export function renderRounds(view: RunView, pathOf: (round: RoundView) => string | undefined, colors: Colors, now: number): string {
  const steps = view.steps.filter(({ superseded }) => (superseded?.length ?? 0) > 0);
  if (steps.length === 0) return 'every step is in its first round\n';
  return steps.map((step) => roundsOf(step, pathOf, colors, now)).join('\n');
}

function roundsOf(step: StepView, pathOf: (round: RoundView) => string | undefined, colors: Colors, now: number): string {
  const rounds = [...(step.superseded ?? []), step];
  const titles = rounds.map((round) => `round ${round.round}${round.try > 1 ? `, try ${round.try}` : ''}`);
  const width = Math.max(...titles.map(widthOf));
  const lines = [colors.bold(oneLine(pathOfStep(step)))];
  rounds.forEach((round, i) => {
    const facts = roundFacts(round, { colors, columns: 200, now }).filter((fact) => fact !== '');
    lines.push(`  ${pad(titles[i] ?? '', width)}  ${[stepStateText(round.state, colors), ...facts].join('  ')}`.trimEnd());
    const { verdict, artifact } = round;
    if (verdict?.summary !== undefined) lines.push(`    ${oneLine(verdict.summary)}`);
    if (artifact !== undefined) lines.push(`    ${colors.dim(pathOf(round) ?? artifact.name ?? artifact.sha256)}`);
  });
  return `${lines.join('\n')}\n`;
}
