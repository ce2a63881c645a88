import { unreachable } from '../../plan/unreachable';
import type { Report } from '../diagnostics/diagnostic';
import type { FormSyntax } from '../expression/syntax';
import type { Entry } from '../read/node';
import { templateAt } from './template-value';

/** Reads JSON with templates in it; a scalar may be a whole reference such as `$step`. Undefined if a part of it cannot be read. */
export function formAt(entry: Entry, report: Report): FormSyntax | undefined {
  const { value } = entry;
  switch (value.kind) {
    case 'scalar': {
      const template = templateAt(entry, report, true);
      return template && { template };
    }
    case 'sequence': {
      const items = value.items.map((item) => formAt({ ...entry, value: item }, report));
      const list = items.filter((item) => item !== undefined);
      return list.length === items.length ? { list } : undefined;
    }
    case 'mapping': {
      const found = value.entries.map((inner) => [inner.key, formAt(inner, report)] as const);
      const fields = found.flatMap(([key, form]): [string, FormSyntax][] => (form ? [[key, form]] : []));
      return fields.length === found.length ? { fields } : undefined;
    }
    default:
      return unreachable(value);
  }
}
