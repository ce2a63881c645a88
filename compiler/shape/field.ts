import type { Path } from '../../plan/expressions/expression';
import type { Located, Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { textOf } from './values';

/** Reads a field of an item, or one within: `id`, `meta.id`. */
export function fieldAt(entry: Entry, report: Report): Located<Path> | undefined {
  const text = textOf(entry, report);
  if (!text) return undefined;
  if (FIELD_PATH.test(text.value)) return { value: text.value.split('.'), at: text.at };
  report(
    'shape.wrong-type',
    text.at,
    `"${entry.key}" is "${text.value}", which is no field`,
    'write the name of a field of an item, such as id or meta.id',
  );
  return undefined;
}

const FIELD_PATH = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
