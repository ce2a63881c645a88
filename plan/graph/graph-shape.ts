import { DESCRIPTIONS } from '../../kinds/descriptions';
import type { Shape } from '../steps/description';
import type { GraphNode } from './graph-model';

/** The shape of a node's box: that of its step's kind; a gate after a step looks like one that is a step. */
export function nodeShape({ kind }: GraphNode): Shape {
  if (kind === 'gate') return 'person';
  if (kind === 'task') return 'work';
  return kind === 'finally' ? 'frame' : DESCRIPTIONS[kind].shape;
}

/** The name of the frame around a node's inner steps. */
export function frameName({ kind }: GraphNode): string | undefined {
  if (kind === 'gate' || kind === 'task') return undefined;
  return kind === 'finally' ? 'whatever happened' : DESCRIPTIONS[kind].frame;
}
