import type { Diagnostic } from './diagnostic';
import { printable } from './printable';

/**
 * Diagnostics as people read them: place and code, what is wrong, the line with a caret, what to do. Control characters of the source are
 * not passed on to the terminal.
 */
export interface FormatOptions {
  /** ANSI colours. @default false */
  color?: boolean;
}

type Paint = (text: string) => string;
const WINDOW = 120;

export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions = {}): string {
  const style =
    (code: number): Paint =>
    (text) =>
      options.color ? `\u001b[${code}m${text}\u001b[0m` : text;
  return diagnostics.map((d) => formatOne(d, style)).join('\n');
}

function formatOne(d: Diagnostic, style: (code: number) => Paint): string {
  const alarm = style(d.severity === 'error' ? 31 : 33);
  const label = d.severity === 'warning' ? `${d.code} (warning)` : d.code;
  const lines = [`${style(1)(`${d.file}:${d.line}:${d.column}`)}  ${alarm(label)}`, `  ${printable(d.message)}`];
  if (d.sourceLine !== undefined && d.sourceLine.trim() !== '') {
    const { shown, before, width } = aroundCaret(d.sourceLine, d.column, d.endColumn);
    const number = String(d.line);
    const gutter = ' '.repeat(number.length);
    lines.push(`${style(2)(`${number} |`)} ${shown}`, `${style(2)(`${gutter} |`)} ${before}${alarm('^'.repeat(width))}`);
  }
  if (d.hint !== undefined) lines.push(`  ${style(36)('hint:')} ${printable(d.hint)}`);
  for (const { file, line, column } of d.includedFrom ?? [])
    lines.push(`  ${style(2)(`included from ${printable(file)}:${line}:${column}`)}`);
  return `${lines.join('\n')}\n`;
}

/** Cuts a long line around the caret, and gives the blanks before the caret. */
function aroundCaret(line: string, column: number, endColumn: number): { shown: string; before: string; width: number } {
  const from = column > WINDOW - 20 ? column - 40 : 0;
  const cut = line.slice(from, from + WINDOW);
  const head = from > 0 ? '… ' : '';
  const tail = from + WINDOW < line.length ? ' …' : '';
  const before = [...cut.slice(0, column - 1 - from)].map((char) => (isWide(char) ? '  ' : ' ')).join('');
  const marked = [...cut.slice(column - 1 - from, endColumn - 1 - from)];
  const width = Math.max(
    1,
    marked.reduce((sum, char) => sum + (isWide(char) ? 2 : 1), 0),
  );
  return { shown: `${head}${printable(cut)}${tail}`, before: `${' '.repeat(head.length)}${before}`, width };
}

/** East Asian wide characters and emoji take two columns of a terminal. */
function isWide(char: string): boolean {
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
    char,
  );
}
