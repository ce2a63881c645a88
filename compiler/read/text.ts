import { type Report, type SourceText, topOf } from '../diagnostics/diagnostic';
import { SOURCE_LIMIT_BYTES } from '../sources';

/** The character that replaces bytes which are not UTF-8. */
const NO_UTF8 = '\uFFFD';

/** Whether a file is what it should be: text small enough to be kept with a run. Otherwise the reason has been reported. */
export function isText(source: SourceText, report: Report, limitBytes = SOURCE_LIMIT_BYTES): boolean {
  if (Buffer.byteLength(source.text) > limitBytes) {
    const message = `the file is larger than ${limitBytes / (1024 * 1024)} MiB`;
    report('yaml.too-large', topOf(source), message, 'split it, or move long texts into files of their own');
    return false;
  }
  const start = source.text.indexOf(NO_UTF8);
  if (start === -1) return true;
  report('yaml.bad-encoding', { source, start, end: start + 1 }, 'the file is not UTF-8: this byte is invalid', 'save it as UTF-8');
  return false;
}
