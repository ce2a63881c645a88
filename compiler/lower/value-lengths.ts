import { asText, spelledAtPath } from '../../plan/expressions/evaluate';
import type { Expr, Template } from '../../plan/expressions/expression';
import { writeExpr } from '../../plan/expressions/write-expression';
import type { ArgSpec } from '../../plan/plan';
import { isTooLong, LONG_VALUE_HINT, LONG_VALUE_RULE, SCRIPT_VARIABLE } from '../../plan/steps/value-length';
import { numberAt } from '../../plan/text/spelled-json';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';

/** What is known of a value before a run: its texts, and the defaults of the args that it reads. */
export interface KnownValues {
  argSpec(name: string): ArgSpec | undefined;
  report: Report;
}

/**
 * Warns of a value so long that no command can be started with it. @param variable the environment variable with that value; absent: it is
 * a word of the command
 */
export function warnOfLength(what: string, template: Template, at: SourceSpan, known: KnownValues, variable?: string): void {
  const sizeBytes = template.reduce((sum, piece) => sum + Buffer.byteLength(typeof piece === 'string' ? piece : textOf(piece, known)), 0);
  if (!isTooLong(sizeBytes, variable)) return;
  const withDefaults = template.some((piece) => typeof piece !== 'string') ? ' with the defaults of its args' : '';
  known.report('command.too-long', at, `${what} has ${sizeBytes} bytes${withDefaults}; ${LONG_VALUE_RULE}`, LONG_VALUE_HINT);
}

/** Warns of a shell script that is too long. It gets its values as variables. */
export function warnOfScript(script: Template, at: SourceSpan, known: KnownValues): void {
  const values = script.filter((piece) => typeof piece !== 'string');
  for (const [index, value] of values.entries())
    warnOfLength(`\${${writeExpr(value)}}`, [value], at, known, `${SCRIPT_VARIABLE}${index + 1}`);
  const text = script.filter((piece) => typeof piece === 'string');
  warnOfLength('the script', text, at, known);
}

/** The place of a template's first value. */
export function placeOfValue(syntax: TemplateSyntax): SourceSpan | undefined {
  for (const piece of syntax) if (typeof piece !== 'string' && piece.kind !== 'lookalike') return piece.at;
  return undefined;
}

function textOf(expr: Expr, known: KnownValues): string {
  if (expr.kind === 'literal') return asText(numberAt(expr, 'value') ?? expr.value);
  if (expr.kind === 'call' && expr.function === 'lobster.arg' && expr.arguments[0]) return textOf(expr.arguments[0], known);
  if (expr.kind !== 'arg') return '';
  const spec = known.argSpec(expr.name);
  return spec?.default === undefined ? '' : asText(spelledAtPath(spec, ['default', ...expr.path]));
}
