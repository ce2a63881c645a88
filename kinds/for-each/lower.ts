import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { resolve } from '../../compiler/expression/resolve';
import { fieldsOf } from '../../compiler/lower/block-shape';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering, Shapes } from '../../compiler/lower/lowering';
import { namesFor } from '../../compiler/lower/names';
import type { Place } from '../../compiler/places';
import type { ForEachSource } from '../../compiler/shape/source';
import { notAList } from './not-a-list';

export const FOR_EACH_LOWERING: Lowering<ForEachSource> = {
  lower: forEachStep,
  output: (_work, place, shapes) => loopShape(place, shapes),
};

/** The list is evaluated by an activity: what its expression names travels by reference. */
function forEachStep(work: ForEachSource, { base, place, context, templates, inner }: Here): LoweredStep | undefined {
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

function loopShape(place: Place, shapes: Shapes): OutputShape {
  const fields = new Map<string, OutputShape>([['item', OPEN], ['index', OPEN], ...fieldsOf(place.inner, shapes.of)]);
  return { kind: 'list', of: { kind: 'fields', fields } };
}
