import { defined } from '../../plan/defined';
import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_WAITING, type EmitSpec, PRODUCER_TIMEOUT_MS } from '../../plan/steps/stream';
import { didYouMean } from '../diagnostics/suggest';
import type { OutputShape } from '../expression/output-shape';
import { OPEN, shapeAt } from '../expression/output-shape';
import type { LoadedSchema } from '../names/schemas';
import { keyOf } from '../shape/source';
import type { StreamSource } from '../shape/source-parts';
import type { StepPosition } from '../step-positions';
import type { LowerContext } from './lower-context';

/**
 * Which steps emit items, and which loop takes them. Both are steps of one block; each producer has one loop, and each loop one producer.
 */

/** What a step emits; undefined if it emits nothing, or if its schema or its loop is missing, which is reported. */
export function lowerEmits(place: StepPosition, context: LowerContext): EmitSpec | undefined {
  const { emits, maxItems = DEFAULT_MAX_ITEMS, maxWaiting = DEFAULT_MAX_WAITING, id, at } = place.step;
  if (!emits) return undefined;
  const schema = schemaOfItems(place, context);
  if (!schema) context.schemas.missing(emits);
  const loop = loopOver(place, context);
  if (!loop) {
    const hint = `add a loop after it: {id: each, for_each: {stream: ${id}}, steps: […]}`;
    context.report('stream.unread', keyOf(place.step, 'emits') ?? at, `step "${id}" emits items, and no loop takes them up`, hint);
  }
  if (!schema || !('json' in schema) || !loop) return undefined;
  return {
    name: emits.value,
    schema: context.blobs.add(schema.json, `${emits.value.replace(/\.json$/, '')}.schema.json`, 'application/schema+json'),
    ...{ maxItems, maxWaiting },
    ...defined({ key: loop.stream.key?.value, depends: loop.stream.depends?.value, files: loop.stream.files?.value }),
  };
}

/** The time-out of a step that emits: its own, its agent's, or the default for producers. */
export function producerTimeoutMs({ step }: StepPosition, { agents }: LowerContext): number | undefined {
  const { work, emits, timeoutMs } = step;
  if (!emits || timeoutMs !== undefined) return timeoutMs;
  const agent = work && 'agent' in work && work.agent ? agents.find(work.agent) : undefined;
  return agent?.definition?.timeoutMs === undefined ? PRODUCER_TIMEOUT_MS : undefined;
}

/** The step whose items a loop takes; undefined if there is no such step, which is reported. */
export function producerOf(place: StepPosition, stream: StreamSource, context: LowerContext): StepPosition | undefined {
  const { report, places } = context;
  const { value, at } = stream.stream;
  const loop = `the loop "${place.step.id}" goes over the items of "${value}"`;
  const producer = places.byId.get(value);
  if (!producer) {
    const known = () => didYouMean(value, places.byId.keys(), 'name the step before it, which has `emits`');
    report('step.unknown-step', at, `${loop}, which does not exist`, known);
    return undefined;
  }
  if (!producer.step.emits) {
    report('stream.no-items', at, `${loop}, which emits none`, 'add `emits: Item.json` to that step; only agents and commands have it');
    return undefined;
  }
  if (!isBehind(place, producer)) {
    const hint = place.block.order.kind === 'graph' ? `add "${value}" to its \`depends_on\`` : `put the loop directly after "${value}"`;
    report('stream.not-behind', at, `${loop}, which is not directly before it`, hint);
    return undefined;
  }
  const first = loopOver(producer, context);
  if (first && first.place !== place) {
    report(
      'stream.two-loops',
      at,
      `${loop}, and so does "${first.place.step.id}"`,
      'put everything that is to be done with an item into one loop',
    );
    return undefined;
  }
  for (const field of [stream.key, stream.depends, stream.files]) checkField(field, producer, context);
  return producer;
}

function checkField(key: StreamSource['key'], producer: StepPosition, context: LowerContext): void {
  const found = key && shapeAt(shapeOfItems(producer, context), key.value);
  if (!key || found?.kind !== 'absent') return;
  const message = `the items of "${producer.step.id}" have no field "${key.value.join('.')}"`;
  context.report('stream.unknown-field', key.at, message, () => didYouMean(String(key.value[found.index]), found.known));
}

/** The shape of a producer's items. */
export function shapeOfItems(producer: StepPosition | undefined, context: LowerContext): OutputShape {
  const schema = producer && schemaOfItems(producer, context);
  return schema && 'json' in schema ? { kind: 'schema', root: schema.json, within: [] } : OPEN;
}

function schemaOfItems({ step }: StepPosition, { schemas }: LowerContext): LoadedSchema | undefined {
  return step.emits && schemas.of({ output: step.emits });
}

/** Whether a step comes after the producer: in a sequence the step before it, in a graph one that it waits for. */
function isBehind({ block, index }: StepPosition, producer: StepPosition): boolean {
  return producer.block === block && block.order.before(index).includes(producer.index);
}

function loopOver(producer: StepPosition, { places }: LowerContext): { place: StepPosition; stream: StreamSource } | undefined {
  for (const place of producer.block.places) {
    const { work } = place.step;
    const stream = work && 'stream' in work ? work.stream : undefined;
    if (stream && places.byId.get(stream.stream.value) === producer) return { place, stream };
  }
  return undefined;
}
