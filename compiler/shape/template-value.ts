import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { readTemplate } from '../expression/template';
import type { Entry } from '../read/node';
import { wrongType } from './values';

/** A text with `${…}`, or plain JSON as a literal. */
export function templateAt(entry: Entry, report: Report, references = false): TemplateSyntax | undefined {
  const { key, value } = entry;
  if (value.kind === 'scalar') {
    if (value.value === null && !references) return wrongType(value, key, 'text', report);
    if (references && typeof value.value !== 'string') return [{ kind: 'literal', at: value.at, value: value.value }];
    return readTemplate(value, report, { references });
  }
  return wrongType(value, key, references ? 'text, a number or a reference such as $step' : 'text', report);
}
