import { type LobsterResults, resultsWithin, variableResult, workResult } from '../../../compiler/lobster/text/results';
import { defined } from '../../../plan/defined';
import { type ExpressionScope, lookUp } from '../../../plan/expressions/evaluate';
import type { Json } from '../../../plan/text/json';

/** A step `a` with an output, its text and its record; a step `b` that was skipped; a loop's `item`. */
export function knownResults(): LobsterResults {
  const results = resultsWithin();
  for (const id of ['a', 'b', 'gate']) results.add(id, workResult(id, id, { approval: true }));
  results.add('item', variableResult('item'));
  return results;
}

export interface Values {
  output?: Json;
  stdout?: string;
  item?: Json;
  args?: Record<string, Json>;
}

export function scopeOf({ output, stdout, item, args = {} }: Values): ExpressionScope {
  const records: Record<string, Record<string, Json>> = {
    a: { ...defined({ stdout }), skipped: false, error: false },
    b: { skipped: true, error: false },
    gate: { approved: true, approvedBy: 'ann', skipped: false, error: true, errorMessage: 'boom' },
  };
  return {
    output: (step, path) => (step === 'a' ? lookUp(output, path) : undefined),
    record: (step, field) => records[step]?.[field],
    arg: (name) => (Object.hasOwn(args, name) ? args[name] : undefined),
    run: () => '',
    variable: (_, path) => lookUp(item, path),
    state: () => 'done',
  };
}
