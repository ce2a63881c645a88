import { resolve } from '../expression/resolve';
import type { ForEachSource, ParallelSource } from '../shape/source';
import type { Here, LoweredStep } from './here';
import { notAList } from './loop-list';
import { namesFor } from './names';

export function parallelStep(work: ParallelSource, { base, place, inner }: Here): LoweredStep {
  const branches = place.inner ? inner(place.inner).steps : [];
  const step: LoweredStep['step'] = { ...base, kind: 'parallel', branches };
  if (work.wait) step.wait = work.wait;
  if (work.maxConcurrent !== undefined) step.maxConcurrent = work.maxConcurrent;
  if (work.merge) step.merge = work.merge;
  return { step };
}

export function groupStep({ base, place, inner }: Here): LoweredStep | undefined {
  return place.inner && { step: { ...base, kind: 'group', block: inner(place.inner) } };
}

/** The list is evaluated by an activity: what its expression names travels by reference. */
export function forEachStep(work: ForEachSource, { base, place, context, templates, inner }: Here): LoweredStep | undefined {
  const names = namesFor(context, place);
  const items = work.items && resolve(work.items, names, context.report);
  if (items) templates.push([items]);
  const problem = items && notAList(items, names, context.pipeline.args);
  if (work.items && problem) {
    const message = `the loop "${base.id}" needs a list, not ${problem.what}`;
    context.report('expression.not-a-list', work.items.at, message, problem.hint);
  }
  if (!place.inner) return undefined;
  const block = inner(place.inner);
  if (!items) return undefined;
  const step: LoweredStep['step'] = { ...base, kind: 'for_each', items, block };
  if (work.itemVar) step.itemVar = work.itemVar.value;
  if (work.indexVar) step.indexVar = work.indexVar.value;
  if (work.batchSize !== undefined) step.batchSize = work.batchSize;
  if (work.pauseMs !== undefined) step.pauseMs = work.pauseMs;
  if (work.maxConcurrent !== undefined) step.maxConcurrent = work.maxConcurrent;
  return { step };
}
