import { maskValues } from '../../activities/commands/command-output';
import { fields, text, values, within } from '../../activities/masking/masking';
import type { RunSecrets } from '../../activities/run/run-secrets';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { type ExpressionScope, evaluate, render, spelledAtPath } from '../../plan/expressions/evaluate';
import type { Expr } from '../../plan/expressions/expression';
import { checkArgs, readArgText } from '../../plan/run/args';
import type { Json } from '../../plan/text/json';
import { jsonText, parseBoxed, parseJson, parseSpelled } from '../../plan/text/json-text';
import { maskJson } from '../../plan/text/masker';
import { spelledObject } from '../../plan/text/spelled-json';
import { NO_SCOPE } from './workshop';

const LONG = '1234567890123456789';

describe('a number that a double would change', () => {
  const scope: ExpressionScope = {
    ...NO_SCOPE,
    output: (_, path) => spelledAtPath(parseBoxed(`{"v":1.10,"id":${LONG},"one":1.0}`), ['value', ...path]),
  };
  const at = (...path: string[]): Expr => ({ kind: 'output', step: 's', path });
  const compare = (operator: '==' | '<' | '>', left: Expr, value: Json): Json =>
    evaluate({ kind: 'binary', operator, left, right: { kind: 'literal', value } }, scope);

  test('is printed by templates as it was written', () => {
    expect(render([at('v'), ' ', at('id'), ' ', at()], scope)).toBe(`1.10 ${LONG} {"v":1.10,"id":${LONG},"one":1.0}`);
    expect(render([{ kind: 'call', function: 'default', arguments: [at('none'), at('v')] }], scope)).toBe('1.10');
    expect(render([{ kind: 'array', items: [at('v'), at('id')] }], scope)).toBe(`[1.10,${LONG}]`);
    expect(render([{ kind: 'call', function: 'json', arguments: [at('v')] }], scope)).toBe('1.10');
  });

  test('is compared by its value', () => {
    expect(compare('==', at('one'), 1)).toBe(true);
    expect(compare('>', at('v'), 1.09)).toBe(true);
    expect(compare('==', at('id'), '1234567890123456788')).toBe(false);
    expect(compare('==', at('id'), LONG)).toBe(true);
    expect(compare('>', at('id'), 5)).toBe(true);
    expect(compare('<', at('id'), '99999999999999999999')).toBe(true);
    expect(compare('<', at('id'), 'text')).toBe(true);
  });

  test.each<[schema: Json, text: string, problem: string | undefined]>([
    [{ type: 'object', properties: { a: { type: 'number', minimum: 1 } } }, '{"a":1.10}', undefined],
    [{ type: 'object', properties: { a: { type: 'integer' } } }, '{"a":1.0}', undefined],
    [{ type: 'object', properties: { a: { type: 'integer' } } }, `{"a":${LONG}}`, undefined],
    [{ type: 'object', properties: { a: { type: 'number' } } }, '{"a":3.14159265358979323846}', undefined],
    [{ type: 'object', properties: { a: { type: 'string' } } }, `{"a":${LONG}}`, undefined],
    [{ type: 'object', properties: { a: { type: 'integer', maximum: 5 } } }, `{"a":${LONG}}`, 'a must be <= 5'],
    [
      { type: 'object', properties: { a: { type: 'number' } } },
      '{"a":123e456}',
      'a must be number, and 123e456 is one that a double cannot hold: send it as a text if the schema takes one',
    ],
    [{ type: 'integer' }, LONG, undefined],
    [{ type: 'number', maximum: 5 }, LONG, 'the whole must be <= 5'],
  ])('%j and %s: %s', (schema, text, problem) => {
    expect(checkSchemaHere(jsonText(schema), schema, parseSpelled(text))?.problems[0]).toBe(problem);
  });

  test('stays as it was written in args, or is refused by its value', () => {
    const given = spelledObject([
      ['version', readArgText('1.10', undefined)],
      ['id', readArgText(LONG, undefined)],
    ]);
    const { args, problems } = checkArgs({ args: { version: {}, id: {} } }, given);
    expect(problems).toEqual([]);
    expect(jsonText(args)).toBe(`{"version":1.10,"id":${LONG}}`);
    expect(checkArgs({ args: { version: { type: 'number' }, id: { type: 'integer' } } }, given).problems).toEqual([
      { arg: 'id', problem: expect.stringContaining(LONG) },
    ]);
  });

  test('is masked if it is a secret, and else stays as it was written', () => {
    const mask = (text: string): string => text.replaceAll(LONG, '***');
    expect(jsonText(maskJson(parseJson(`{"a":[1.10,${LONG}],"b":${LONG}}`), mask))).toBe('{"a":[1.10,"***"],"b":"***"}');
  });

  test.each([
    ['fields', fields<{ a: Json; b: Json }>({ a: text, b: text })],
    ['within', within({ a: text, b: text })],
    ['values', values<Json>(text)],
    ['what a command answers', maskValues],
  ] as [string, (value: never, secrets: RunSecrets) => unknown][])('stays so in each masked answer: %s', (_, masking) => {
    const secrets = { maskJson: (value: Json) => maskJson(value, (said) => said.replaceAll('hunter2', '***')) } as RunSecrets;
    const answer = parseJson(`{"a":1.10,"b":{"c":[1e3,"hunter2"]}}`);
    expect(jsonText(masking(answer as never, secrets))).toBe('{"a":1.10,"b":{"c":[1e3,"***"]}}');
  });
});
