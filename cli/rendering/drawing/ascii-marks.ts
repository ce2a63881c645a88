/** The replacements for marks on a terminal without Unicode: one character for one, so that nothing moves. */
const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'┌┐└┘├┤┬┴┼╮╯'].map((mark) => [mark, '+'])),
  ...{ '╭': '.', '╮': '.', '╰': "'", '╯': "'", '─': '-', '│': '|', '┆': ':', '∥': '=', '◄': '<', '►': '>', '↺': '@', '…': '~', '–': '-' },
  ...{ '✓': '+', '✗': 'x', '▸': '>', '·': '.', '’': "'" },
};

export function plainMarks(line: string): string {
  return line.replace(/[^ -~]/gu, (mark) => PLAIN[mark] ?? mark);
}

/** Whether a terminal of this environment shows Unicode, judged by its locale. */
export function hasUnicode(env: NodeJS.ProcessEnv): boolean {
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}
