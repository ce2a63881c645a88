import { RECORD_FIELDS } from '../../plan/expressions/expression';
import type { Report } from '../diagnostics/diagnostic';
import type { SpanWithin } from '../read/offsets';
import type { Names } from './names';
import { parseExpression } from './parser';
import { resolveName } from './reference';
import type { Lookalike, NameSyntax, TemplateSyntax } from './syntax';

/**
 * References in a spelling that texts do not look up: `$draft.title`, `{{ ticker }}`, `%ticker%`. They stay in the text as they are. If the
 * name is one of the file's, this is probably a mistake, and a warning gives the spelling that works. Others are left alone: variables that
 * the shell or the script itself sets, templates of other programs, date formats.
 */
const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
const PATH = `(?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\[\\d{1,9}\\])*`;
const SPELLINGS: readonly { mark: string; pattern: RegExp }[] = [
  { mark: '$', pattern: new RegExp(`(?<![\\\\$\\w])\\$(${NAME})(${PATH})`, 'g') },
  { mark: '{{', pattern: new RegExp(`\\{\\{-?\\s*\\$?(${NAME})(${PATH})\\s*(?:\\|[^{}]*)?-?\\}\\}`, 'g') },
  // A single letter between two signs is a date or a number: `%d%m`.
  { mark: '%', pattern: new RegExp(`%(${NAME}[A-Za-z0-9_])(${PATH})%`, 'g') },
];

/** A piece of text, split so that whatever looks like a reference is a piece of its own. @param offset where the piece begins */
export function withLookalikes(stretch: string, offset: number, whole: string, spotOf: SpanWithin): TemplateSyntax {
  const found = SPELLINGS.flatMap(({ mark, pattern }) => (stretch.includes(mark) ? lookalikesIn(stretch, pattern) : []));
  if (found.length === 0) return stretch === '' ? [] : [stretch];
  found.sort((a, b) => a.start - b.start);
  const pieces: TemplateSyntax = [];
  let at = 0;
  for (const { start, text, name, path } of found) {
    if (start < at) continue;
    if (start > at) pieces.push(stretch.slice(at, start));
    const [from, to] = [offset + start, offset + start + text.length];
    pieces.push({ kind: 'lookalike', text, name, path, whole, start: from, spot: () => spotOf(from, to) });
    at = start + text.length;
  }
  if (at < stretch.length) pieces.push(stretch.slice(at));
  return pieces;
}

function lookalikesIn(stretch: string, pattern: RegExp): { start: number; text: string; name: string; path: string }[] {
  return [...stretch.matchAll(pattern)].map((match) => ({
    start: match.index,
    text: match[0],
    name: match[1] ?? '',
    path: match[2] ?? '',
  }));
}

/** Warns of a lookalike whose name is known in its place. */
export function checkLookalike(piece: Lookalike, names: Names, report: Report): void {
  const { text } = piece;
  if (text.startsWith('$') && isVariable(piece, names)) return;
  const written = candidates(piece).filter(([first, ...rest]) => isKnown(first ?? '', rest[0], names));
  if (written.length === 0) return;
  const meant = written.map((parts) => parts.join('.').replaceAll('.[', '[')).find((reference) => resolves(reference, names));
  const hint =
    meant === undefined ? `only \`\${…}\` is replaced in a text, with an expression between the braces` : `write \`\${${meant}}\``;
  report('template.not-looked-up', piece.spot(), `"${text}" stays in the text as it is`, hint);
}

/** Words that come before or after a step's or arg's name in other systems. */
const AROUND: ReadonlySet<string> = new Set([
  'steps',
  'tasks',
  'nodes',
  'outputs',
  'output',
  'inputs',
  'params',
  'parameters',
  'vars',
  'json',
  'result',
  'needs',
]);

/** What the writer may have meant, the simplest first: `steps.draft.outputs.title` is `draft.title`. */
function candidates({ text, name, path }: Lookalike): string[][] {
  const parts = path.match(/[A-Za-z_][A-Za-z0-9_-]*|\[\d+\]/g) ?? [];
  const whole = [name, ...parts];
  const plain = whole.filter((part) => !AROUND.has(part));
  const [first] = parts;
  const isRecord = first === 'stdout' || (text.startsWith('$') && RECORD_FIELDS.some((field) => field === first));
  const record = isRecord ? [[`$${name}`, ...parts]] : [];
  // In a shell `$draft-2` is the variable `draft` followed by two characters.
  const shorter = name.includes('-') ? [[name.split('-', 1)[0] ?? '']] : [];
  return [...record, ...(parts[0] === 'json' ? [] : [whole]), plain, plain.slice(0, 1), ...shorter].filter((parts) => parts.length > 0);
}

function isKnown(first: string, second: string | undefined, names: Names): boolean {
  const name = first.replace(/^\$/, '');
  if (name === 'args' || name === 'run') return second !== undefined && (name === 'run' || names.arg(second) !== undefined);
  return names.step(name) !== undefined || names.arg(name) !== undefined || names.variable(name) !== undefined;
}

/** Whether the reference would resolve in its text. */
function resolves(reference: string, names: Names): boolean {
  let faulty = false;
  const note: Report = () => {
    faulty = true;
  };
  const nowhere = { source: { file: '', text: '', lineStarts: [] }, start: 0, end: 0 };
  const syntax = parseExpression(reference, () => nowhere, note);
  return syntax?.kind === 'name' && resolveName(syntax satisfies NameSyntax, names, note) !== undefined && !faulty;
}

const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;

/** Whether `$name` is a variable: of the environment, or of the script itself. */
function isVariable({ name, whole, start }: Lookalike, names: Names): boolean {
  const variable = name.split('-', 1)[0] ?? name;
  if (names.environment.has(variable)) return true;
  if (names.inShell && (UPPER_CASE.test(variable) || isCommented(whole, start))) return true;
  return new RegExp(BINDINGS.map((binding) => binding.replace('NAME', variable)).join('|')).test(whole);
}

function isCommented(whole: string, start: number): boolean {
  return /^\s*#/.test(whole.slice(whole.lastIndexOf('\n', start) + 1, start));
}

/** How shells, jq, awk, Perl, PHP and PowerShell give a variable its value. */
const BINDINGS = [
  '(?:^|[\\s;&|(`\'"{:])\\$?NAME(?:\\[[^\\]]*\\])?\\s?[-+:.?]?=(?!=)',
  '\\b(?:for|foreach|select|in|as|my|our|local|export|readonly|declare|typeset|let|set|global)\\b[ (]+(?:-\\w+ +)?\\$?NAME\\b',
  '\\b(?:read|mapfile|readarray|getopts)\\b[^;|&\\n]*\\bNAME\\b',
  '(?:--arg|--argjson|--slurpfile|--rawfile|--set|-v|-A) +NAME\\b',
  '\\b(?:function|param|fn|sub)\\b[^){\\n]*\\(\\$?[^)\\n]*\\bNAME\\b',
];
