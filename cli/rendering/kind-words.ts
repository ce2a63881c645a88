import { shownOf } from '../../kinds/questions';
import type { StepView } from '../../plan/run/status';
import type { ShownFact, ShownItem } from '../../plan/steps/kind-view';
import type { Colors } from '../terminal';
import { oneLine } from './text/printable';

/** What a step's kind says of itself, in a tree and as news. */

export function kindFacts(step: StepView, colors: Colors): string[] {
  const shown = shownOf(step);
  return (shown?.words.facts?.(shown.view) ?? []).map((fact) => painted(fact, colors));
}

function painted(fact: ShownFact, colors: Colors): string {
  if (typeof fact === 'string') return oneLine(fact);
  const text = oneLine(fact.text);
  return fact.tone === 'strong' ? colors.bold(text) : colors.yellow(text);
}

/** Undefined before there is anything to say. */
export function kindNews(step: StepView): { words: string; isUntimed: boolean } | undefined {
  const shown = shownOf(step);
  const words = shown?.words.news?.(shown.view);
  return words === undefined ? undefined : { words, isUntimed: shown?.words.isUntimed === true };
}

/** What is within it and is no step of the plan. */
export function itemsWithin(step: StepView): ShownItem[] {
  const shown = shownOf(step);
  return (shown?.words.items?.(shown.view, step.state) ?? []).map((item) => ({ ...item, words: oneLine(item.words) }));
}
