import { render, type Scope } from '../../plan/evaluate';
import type { Stage, StageName } from '../../plan/stage';

/** A stage with its words rendered: what a stage's function gets. */
export interface StageCall {
  name: StageName;
  /** The name it goes by in its messages, its items and the requests it makes. */
  calledAs: string;
  words: readonly string[];
  /** `true` for a flag without a value. */
  flags: ReadonlyMap<string, string | true>;
}

export function renderStage(stage: Stage, scope: Scope): StageCall {
  const flags = Object.entries(stage.flags).map(([name, value]) => [name, value.length === 0 ? true : render(value, scope)] as const);
  return {
    name: stage.name,
    calledAs: stage.alias ?? stage.name,
    words: stage.words.map((word) => render(word, scope)),
    flags: new Map(flags),
  };
}

/** The value of the first of these flags that has one. */
export function flagText(call: StageCall, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = call.flags.get(name);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Whether one of these flags stands there, with a value or without; an empty value is none. */
export function hasFlag(call: StageCall, ...names: string[]): boolean {
  return names.some((name) => Boolean(call.flags.get(name)));
}

/** The number a flag gives; undefined where it is absent. A flag without a value counts as 1, as in Lobster. */
export function flagNumber(call: StageCall, ...names: string[]): number | undefined {
  const value = names.map((name) => call.flags.get(name)).find((found) => found !== undefined);
  return value === undefined ? undefined : Number(value);
}
