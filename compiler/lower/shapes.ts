import type { Child } from '../child';
import { NOTHING, OPEN, type OutputShape } from '../expression/output-shape';
import type { LoadedSchema } from '../names/schemas';
import type { BlockPlace, Place } from '../places';

/** What shapes are made of. */
export interface ShapeSources {
  schemaOf(place: Place): LoadedSchema | undefined;
  childOf(place: Place): Child | undefined;
}

/** What is known of the step's output. `inner` gives the same of another step. */
export function outputShape(place: Place, sources: ShapeSources, inner: (place: Place) => OutputShape): OutputShape {
  const { work } = place.step;
  switch (work?.kind) {
    case undefined:
      return OPEN;
    case 'agent':
    case 'review':
    case 'command':
    case 'input': {
      const schema = sources.schemaOf(place);
      return schema && 'json' in schema ? { kind: 'schema', root: schema.json, within: [] } : OPEN;
    }
    case 'approval':
    case 'notify':
      return NOTHING;
    case 'wait':
      return work.signal === undefined ? NOTHING : OPEN;
    case 'parallel':
      return parallelShape(place, work.merge !== undefined, inner);
    case 'group':
      return lastShape(place.inner, inner);
    case 'for_each':
      return loopShape(place, inner);
    case 'pipeline':
      return sources.childOf(place)?.output ?? OPEN;
  }
}

function parallelShape(place: Place, merged: boolean, inner: (place: Place) => OutputShape): OutputShape {
  const branches = fieldsOf(place.inner, inner);
  if (!merged) return { kind: 'fields', fields: branches };
  const fields: [string, OutputShape][] = [
    ['results', { kind: 'fields', fields: branches }],
    ['merged', { kind: 'list', of: OPEN }],
    ['conflicts', { kind: 'list', of: OPEN }],
    ['missing', { kind: 'list', of: OPEN }],
    ...['completed', 'total', 'timedOut'].map((name): [string, OutputShape] => [name, OPEN]),
  ];
  return { kind: 'fields', fields: new Map(fields) };
}

function loopShape(place: Place, inner: (place: Place) => OutputShape): OutputShape {
  const fields = new Map<string, OutputShape>([['item', OPEN], ['index', OPEN], ...fieldsOf(place.inner, inner)]);
  return { kind: 'list', of: { kind: 'fields', fields } };
}

/** By id, the steps of a block that put something out. */
function fieldsOf(block: BlockPlace | undefined, inner: (place: Place) => OutputShape): Map<string, OutputShape> {
  const found = new Map<string, OutputShape>();
  for (const place of block?.places ?? []) {
    const shape = inner(place);
    if (shape.kind !== 'none') found.set(place.step.id, shape);
  }
  return found;
}

/** What the last step of a block that ran puts out, where it is plain which one that is. */
export function lastShape(block: BlockPlace | undefined, inner: (place: Place) => OutputShape): OutputShape {
  const last = block?.places[block.places.length - 1];
  if (!block || !last || block.order.kind !== 'sequence') return OPEN;
  const certain = !last.step.when && block.places.every(({ step }) => !step.onError);
  const shape = certain ? inner(last) : OPEN;
  return shape.kind === 'none' ? OPEN : shape;
}
