import type { Template } from '../expressions/expression';

/**
 * One stage of a Lobster pipe, its words parsed and its flags checked by the compiler. Values are templates, because any word may contain
 * `${arg}` and `$step.path`.
 */
export type Stage = KnownStage | LateStage;

export interface KnownStage {
  name: StageName;
  /** Words that are no flags, in order. */
  words: Template[];
  /** Flags by name without dashes; a flag without a value is `[]`. */
  flags: Record<string, Template>;
  /** The name in the text, if that differs. */
  alias?: 'llm_task.invoke' | 'clawd.invoke';
}

/** A stage whose name is known only at run time: the value of a reference, such as `$step.json.stage`. */
export interface LateStage {
  name: Template;
  /** Words and flags as they are written. */
  rest: Template[];
}

export function isLateStage(stage: Stage): stage is LateStage {
  return typeof stage.name !== 'string';
}

export const STAGES = [
  'exec',
  'json',
  'table',
  'pick',
  'where',
  'head',
  'map',
  'sort',
  'dedupe',
  'groupBy',
  'template',
  'approve',
  'ask',
  'diff.last',
  'state.get',
  'state.set',
  'llm.invoke',
  'openclaw.invoke',
  'commands.list',
  'workflows.list',
] as const;
export type StageName = (typeof STAGES)[number];

/** What a run must know of a pipe apart from its place. A stage that is named later may ask a model. */
export function modelUse(stages: readonly Stage[]): { asksModel?: true } {
  return stages.some((stage) => isLateStage(stage) || stage.name === 'llm.invoke') ? { asksModel: true } : {};
}
