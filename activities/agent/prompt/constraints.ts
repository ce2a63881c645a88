import { type ConsultRecord, readConsultRecord, UNVERIFIED } from '../../../plan/patterns/advice';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { field, type Json } from '../../../plan/text/json';
import { inOneLine } from '../../../plan/text/quoted';
import type { ArtifactStore } from '../../../records/artifact-store';
import { storedValue } from '../../stored/stored-values';
import { joinSections, section } from './prompt';

/**
 * The section of a task on earlier steps that have decided something, and under which conditions (docs/patterns.md, CP-4), and on
 * unverified advice (CP-8). Empty if there is neither a binding decision nor unverified advice.
 *
 * @param decided reports of votes, and records of consultations, by step
 */
export async function constraintsSection(artifacts: ArtifactStore, decided: Readonly<Record<string, ArtifactRef>> = {}): Promise<string> {
  const [binding, advice]: [string[], string[]] = [[], []];
  for (const [step, ref] of Object.entries(decided)) {
    const { value } = await storedValue(artifacts, ref);
    binding.push(...linesOf(step, value));
    const record = readConsultRecord(value);
    if (record.marked === UNVERIFIED) advice.push(unverifiedLine(step, record));
  }
  const sections = [
    binding.length === 0 ? '' : section('Constraints', `What was decided before binds your work.\n\n${binding.join('\n')}`),
    advice.length === 0 ? '' : section('Unverified advice', `${OWN_JUDGEMENT}\n\n${advice.join('\n')}`),
  ];
  return joinSections(sections);
}

const OWN_JUDGEMENT = `Use your own judgement, and mark everything that rests on it as ${UNVERIFIED}.`;

function unverifiedLine(step: string, { topic, by, confidence, answers }: ConsultRecord): string {
  const asked = `Step "${step}" asked for advice on ${topic}: ${UNVERIFIED}, `;
  if (by !== null) return `${asked}${by} is not sure (confidence ${confidence ?? 0}).`;
  const why = answers.flatMap((one) => ('failed' in one ? [`${one.by} ${inOneLine(one.failed)}`] : []));
  return `${asked}none has come${why.length === 0 ? '' : ` (${why.join('; ')})`}.`;
}

function linesOf(step: string, report: Json): string[] {
  if (field(report, 'passed') !== true) return [];
  const conditions = field(report, 'conditions');
  const texts = Array.isArray(conditions) ? conditions.filter((text) => typeof text === 'string') : [];
  const option = field(report, 'option');
  if (texts.length === 0 && typeof option !== 'string') return [];
  const title = field(field(report, 'proposal'), 'title');
  const chosen = typeof option === 'string' ? `: ${option}` : '';
  return [
    `Step "${step}" decided "${typeof title === 'string' ? inOneLine(title) : step}"${chosen}.`,
    ...texts.map((text) => `- ${inOneLine(text)}`),
  ];
}
