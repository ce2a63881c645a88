import type { Form } from '../../plan/expressions/form';
import type { FormSyntax } from '../expression/syntax';
import type { StepContext } from './step-context';

/** Lowers JSON with templates in it, whose values become the step's inputs. Undefined if a name in it is unknown, which is reported. */
export function lowerForm(syntax: FormSyntax, here: StepContext): Form | undefined {
  if ('template' in syntax) {
    const template = here.template(syntax.template);
    return template && { template };
  }
  if ('list' in syntax) {
    const list = syntax.list.map((item) => lowerForm(item, here));
    return list.every((item) => item !== undefined) ? { list } : undefined;
  }
  const fields = syntax.fields.map(([key, inner]): [string, Form | undefined] => [key, lowerForm(inner, here)]);
  return fields.every((field): field is [string, Form] => field[1] !== undefined) ? { fields } : undefined;
}
