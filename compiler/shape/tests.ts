import { defined } from '../../plan/defined';
import { REPORT_FORMATS, type TestSource } from '../../plan/run/test-report';
import type { Report } from '../diagnostics/diagnostic';
import { listWords } from '../diagnostics/suggest';
import { type Entry, entryOf } from '../read/node';
import { checkKeys, requireKey } from './keys';
import { mappingOf, textOf, wordOf } from './values';
import { keysOf } from './vocabulary';

/** Reads `{format, file}`: where the results of a command's tests are. */
export function readTests(entry: Entry, report: Report): TestSource | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {format: junit, file: results.xml}');
  if (!node) return undefined;
  const what = '"tests" of a command';
  checkKeys(node, { what, known: keysOf('tests') }, report);
  requireKey(node, 'format', what, report, `add \`format:\`, one of ${listWords(REPORT_FORMATS)}`);
  const [format, file] = [entryOf(node, 'format'), entryOf(node, 'file')];
  const word = format && wordOf(format, REPORT_FORMATS, report);
  const path = file && textOf(file, report);
  return word && { format: word.value, ...defined({ file: path?.value }) };
}
