import type { Template } from '../../plan/expressions/expression';
import type { Located } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { type KnownValues, placeOfValue, warnOfLength } from './value-lengths';

export function lowerEnvironment(
  variables: ReadonlyMap<string, Located<TemplateSyntax>>,
  template: (syntax: TemplateSyntax) => Template | undefined,
  known: KnownValues,
): Map<string, Template> {
  const found = new Map<string, Template>();
  for (const [name, { value: syntax, at }] of variables) {
    const value = template(syntax);
    if (!value) continue;
    warnOfLength(`the variable "${name}"`, value, placeOfValue(syntax) ?? at, known, name);
    found.set(name, value);
  }
  return found;
}
