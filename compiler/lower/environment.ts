import type { Template } from '../../plan/expressions/expression';
import type { TemplateSyntax } from '../expression/syntax';

export function lowerEnvironment(
  variables: ReadonlyMap<string, TemplateSyntax>,
  template: (syntax: TemplateSyntax) => Template | undefined,
): Map<string, Template> {
  const found = new Map<string, Template>();
  for (const [name, syntax] of variables) {
    const value = template(syntax);
    if (value) found.set(name, value);
  }
  return found;
}
