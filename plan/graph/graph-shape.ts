import { DESCRIPTIONS } from '../../kinds/descriptions';
import type { Shape } from '../steps/description';
import type { GraphNode } from './graph-model';

/** What a node's box looks like: that of its step's kind, a gate behind a step as one that is a step. */
export function nodeShape({ kind }: GraphNode): Shape {
  if (kind === 'gate') return 'person';
  if (kind === 'task') return 'work';
  return kind === 'finally' ? 'frame' : DESCRIPTIONS[kind].shape;
}

/** What the frame around a node's steps is called. */
export function frameName({ kind }: GraphNode): string | undefined {
  if (kind === 'gate' || kind === 'task') return undefined;
  return kind === 'finally' ? 'whatever happened' : DESCRIPTIONS[kind].frame;
}
