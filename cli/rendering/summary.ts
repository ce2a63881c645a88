import type { RunView } from '../../plan/status';
import type { Colors } from '../terminal';
import { oneLine, pad } from './printable';
import { runState } from './states';
import { placeOf } from './step-tree';

/** An output of the run as the end of a run tells of it. */
export interface SummarizedArtifact {
  step: string;
  name: string;
  path?: string;
  /** What its `thesis` or `summary` field says. */
  headline?: string;
  /** Further short fields worth a line, such as `direction: long`. */
  facts: string[];
  /** The headline is a thesis: what the run is about, before any mere summary. */
  thesis?: boolean;
}

/** What is left to say when a run has ended or rests: outputs, who decided, what was announced, what stood in. */
export function renderSummary(
  view: RunView,
  artifacts: readonly SummarizedArtifact[],
  announcements: readonly string[],
  colors: Colors,
): string {
  const lines: string[] = [];
  const result = artifacts.findLast((artifact) => artifact.thesis) ?? artifacts.findLast((artifact) => artifact.headline !== undefined);
  if (result?.headline !== undefined) {
    lines.push(`${colors.bold(result.name)}  ${result.facts.join(', ')}`.trimEnd(), `  ${result.headline}`, '');
  }
  const decided = view.steps.filter((step) => step.decision !== undefined);
  for (const step of decided) {
    const { decision } = step;
    const by = decision?.by === undefined ? 'nobody named' : oneLine(decision.by);
    const comment = decision?.comment ? `  “${oneLine(decision.comment)}”` : '';
    lines.push(`${placeOf(step)}: ${colors.bold(decision?.choice ?? '')} by ${by}${comment}`);
  }
  for (const text of announcements) lines.push(`announced: ${text}`);
  if (artifacts.length > 0) lines.push(...(lines.at(-1) === undefined || lines.at(-1) === '' ? [] : ['']), colors.dim('artifacts'));
  const width = Math.max(0, ...artifacts.map((artifact) => artifact.step.length));
  for (const { step, name, path } of artifacts) lines.push(`  ${pad(step, width)}  ${path ?? name}`);
  if (view.script !== undefined) {
    lines.push('', colors.yellow(`The script "${oneLine(view.script)}" stood in for the agents: no model was asked.`));
  }
  lines.push('', `${view.run}  ${runState(view.state, colors)}`);
  return `${lines.join('\n').trimStart()}\n`;
}
