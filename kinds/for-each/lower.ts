import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import { itemOf, OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { shapeOfExpression } from '../../compiler/expression/reference';
import { resolve } from '../../compiler/expression/resolve';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import { templateOf } from '../../compiler/lower/context';
import type { KindLowering, Shapes } from '../../compiler/lower/kind-lowering';
import type { LowerContext } from '../../compiler/lower/lower-context';
import { namesInScope } from '../../compiler/lower/names';
import { notAList } from '../../compiler/lower/not-a-list';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { producerOf, shapeOfItems } from '../../compiler/lower/streams';
import type { WorkOf } from '../../compiler/shape/source';
import type { StreamSource } from '../../compiler/shape/source-parts';
import { endOfBlock, type StepPosition } from '../../compiler/step-positions';
import { defined } from '../../plan/defined';
import { ERROR_FIELD, INDEX_VAR, ITEM_VAR } from '../../plan/steps/item-names';
import type { ForEachStep } from '../../plan/steps/step';
import { DEFAULT_ITEM_POLICY } from '../../plan/steps/stream';

type ForEachSource = WorkOf<'for_each'>;

export const FOR_EACH_LOWERING: KindLowering<ForEachSource> = {
  lower: forEachStep,
  output: (work, place, shapes) => loopShape(work, place, shapes),
  loop(work, place, context) {
    let item: OutputShape | undefined;
    const shape = (): OutputShape => {
      item ??= shapeOfItem(work, place, context);
      return item;
    };
    const { at } = place.step;
    return {
      variables: [
        { ...named(work.itemVar, ITEM_VAR, at), key: 'item_var', shape, reads: (path) => [{ from: 'items', path }] },
        { ...named(work.indexVar, INDEX_VAR, at), key: 'index_var', shape: () => INDEX, reads: () => [] },
      ],
      fields: work.stream ? [ITEM_VAR, INDEX_VAR, ERROR_FIELD] : [ITEM_VAR, INDEX_VAR],
    };
  },
};
const INDEX: OutputShape = { kind: 'schema', root: { type: 'integer' }, within: [] };

function named(written: Located<string> | undefined, name: string, at: SourceSpan): { name: string; at: SourceSpan } {
  return written ? { name: written.value, at: written.at } : { name, at };
}

/** The shape of its items, if its list is a reference. The list's mistakes are reported where the loop itself is lowered. */
function shapeOfItem({ items, stream }: ForEachSource, place: StepPosition, context: LowerContext): OutputShape {
  if (stream) return shapeOfItems(context.places.byId.get(stream.stream.value), context);
  const names = namesInScope(context, place);
  const list = items && resolve(items, names, () => undefined);
  return list ? itemOf(shapeOfExpression(list, names)) : OPEN;
}

/** An activity evaluates the list: what its expression names travels by reference. */
function forEachStep(work: ForEachSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context, inner } = here;
  const over = work.stream ? streamOf(work, work.stream, place, context) : listOf(work, here);
  if (!place.inner) return undefined;
  const block = inner(place.inner);
  if (!over) return undefined;
  const step: LoweredStep['step'] = { ...base, kind: 'for_each', ...over, block };
  if (work.itemVar) step.itemVar = work.itemVar.value;
  if (work.indexVar) step.indexVar = work.indexVar.value;
  // No step is read: an item has its name before any step of its block has run.
  const label = templateOf(work.label, endOfBlock(place), context, { noSteps: true });
  if (label) step.label = label;
  const { batchSize, pauseMs, maxConcurrent } = work;
  return { step: { ...step, ...defined({ batchSize, pauseMs, maxConcurrent }) } };
}

function streamOf(
  { itemTimeoutMs, fixes, onItemFailed, onAllBlocked }: ForEachSource,
  stream: StreamSource,
  place: StepPosition,
  context: LowerContext,
): Pick<ForEachStep, 'stream' | 'policy'> | undefined {
  const producer = producerOf(place, stream, context);
  const written = defined({ timeoutMs: itemTimeoutMs, fixes, onFailed: onItemFailed, onAllBlocked });
  return producer && { stream: producer.step.id, policy: { ...DEFAULT_ITEM_POLICY, ...written } };
}

function listOf(work: ForEachSource, { base, place, context, templates }: StepContext): Pick<ForEachStep, 'items'> | undefined {
  const names = namesInScope(context, place);
  const items = work.items && resolve(work.items, names, context.report);
  if (items) templates.push([items]);
  const problem = items && notAList(items, names, context.pipeline.args);
  if (work.items && problem) {
    const message = `the loop "${base.id}" needs a list, not ${problem.what}`;
    context.report('expression.not-a-list', work.items.at, message, problem.hint);
  }
  return items && { items };
}

function loopShape({ stream }: ForEachSource, place: StepPosition, shapes: Shapes): OutputShape {
  const own: [string, OutputShape][] = [ITEM_VAR, INDEX_VAR, ...(stream ? [ERROR_FIELD] : [])].map((name) => [name, OPEN]);
  const fields = new Map([...own, ...fieldsOfBlock(place.inner, shapes.of)]);
  return { kind: 'list', of: { kind: 'fields', fields } };
}
