import { type ExpressionScope, evaluate, lookUp } from '../../plan/expressions/evaluate';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';

/** What Lobster's dry run takes as known, and how it writes texts from that. */

/** What Lobster knows of a step that it has passed; for a loop's variable, its value. */
export interface DryRunResult {
  skipped?: true;
  approved?: true;
  response?: Json;
}

export interface DryRunNotes {
  args: Readonly<Record<string, Json>>;
  /** The steps of the block, by the ids that the file has. */
  steps: ReadonlyMap<string, Step>;
  /** Ids of the plan, and what the file calls them. */
  ids: ReadonlyMap<string, string>;
  results: Map<string, DryRunResult>;
  /** Names of loops' indexes; every other variable is an item. */
  indexes: ReadonlySet<string>;
}

export function conditionMet(id: string, notes: DryRunNotes): boolean {
  const when = notes.steps.get(id)?.when;
  return when === undefined || Boolean(evaluate(when, scopeOf(notes)));
}

function scopeOf({ results, ids, args, indexes }: DryRunNotes): ExpressionScope {
  const of = (step: string) => results.get(ids.get(step) ?? step);
  return {
    output: () => undefined,
    record: (step, name) => {
      if (name === 'id') return step;
      const result = of(step);
      return name === 'skipped' || name === 'approved' || name === 'response' ? result?.[name] : undefined;
    },
    arg: (name) => (Object.hasOwn(args, name) ? args[name] : undefined),
    run: () => null,
    variable: (name, path) => lookUp(indexes.has(name) ? 0 : { _placeholder: true }, path),
    state: (step) => (of(step)?.skipped ? 'skipped' : 'unsettled'),
  };
}

const OUTPUT_REFERENCE = /\$[A-Za-z0-9_-]+\.(?:stdout|json)/;

export function note(text: string): string {
  return OUTPUT_REFERENCE.test(text) ? '  [contains step output refs — unknown at plan time]' : '';
}

export function noted(text: string, notes: DryRunNotes): string {
  const rendered = textWithArgs(text, notes);
  return rendered + note(rendered);
}

export function stdinNote(stdin: Json | undefined): string | undefined {
  if (typeof stdin !== 'string') return undefined;
  const text = stdin.trim();
  if (/^\$[A-Za-z0-9_-]+\.(?:stdout|json)$/.test(text)) return `${text}  [output unknown at plan time]`;
  return OUTPUT_REFERENCE.test(text) ? text + note(text) : undefined;
}

/** `${arg}` as its text, `$step.approved` as assumed; everything else as the author wrote it. */
export function textWithArgs(text: string, { args, results }: DryRunNotes): string {
  return text
    .replace(/\$\{([A-Za-z0-9_-]+)\}/g, (whole, name: string) => (Object.hasOwn(args, name) ? String(args[name]) : whole))
    .replace(/\$([A-Za-z0-9_-]+)\.approved/g, (whole, id: string) => {
      const result = results.get(id);
      return result === undefined ? whole : String(result.approved === true);
    });
}
