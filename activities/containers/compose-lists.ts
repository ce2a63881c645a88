import { traitsOf } from '../../kinds/traits';
import { spelledAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import { ARTIFACT_LIMIT_BYTES, type ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Composition } from '../../plan/steps/container-activities';
import { ERROR_FIELD, INDEX_VAR, ITEM_VAR } from '../../plan/steps/item-names';
import type { MergedOutput } from '../../plan/steps/merged-output';
import type { ForEachStep, ParallelStep, Step } from '../../plan/steps/step';
import { stepsWithin } from '../../plan/steps/walk';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { numberAt, type Spelled, spelledList, spelledObject } from '../../plan/text/spelled-json';
import { asJson } from '../../records/stored-json';
import type { LoadedRun } from '../run/loaded-run';
import { JsonPieces, outputTooLargeFor } from '../stored/json-pieces';
import { storedList, storedSpelled, storedValue } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { mergeBranches } from './merge-branches';

/** An output as text, and as much of it as a value as the step's `reads` need. */
export interface Composed {
  content: string | Uint8Array;
  value: Spelled;
}

type Of<K extends Composition['kind']> = Extract<Composition, { kind: K }>;

/**
 * `{<branch id>: its output}` in the plan's order; null if there is none. In a Lobster file branches have the file's names, and one without
 * JSON is left out.
 */
export async function composeBranches(toolbox: Toolbox, run: LoadedRun, step: ParallelStep, from: Of<'branches'>): Promise<Composed> {
  const given = new Map(Object.entries(from.results));
  if (step.merge) {
    const branches = step.branches.map(({ id }) => ({ id, ref: given.get(id) ?? undefined }));
    return await merged(toolbox, step, step.merge, branches, from);
  }
  const lobster = run.plan.dialect === 'lobster';
  const pieces = new JsonPieces(step.id);
  const read: [string, Json][] = [];
  let separator = '{';
  for (const { id, as: name = id } of step.branches) {
    const ref = given.get(id) ?? undefined;
    if (lobster && ref?.mediaType !== 'application/json') continue;
    const { text, value } = await outputOf(toolbox, ref);
    pieces.add(`${separator}${JSON.stringify(name)}:${text}`);
    separator = ',';
    if (isRead(step, name)) read.push([name, value]);
  }
  pieces.add(separator === '{' ? '{}' : '}');
  return { content: pieces.bytes(), value: spelledObject(read) };
}

async function merged(
  toolbox: Toolbox,
  step: ParallelStep,
  merge: NonNullable<ParallelStep['merge']>,
  branches: readonly { id: string; ref: ArtifactRef | undefined }[],
  from: Of<'branches'>,
): Promise<Composed> {
  const missing = from.missing ?? branches.flatMap(({ id, ref }) => (ref ? [] : [id]));
  const sizeBytes = branches.reduce((sum, { ref }) => sum + (ref?.sizeBytes ?? 0), 0);
  if (sizeBytes > ARTIFACT_LIMIT_BYTES) throw outputTooLargeFor(step.id, sizeBytes, ARTIFACT_LIMIT_BYTES);
  const outputs: [string, Spelled][] = [];
  for (const { id, ref } of branches) if (ref) outputs.push([id, (await outputOf(toolbox, ref)).spelled]);
  const results = spelledObject(outputs);
  const { merged: items, conflicts } = mergeBranches(merge, new Map(Object.entries(results)));
  const output: MergedOutput = {
    results,
    ...{ merged: items, conflicts, consensus: conflicts.length === 0 },
    missing,
    completed: branches.length - missing.length,
    total: branches.length,
    timedOut: from.timedOut ?? false,
  };
  return { content: jsonText(output), value: asJson(output) };
}

/**
 * `{item, index, <step id>: its output}` each; null if a step output nothing. In a Lobster file item, index and steps have the file's
 * names, and a step that did not run is left out.
 */
export async function composeIterations(toolbox: Toolbox, run: LoadedRun, step: ForEachStep, from: Of<'iterations'>): Promise<Composed> {
  const list = from.list ? await storedList(toolbox.artifacts, from.list) : [];
  const lobster = run.plan.dialect === 'lobster';
  const [item, place] = (lobster ? [step.itemVar ?? ITEM_VAR, step.indexVar ?? INDEX_VAR] : [ITEM_VAR, INDEX_VAR]).map((name) =>
    JSON.stringify(name),
  );
  const pieces = new JsonPieces(step.id);
  pieces.add('[');
  for (const [i, results] of from.results.entries()) {
    const index = from.from + i;
    const emitted = from.items?.[i];
    const own = emitted ? (await outputOf(toolbox, emitted)).text : jsonText(spelledAtPath(list, [index]));
    pieces.add(`${i > 0 ? ',' : ''}{${item}:${own},${place}:${index}`);
    for (const { id, as: name = id } of step.block.steps) {
      const ref = Object.hasOwn(results, id) ? results[id] : undefined;
      if (!ref && lobster) continue;
      pieces.add(`,${JSON.stringify(name)}:${(await outputOf(toolbox, ref)).text}`);
    }
    const error = from.errors?.[index];
    pieces.add(error ? `,"${ERROR_FIELD}":${JSON.stringify(error)}}` : '}');
  }
  pieces.add(']');
  return { content: pieces.bytes(), value: null };
}

/** Steps of kinds that put out nothing have no field. */
export async function composeFields(toolbox: Toolbox, step: Step, { own, results }: Of<'fields'>): Promise<Composed> {
  const pieces = new JsonPieces(step.id);
  const read: [string, Spelled][] = Object.keys(own).map((name) => [name, numberAt(own, name) ?? own[name] ?? null]);
  pieces.add(jsonText(own).slice(0, -1));
  let separator = read.length > 0 ? ',' : '';
  for (const { id, kind } of stepsWithin(step)) {
    if (traitsOf(kind).silent) continue;
    const { text, spelled } = await outputOf(toolbox, Object.hasOwn(results, id) ? results[id] : undefined);
    pieces.add(`${separator}${JSON.stringify(id)}:${text}`);
    separator = ',';
    if (isRead(step, id)) read.push([id, spelled]);
  }
  pieces.add('}');
  return { content: pieces.bytes(), value: spelledObject(read) };
}

/** Joins the lists of all parts. */
export async function composeParts(toolbox: Toolbox, step: Step, parts: readonly ArtifactRef[]): Promise<Composed> {
  const pieces = new JsonPieces(step.id);
  const read: Spelled[] = [];
  let count = 0;
  pieces.add('[');
  for (const ref of parts) {
    const { text, value } = await outputOf(toolbox, ref);
    if (!Array.isArray(value)) throw new ThermidorFailure('artifact.missing', `part ${ref.sha256} of step "${step.id}" is not a list`);
    if (value.length === 0) continue;
    pieces.add(`${count > 0 ? ',' : ''}${text.slice(1, -1)}`);
    value.forEach((item, i) => {
      if (isRead(step, count + i)) read[count + i] = numberAt(value, i) ?? item;
    });
    count += value.length;
  }
  pieces.add(']');
  // Unread values are null, so that the rest keeps its index.
  return { content: pieces.bytes(), value: spelledList(Array.from({ length: count }, (_, i) => read[i] ?? null)) };
}

/** Whether an expression that controls the run reads this part of the step's output, or the whole. */
function isRead({ reads }: Step, part: string | number): boolean {
  const leadsThere = ([first]: Path) => first === undefined || String(first) === String(part);
  return (reads ?? []).some(leadsThere);
}

/** An output as JSON text: unchanged if the store has JSON, a JSON string if it has text. */
async function outputOf({ artifacts }: Toolbox, ref: ArtifactRef | undefined): Promise<{ text: string; value: Json; spelled: Spelled }> {
  if (!ref) return { text: 'null', value: null, spelled: null };
  const stored = await storedValue(artifacts, ref);
  const { text, value, json } = stored;
  return { text: json ? text.trim() : JSON.stringify(text), value, spelled: storedSpelled(stored) };
}
