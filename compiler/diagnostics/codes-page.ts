import { DIAGNOSTICS, type DiagnosticCode } from './codes';
import { severityOf } from './severity';

/** The text of docs/diagnostics.md. */
export function describeCodes(): string {
  const rows = Object.entries(DIAGNOSTICS).map(([code, doc]) => `| \`${code}\` | ${severityOf(code as DiagnosticCode)} | ${doc} |`);
  return [
    '# Diagnostics',
    '',
    'What `thermidor validate` can report about a pipeline or a script. Codes are permanent. A warning does not keep a',
    'pipeline from running. Every code has a case of its name in `test/cases/`. `--json` gives each mistake as data,',
    '`--format lines` as one line for [editors](editor.md); a file that another one names has the chain of',
    'files that lead to it.',
    '',
    'This page is made of `compiler/diagnostics/codes.ts` by `UPDATE=1 npx jest test/compiler/diagnostics-page`; a test',
    'keeps the two the same.',
    '',
    '| code | severity | what is wrong |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
