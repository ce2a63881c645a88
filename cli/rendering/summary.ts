import type { RunView } from '../../plan/run/status';
import type { Colors } from '../terminal';
import { pathOfStep } from './step-tree';
import { oneLine, pad } from './text/printable';

/** An output of the run, as shown at its end. */
export interface SummarizedArtifact {
  step: string;
  name: string;
  path?: string;
  /** The text of its `thesis` or `summary` field. */
  headline?: string;
  /** Further short fields worth a line, such as `direction: long`. */
  facts: string[];
  /** The headline is a thesis: what the run is about, before any mere summary. */
  thesis?: boolean;
}

/** What the tree does not show of a run that has ended or rests: outputs, comments on decisions, and announcements. */
export function renderSummary(
  view: Pick<RunView, 'steps' | 'reason'>,
  artifacts: readonly SummarizedArtifact[],
  announcements: readonly string[],
  colors: Colors,
): string {
  const lines: string[] = [];
  const result = artifacts.findLast((artifact) => artifact.thesis) ?? artifacts.findLast((artifact) => artifact.headline !== undefined);
  if (result?.headline !== undefined) {
    lines.push(`${colors.bold(result.name)}  ${result.facts.join(', ')}`.trimEnd(), `  ${result.headline}`, '');
  }
  for (const step of view.steps) {
    const { choice, by = 'nobody named', comment } = step.decision ?? { choice: '' };
    if (!comment || view.reason?.includes(comment)) continue;
    lines.push(`${pathOfStep(step)}: ${colors.bold(oneLine(choice))} by ${oneLine(by)}  “${oneLine(comment)}”`);
  }
  for (const text of announcements) lines.push(`announced: ${text}`);
  if (artifacts.length > 0) lines.push(...(lines.at(-1) === undefined || lines.at(-1) === '' ? [] : ['']), colors.dim('artifacts'));
  const width = Math.max(0, ...artifacts.map((artifact) => artifact.step.length));
  for (const { step, name, path } of artifacts) lines.push(`  ${pad(step, width)}  ${path ?? name}`);
  const text = lines.join('\n').trim();
  return text === '' ? '' : `${text}\n`;
}
