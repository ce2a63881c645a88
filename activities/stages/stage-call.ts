import { type ExpressionScope, render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import { isLateStage, type KnownStage, type LateStage, STAGES, type Stage, type StageName } from '../../plan/stages/stage';
import { FLAG_ALIASES, STAGE_RULES, stageNamed } from '../../plan/stages/stage-rules';
import { type StageWord, stageWords } from '../../plan/stages/stage-words';

/** A stage with its words rendered: what a stage's function gets. */
export interface StageCall {
  name: StageName;
  /** Its name in messages, items and requests. */
  calledAs: string;
  words: readonly string[];
  /** `true` for a flag without a value. */
  flags: ReadonlyMap<string, string | true>;
}

export function renderStage(stage: Stage, scope: ExpressionScope): StageCall {
  return isLateStage(stage) ? lateCall(stage, scope) : knownCall(stage, scope);
}

function knownCall(stage: KnownStage, scope: ExpressionScope): StageCall {
  const flags = Object.entries(stage.flags).map(([name, value]) => [name, value.length === 0 ? true : render(value, scope)] as const);
  return {
    name: stage.name,
    calledAs: stage.alias ?? stage.name,
    words: stage.words.map((word) => render(word, scope)),
    flags: new Map(flags),
  };
}

/** A value is one word, whatever it contains. Fails with `stage.failed` if it names no stage, or one that wants other words. */
function lateCall({ name, rest }: LateStage, scope: ExpressionScope): StageCall {
  const written = render(name, scope).trim();
  if (written === '') throw new ThermidorFailure('stage.failed', 'Empty command stage');
  const named = stageNamed(written);
  if (!named) throw new ThermidorFailure('stage.failed', `Unknown command: ${written}`, { known: [...STAGES] });
  const words = stageWords(
    { text: written },
    rest.map((word) => rendered(word, scope)),
    (word, equals) => ({
      text: word.text.slice(equals + 1),
    }),
  );
  const flags = new Map<string, string | true>(Object.entries(named.flags));
  for (const [flag, { value }] of words.flags) flags.set(FLAG_ALIASES.get(flag) ?? flag, value?.text ?? true);
  const call: StageCall = { name: named.name, calledAs: written, words: words.words.map(({ text }) => text), flags };
  const complaint = STAGE_RULES[named.name].check?.({ words: call.words, flag: (flag) => flags.get(flag) });
  if (complaint) throw new ThermidorFailure('stage.failed', complaint.message.replace(named.name, written));
  return call;
}

function rendered(word: Template, scope: ExpressionScope): StageWord {
  const text = render(word, scope);
  return typeof word[0] === 'string' ? { text } : { text, isValue: true };
}

/** The value of the first of these flags that has one. */
export function flagText(call: StageCall, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = call.flags.get(name);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Whether one of these flags is present, with a value or without; an empty value counts as absent. */
export function hasFlag(call: StageCall, ...names: string[]): boolean {
  return names.some((name) => Boolean(call.flags.get(name)));
}

/** A flag's number; undefined if it is absent. A flag without a value counts as 1, as in Lobster. */
export function flagNumber(call: StageCall, ...names: string[]): number | undefined {
  const value = names.map((name) => call.flags.get(name)).find((found) => found !== undefined);
  return value === undefined ? undefined : Number(value);
}
