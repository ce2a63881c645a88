import type { Diagnostic } from './diagnostic';
import { printable } from './printable';

/**
 * Diagnostics for the problem matchers of editors, one a line, as compilers write them:
 * `file:line:column: error code: message [hint: …] [included from file:line:column]`. The place and the code are what
 * a program reads; the rest is for people.
 */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((d) => `${lineOf(d)}\n`).join('');
}

function lineOf(d: Diagnostic): string {
  const hint = d.hint === undefined ? '' : ` [hint: ${d.hint}]`;
  const from = (d.includedFrom ?? []).map(({ file, line, column }) => ` [included from ${file}:${line}:${column}]`).join('');
  return printable(`${d.file}:${d.line}:${d.column}: ${d.severity} ${d.code}: ${d.message}${hint}${from}`);
}
