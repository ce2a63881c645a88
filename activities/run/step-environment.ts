import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { ThermidorFailure } from '../../plan/run/failure';
import type { InputScope } from './template-scope';

/**
 * The variables that a step gives to its programs. One that is a single reference to a secret, literally from the file, gets the secret's
 * value; a reference that comes from data is ordinary text. Fails with `secret.missing`, naming the variable.
 */
export function stepEnvironment(step: { id: string; env?: Record<string, Template> }, scope: InputScope): Record<string, string> {
  return Object.fromEntries(Object.entries(step.env ?? {}).map(([name, template]) => [name, variable(step.id, name, template, scope)]));
}

function variable(step: string, name: string, template: Template, scope: InputScope): string {
  try {
    return scope.secrets.variable(template) ?? render(template, scope);
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || error.code !== 'secret.missing') throw error;
    throw new ThermidorFailure(error.code, `the variable "${name}" of step "${step}": ${error.message}`, { step, variable: name });
  }
}
