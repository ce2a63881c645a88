import type { ArtifactRef } from '../../../plan/run/artifact';
import { field, type Json } from '../../../plan/text/json';
import type { ArtifactStore } from '../../../records/artifact-store';
import { storedValue } from '../../stored/stored-values';
import { section } from './prompt';

/**
 * The section of a task with what was decided before it, and under which conditions (patterns.md, CP-4). Empty where nothing was decided that binds.
 *
 * @param decided reports of votes, by step
 */
export async function constraintsSection(artifacts: ArtifactStore, decided: Readonly<Record<string, ArtifactRef>> = {}): Promise<string> {
  const found: string[] = [];
  for (const [step, ref] of Object.entries(decided)) found.push(...linesOf(step, (await storedValue(artifacts, ref)).value));
  return found.length === 0 ? '' : section('Constraints', `What was decided before binds your work.\n\n${found.join('\n')}`);
}

function linesOf(step: string, report: Json): string[] {
  if (field(report, 'passed') !== true) return [];
  const conditions = field(report, 'conditions');
  const texts = Array.isArray(conditions) ? conditions.filter((text) => typeof text === 'string') : [];
  const option = field(report, 'option');
  if (texts.length === 0 && typeof option !== 'string') return [];
  const title = field(field(report, 'proposal'), 'title');
  const chosen = typeof option === 'string' ? `: ${option}` : '';
  return [`Step "${step}" decided "${typeof title === 'string' ? title : step}"${chosen}.`, ...texts.map((text) => `- ${text}`)];
}
