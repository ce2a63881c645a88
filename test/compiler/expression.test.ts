import { sourceText } from '../../compiler/diagnostics/diagnostic';
import type { Names } from '../../compiler/expression/names';
import { OPEN } from '../../compiler/expression/output-shape';
import { parseExpression } from '../../compiler/expression/parser';
import { resolve } from '../../compiler/expression/resolve';
import { type ExpressionScope, evaluate } from '../../plan/expressions/evaluate';
import type { Json } from '../../plan/text/json';

const OUTPUTS: Record<string, Json> = { review: { verdict: 'pass', score: 0.5, issues: [{ field: 'a' }], 'dash-ed': 1 } };
const ARGS: Record<string, Json> = { market: 'BTC', deep: { list: [1, 2] } };

const names: Names = {
  step: (id) => (Object.hasOwn(OUTPUTS, id) ? { id, output: OPEN } : undefined),
  stepIds: () => Object.keys(OUTPUTS),
  arg: (name) => (Object.hasOwn(ARGS, name) ? OPEN : undefined),
  argNames: () => Object.keys(ARGS),
  variable: (name) => (name === 'part' ? OPEN : undefined),
  variableNames: () => ['part'],
  afterWork: true,
  inShell: false,
  environment: new Set(),
  wayTo: () => '',
  standing: () => 'upstream',
};

const at = (value: Json | undefined, path: readonly (string | number)[]): Json | undefined => {
  let here = value;
  for (const key of path) here = here !== null && typeof here === 'object' ? Reflect.get(here, key) : undefined;
  return here;
};

const scope: ExpressionScope = {
  output: (step, path) => at(OUTPUTS[step], path),
  record: (_, field) => (field === 'approvedBy' ? 'chairman' : undefined),
  arg: (name) => ARGS[name],
  run: () => 'run-1',
  variable: (_, path) => at({ words: ['one', 'two'] }, path),
  state: () => 'done',
};

function parsed(text: string) {
  const codes: string[] = [];
  const source = sourceText('x', text);
  const report = (code: string, spot: { start: number }): void => {
    codes.push(`${code}@${spot.start}`);
  };
  const syntax = parseExpression(text, (start, end) => ({ source, start, end }), report);
  const expr = syntax && resolve(syntax, names, report);
  return { expr, codes };
}

describe('expressions', () => {
  it.each<[string, Json]>([
    ['review.verdict == "pass"', true],
    ["review.verdict == 'pass' && review.score >= 0.5", true],
    ['!(review.score > 1) || false', true],
    ['1 < 2 && 2 < 1', false],
    ['true || false && false', true],
    ['review.issues[0].field', 'a'],
    ['review.issues.0.field', 'a'],
    ['$review.json.verdict', 'pass'],
    ['$review.approvedBy', 'chairman'],
    ['review.dash-ed == 1', true],
    ['args.market', 'BTC'],
    ['part.words[1]', 'two'],
    ['$part.json.words[1]', 'two'],
    ['market', 'BTC'],
    ['deep.list[1]', 2],
    ['run.id', 'run-1'],
    ['review.nothing', null],
    ['2 in deep.list', true],
    ['"a" in ["a", "b"]', true],
    ['length(deep.list) == 2 && contains(market, "TC")', true],
    ['default(review.nothing, -1.5e1)', -15],
    ['json([1, null, true])', '[1,null,true]'],
    ['lower("ÄB\\n\\"")', 'äb\n"'],
    ['always() && !failed(review) && !skipped(review)', true],
    ['[]', []],
  ])('%s', (text, value) => {
    const { expr, codes } = parsed(text);
    expect(codes).toEqual([]);
    expect(expr && evaluate(expr, scope)).toEqual(value);
  });

  it('makes one reference of both spellings', () => {
    expect(parsed('$review.json.issues[0]').expr).toEqual(parsed('review.issues.0').expr);
  });

  it.each([
    ['', 'expression.syntax@0'],
    ['review.', 'expression.syntax@7'],
    ['review.verdict = "x"', 'expression.syntax@15'],
    ['review["verdict"]', 'expression.syntax@7'],
    ['"open', 'expression.syntax@0'],
    ['(1', 'expression.syntax@2'],
    ['1 2', 'expression.syntax@2'],
    ['a b', 'expression.syntax@2'],
    ['in', 'expression.syntax@0'],
    ['$', 'expression.syntax@1'],
    ['1 == 2 == 3', 'expression.syntax@7'],
    ['\u{1F99E}', 'expression.syntax@0'],
    ['nope', 'expression.unknown-name@0'],
    ['args.nope', 'expression.unknown-name@5'],
    ['constructor', 'expression.unknown-name@0'],
    ['$market', 'expression.unknown-name@0'],
    ['lenth(market)', 'expression.unknown-function@0'],
    ['lower()', 'expression.wrong-arguments@0'],
    ['failed(review.verdict)', 'expression.wrong-arguments@0'],
    ['run', 'expression.unknown-field@0'],
    ['$review.verdict', 'expression.unknown-field@8'],
  ])('%s is refused where it is wrong', (text, code) => {
    expect(parsed(text).codes).toEqual([code]);
  });

  it.each([
    ['parentheses', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
    ['negations', `${'!'.repeat(10_000)}true`],
    ['lists', '['.repeat(10_000)],
    ['calls', 'lower('.repeat(10_000)],
    ['terms', 'true && '.repeat(10_000)],
    ['fields', `review${'.a'.repeat(10_000)}`],
  ])('ten thousand %s do not exhaust the stack', (_, text) => {
    expect(parsed(text).codes[0]).toMatch(/^expression\.too-complex@/);
  });
});
