import type { StepState } from '../run/step-state';

/**
 * What people see of what a kind keeps while its step runs and afterwards: a field of the step's view, and the words for it. Trees, news,
 * `why` and graphs are drawn from these, so that none of them knows a kind.
 */
export interface KindView<K extends string = string, V = unknown> {
  /** The field of a step's view. */
  key: K;
  /** Who or what is waited for while the step is at work. */
  awaits?(view: V): string | undefined;
  /** Until when, ISO 8601. */
  until?(view: V): string | undefined;
  /** What the step is doing, if it waits for nothing. */
  current?(view: V): string | undefined;
  /** Who and what within it waits, each with what would end that. */
  waits?(view: V): ShownWait[];
  /** How it is going, among the facts of its step. */
  facts?(view: V): ShownFact[];
  /** What the step has to say as news. Undefined while there is nothing to say. */
  news?(view: V): string | undefined;
  /** No moment that a run knows is that of its news. */
  isUntimed?: true;
  /** What is within it and is no step of the plan. */
  items?(view: V, state: StepState): ShownItem[];
  /** Two columns that are shown next to each other. */
  columns?(view: V): ShownColumns;
}

/** How it is going, and who is waited for, or else how it has ended. */
export function sentence(going: string, awaited: string | undefined, end?: string): string {
  return [going, awaited === undefined ? end : `waits for ${awaited}`].filter((part) => part !== undefined).join('; ');
}

/** Times are ISO 8601. */
export interface ShownWait {
  text: string;
  since?: string;
  /** When it ends by itself. */
  until?: string;
}

export type ShownFact = string | { text: string; tone: 'strong' | 'warning' };

/** `state`: it is drawn as a step of that state is. */
export interface ShownItem {
  id: string;
  state: StepState;
  words: string;
  /** Who has it. */
  by?: string;
  /** When it came to be so, ISO 8601. */
  since?: string;
  /** It has been begun, and each change of its words is news. */
  isNews?: boolean;
}

export interface ShownColumns {
  heads: [left: string, right: string];
  rows: ShownRow[];
}

export type ShownRow = { kind: 'sides'; left?: ShownCell; right?: ShownCell } | ShownCrossing;

export interface ShownCell {
  state: StepState;
  words: string;
}

/** What both have to come to. */
export interface ShownCrossing extends ShownCell {
  kind: 'across';
  name: string;
  title?: string;
  /** How long it is waited for, ISO 8601. It is the last of the words. */
  until?: string;
}
