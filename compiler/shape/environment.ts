import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { ENVIRONMENT_VARIABLE } from '../language/patterns';
import type { Entry } from '../read/node';
import { templateAt } from './template-value';
import { mappingOf } from './values';

/** Environment variables by name. */
export function readEnv(entry: Entry, report: Report): Map<string, TemplateSyntax> {
  const found = new Map<string, TemplateSyntax>();
  for (const item of mappingOf(entry, report, 'a mapping of variables to texts')?.entries ?? []) {
    const value = templateAt(item, report);
    if (item.key === '__proto__') report('names.reserved', item.keyAt, 'a variable may not be called "__proto__"', 'choose another name');
    else if (!ENVIRONMENT_VARIABLE.test(item.key))
      report('names.invalid', item.keyAt, `"${item.key}" is not a valid name for a variable`, 'write letters, digits and "_"');
    else if (value) found.set(item.key, value);
  }
  return found;
}
