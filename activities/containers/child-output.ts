import type { ArtifactRef } from '../../plan/artifact';
import type { Composition } from '../../plan/container-work';
import type { Json } from '../../plan/json';
import { lobsterResult } from '../../plan/lobster-result';
import type { Step } from '../../plan/step';
import type { StepOutput } from '../../plan/step-work';
import { putWithText } from '../stored/put-with-text';
import { stepValues } from '../stored/step-values';
import { storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';

type From = Extract<Composition, { kind: 'artifact' | 'value' }>;

/**
 * What a step has of the Lobster file that it names: the one item of that file's output, or else the list of them. Its text is a
 * text item as it is, anything else as JSON, and nothing where nothing was output.
 */
export async function composeLobsterChild(toolbox: Toolbox, step: Step, from: From): Promise<StepOutput> {
  const items = await itemsOf(toolbox, from);
  const [only = null] = items;
  const value = items.length === 1 ? only : items;
  const text = items.length === 0 || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const artifact: ArtifactRef = await putWithText(toolbox.artifacts, `${step.id}.json`, value, text);
  const values = stepValues(step, value, text);
  return { artifact, ...(values ? { values } : {}) };
}

async function itemsOf({ artifacts }: Toolbox, from: From): Promise<Json[]> {
  // A file whose last step output nothing has no artifact: its value is null.
  if (from.kind === 'value') return from.value === null ? [] : lobsterResult({ json: from.value });
  const { text, value, json } = await storedValue(artifacts, from.artifact);
  return lobsterResult(json ? { json: value } : { stdout: text });
}
