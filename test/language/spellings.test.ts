import type { Json } from '../../plan/text/json';
import { withSteps } from './places';
import { errorsOf } from './world';

/** Tests the table of docs/language.md that says when to write `x.y` and when `$x.y`. `draft` comes before each step. */
const run = (keys: { [key: string]: Json }): Json => ({ id: 'it', run: 'true', ...keys });
const loop = (when: string): Json => ({ id: 'all', for_each: '$draft.json.parts', steps: [run({ when })] });

test.each([
  ['an expression', run({ when: 'draft.title == "x"' })],
  ['an expression, as Lobster spells it', run({ when: '$draft.json.title == "x"' })],
  ['an expression with the record', run({ when: '$draft.error' })],
  ['a text', run({ run: `echo \${draft.title} \${$draft.error}` })],
  ['a value', run({ stdin: '$draft.json.parts' })],
  ['an arg', run({ when: 'args.ticker == "x" && ticker == "x"' })],
  ['a variable of a loop', loop('item.name == $item.json.name')],
])('%s', (_, step) => {
  expect(errorsOf(withSteps([step]))).toEqual([]);
});

test.each([
  ['an expression: the record has no field of the output', run({ when: '$draft.title == "x"' }), 'expression.unknown-field'],
  ['a value', run({ stdin: '$draft.title' }), 'expression.unknown-field'],
  ['an arg', run({ when: '$ticker == "x"' }), 'expression.unknown-name'],
  ['a variable of a loop', loop('$item.name == "x"'), 'expression.unknown-field'],
])('a mistake in %s', (_, step, code) => {
  expect(errorsOf(withSteps([step])).join('\n')).toContain(code);
});
