import { outputSchema } from '../../activities/adapters/anthropic/output-format';
import { compileSchema } from '../../activities/json-schema';
import type { AskedKind } from '../../plan/brief/hand-off';
import { handOffSchema } from '../../plan/brief/hand-off-schema';
import type { Json } from '../../plan/text/json';
import { escalation, execution, plan, review, subTask } from './replies';

/** The schema that a service is given has the rows of the reader. */

const GOOD: readonly [AskedKind, Json][] = [
  ['plan', plan(subTask('a', { order: 1, depends_on: [], role: 'writer' }))],
  ['execution', execution('a', { tool_calls: [{ name: 'run', call_id: 'c', summary: 's' }] })],
  ['review', review('a', 'needs_retry', { suggested_revision: 'r' })],
];

function isValid(kind: AskedKind, value: Json): boolean {
  const check = compileSchema(handOffSchema(kind));
  if (typeof check === 'string') throw new Error(check);
  return check(value) as boolean;
}

test.each(GOOD)('%s: valid is what is asked for, and an escalation', (kind, value) => {
  expect(isValid(kind, value)).toBe(true);
  expect(isValid(kind, escalation('error', { budget_metric: 'tokens' }))).toBe(true);
});

test.each<[AskedKind, Json]>([
  ['plan', execution('a')],
  ['plan', plan()],
  ['plan', plan(...Array.from({ length: 65 }, (_, i) => subTask(`t${i}`)))],
  ['plan', plan({ id: 'a' })],
  ['plan', plan(subTask('a', { acceptance_criteria: [] }))],
  ['execution', execution('a', { output: 'x'.repeat(16_001) })],
  ['execution', execution('a', { grant: ['*'] })],
  ['review', review('a', 'maybe')],
  ['review', escalation('fatal')],
])('%s: invalid %#', (kind, value) => {
  expect(isValid(kind, value)).toBe(false);
});

test.each(GOOD)('%s: a service with structured output can be held to it', (kind) => {
  expect(outputSchema(handOffSchema(kind))).toMatchObject({ type: 'object', properties: { kind: { enum: [kind, 'escalation'] } } });
});
