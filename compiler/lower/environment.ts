import type { Template } from '../../plan/expression';
import type { TemplateSyntax } from '../expression/syntax';

export function environmentOf(
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
