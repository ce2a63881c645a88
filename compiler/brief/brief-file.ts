import type { Located, Report, SourceSpan, SourceText } from '../diagnostics/diagnostic';
import { nearest } from '../diagnostics/suggest';
import { BRIEF_HEAD_ROWS, BRIEF_SECTION_ROWS } from '../language/mappings/brief';
import { NAME } from '../language/patterns';
import { spellings } from '../language/row';
import { headingsIn, textAboveHeadings } from '../read/headings';
import { type Made, madeNode } from '../read/made-node';
import { readMarkdownParts } from '../read/markdown';
import { type Entry, entryOf, type MappingNode, type ScalarNode } from '../read/node';
import { checkKeys } from '../shape/keys';
import type { BriefStart } from './flags';
import { PASSED_OVER } from './passed-over';
import { type BriefSection, type SectionKey, sectionsOf } from './sections';

const HEAD_KEYS: readonly string[] = [...spellings(BRIEF_HEAD_ROWS), ...PASSED_OVER.map(({ key }) => key)];

/** Sections without which a brief is refused. */
const REQUIRED = { objective: 'Objective', deliverables: 'Deliverables' } as const satisfies Partial<Record<SectionKey, string>>;

/** Notes and unknowns are one section, under whichever of its headings. */
const MANY: readonly SectionKey[] = ['notes'];

/**
 * A brief's file, Markdown with front matter, in the form that a brief has within a pipeline: sections are keys of their own. A required
 * section that is missing is reported, and its key is there, so that it is not reported again. Undefined if the front matter cannot be
 * read; the mistakes of the sections are reported all the same.
 */
export function briefNode(source: SourceText, report: Report): MappingNode | undefined {
  const read = readMarkdownParts(source, report, 'project: my-project');
  if (!read) return undefined;
  refuseControlCharacters(read.body, report);
  const sections = sectionEntries(read.body, report);
  if (!read.head) return undefined;
  const elsewhere = spellings(BRIEF_SECTION_ROWS);
  const belongs = (key: string): string => `write it below the front matter: a heading \`# ${titleOf(key)}\`, and the text`;
  checkKeys(read.head, { what: 'the front matter of a brief', known: HEAD_KEYS, elsewhere, belongs }, report);
  // A key without a value is as if it were absent.
  const isWritten = ({ value }: Entry): boolean => value.kind !== 'scalar' || value.value !== null;
  const head = read.head.entries.filter((entry) => HEAD_KEYS.includes(entry.key) && isWritten(entry));
  return { ...read.head, entries: [...head, ...sections] };
}

/** The id of the step of a brief's file. */
const BRIEF_STEP = 'brief';

/**
 * A brief's file is a pipeline of one brief step. It has the name of its project, if that can be one, and another if only a plan is to be
 * made. Undefined if the front matter cannot be read.
 */
export function briefPipeline(source: SourceText, report: Report, start?: BriefStart): MappingNode | undefined {
  const brief = briefNode(source, report);
  if (!brief) return undefined;
  const { at } = brief;
  const made = (key: string, value: Made): Entry => ({ key, keyAt: at, value: madeNode(value, at) });
  const project = entryOf(brief, 'project')?.value;
  const named = project?.kind === 'scalar' ? project.text : '';
  const names = [named, `${BRIEF_STEP}-${named}`, BRIEF_STEP].map((one) => (start?.until === 'plan' ? `${one}-plan` : one));
  const name = made('name', names.find((one) => NAME.test(one)) ?? BRIEF_STEP);
  const step: MappingNode = { kind: 'mapping', at, entries: [made('id', BRIEF_STEP), { key: 'brief', keyAt: at, value: brief }] };
  return { kind: 'mapping', at, entries: [name, made('steps', [step])] };
}

/** Whether a file is a brief by its name. */
export function isBriefFile(file: string): boolean {
  return /\.(?:md|markdown)$/i.test(file);
}

/** The text goes to agents and to terminals. */
function refuseControlCharacters({ value, at }: Located<string>, report: Report): void {
  const found = /[^\P{Cc}\t\r\n]/u.exec(value);
  if (!found) return;
  const start = at.start + found.index;
  report('yaml.control-character', { ...at, start, end: start + 1 }, 'the text contains a character that cannot be printed', 'delete it');
}

function sectionEntries(body: Located<string>, report: Report): Entry[] {
  const sections = sectionsOf(headingsIn(body));
  const entries = new Map<SectionKey, Entry>();
  const others: Entry[] = [];
  const above = textAboveHeadings(body);
  if (above.value !== '') others.push({ key: '', keyAt: { ...above.at, end: above.at.start }, value: textNode(above) });
  for (const { key, heading, text } of sections) {
    const before = key && entries.get(key);
    if (key === undefined) others.push({ key: heading.value, keyAt: heading.at, value: textNode(text) });
    else if (text.value !== '') {
      if (before && !MANY.includes(key)) {
        const message = `the section "${titleOf(key)}" appears twice, and both texts count`;
        report('brief.same-section', heading.at, message, 'write it once, or give one of the two another heading');
      }
      entries.set(key, { key, keyAt: before?.keyAt ?? heading.at, value: textNode(joined(before?.value, text)) });
    }
  }
  for (const key of Object.keys(REQUIRED) as (keyof typeof REQUIRED)[]) {
    if (!entries.has(key)) entries.set(key, missing(key, sections, body, report));
  }
  const unsaid = sections.find(({ key }) => key === 'constraints');
  if (unsaid && !entries.has('constraints')) entries.set('constraints', emptyEntry('constraints', unsaid.heading.at));
  const kept: Entry[] =
    others.length === 0 ? [] : [{ key: 'sections', keyAt: body.at, value: { kind: 'mapping', at: body.at, entries: others } }];
  return [...entries.values(), ...kept];
}

/** Two sections of the same name are one. */
function joined(before: Entry['value'] | undefined, text: Located<string>): Located<string> {
  if (before?.kind !== 'scalar') return text;
  return { value: `${before.text}\n\n${text.value}`, at: before.at };
}

function missing(key: keyof typeof REQUIRED, sections: readonly BriefSection[], body: Located<string>, report: Report): Entry {
  const title = REQUIRED[key];
  const empty = sections.find((section) => section.key === key);
  const own = sections.filter((section) => section.key === undefined);
  const near = nearest(
    title,
    own.map(({ heading }) => heading.value),
  );
  const alike = own.find(({ heading }) => heading.value === near);
  const at: SourceSpan = empty?.heading.at ?? alike?.heading.at ?? { ...body.at, end: body.at.start };
  if (empty) report('brief.no-section', at, `the section "${title}" is empty`, 'write it below the heading');
  else
    report(
      'brief.no-section',
      at,
      `the brief has no section "${title}"`,
      alike ? `did you mean "${title}"?` : `add a heading \`# ${title}\`, and text below it`,
    );
  return emptyEntry(key, at);
}

/** A section without a text, as one that was reported where it is: it has a place, and counts as absent. */
function emptyEntry(key: SectionKey, at: SourceSpan): Entry {
  return { key, keyAt: at, value: { ...textNode({ value: '', at }), faulty: true } };
}

function textNode({ value, at }: Located<string>): ScalarNode {
  return { kind: 'scalar', at, value, text: value, style: 'literal', indent: 0 };
}

/** `tools_required` is "Tools required". */
function titleOf(key: string): string {
  return `${key.slice(0, 1).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;
}
