import { isSecretReference, SECRET_SCHEME as SCHEME } from '../../plan/run/args';
import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { ENVIRONMENT_VARIABLE } from '../language/patterns';
import type { Entry } from '../read/node';
import type { MapItem } from './source-of';
import { templateAt } from './template-value';
import { mappingOf } from './values';

/** Environment variables by name. */
export function readEnv(entry: Entry, report: Report): Map<string, MapItem<TemplateSyntax>> {
  const found = new Map<string, MapItem<TemplateSyntax>>();
  for (const item of mappingOf(entry, report, 'a mapping of variables to texts')?.entries ?? []) {
    const value = templateAt(item, report);
    if (item.key === '__proto__') report('names.reserved', item.keyAt, 'a variable may not be called "__proto__"', 'choose another name');
    else if (!ENVIRONMENT_VARIABLE.test(item.key))
      report('names.invalid', item.keyAt, `"${item.key}" is not a valid name for a variable`, 'write letters, digits and "_"');
    else if (value) {
      checkReference(item, value, report);
      found.set(item.key, { value, at: item.value.at, keyAt: item.keyAt });
    }
  }
  return found;
}

/** Checks that a variable is either one whole reference or text. */
function checkReference({ key, value: { at } }: Entry, template: TemplateSyntax, report: Report): void {
  const texts = template.filter((piece) => typeof piece === 'string');
  const isReference = template.length === 1 && texts.some(isSecretReference);
  if (isReference || !texts.some((text) => text.includes(SCHEME))) return;
  if (template.length === 1 && texts[0]?.startsWith(SCHEME)) {
    const message = `"${key}" is not a reference to a secret: a worker resolves secret://env/NAME and secret://file/PATH`;
    report('secret.bad-reference', at, message, 'write one of them');
  } else {
    const hint = 'make the reference the whole value, and let the secret contain what is around it, or put both together in the command';
    report('secret.not-resolved', at, `"${key}" has a reference to a secret within other text, which is passed as it is written`, hint);
  }
}
