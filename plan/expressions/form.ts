import type { Json } from '../text/json';
import type { Template } from './expression';

/** JSON with templates in it, as an author writes it: `{title: …, options: [{id: a}]}`. */
export type Form = { template: Template } | { list: Form[] } | { fields: [key: string, value: Form][] };

/** @param value the value of a template: that of its one expression, else its text */
export function fillForm(form: Form, value: (template: Template) => Json): Json {
  if ('template' in form) return value(form.template);
  if ('list' in form) return form.list.map((item) => fillForm(item, value));
  return Object.fromEntries(form.fields.map(([key, inner]) => [key, fillForm(inner, value)]));
}

/** Every template in it, in order. */
export function* templatesIn(form: Form): Generator<Template> {
  if ('template' in form) yield form.template;
  else for (const inner of 'list' in form ? form.list : form.fields.map(([, field]) => field)) yield* templatesIn(inner);
}
