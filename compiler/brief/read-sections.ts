import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { readTemplate } from '../expression/template';
import { BRIEF_SECTION_ROWS } from '../language/mappings/brief';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { nameListHint } from '../shape/list-hint';
import { mappingOf, sequenceOf, textOf } from '../shape/values';
import { checkCount, MOST } from './limits';
import type { SectionKey } from './sections';

/** How the texts of a brief are read: in a pipeline they are templates, and a file has them as they are. */
export type TextForm = 'template' | 'literal';

export interface SectionSource {
  texts: readonly TemplateSyntax[];
  /** Each text is an entry of a list. */
  isList: boolean;
}

export interface SectionsSource {
  known: Partial<Record<SectionKey, SectionSource>>;
  /** Other sections, and the text above the first, under `''`. */
  others: readonly [heading: string, text: TemplateSyntax][];
}

/** Reads the sections of a brief, which are keys of it. */
export function readSections(node: MappingNode, form: TextForm, report: Report): SectionsSource {
  const known: SectionsSource['known'] = {};
  for (const { key } of BRIEF_SECTION_ROWS) {
    const entry = key === 'sections' ? undefined : entryOf(node, key);
    const section = entry && sectionOf(entry, form, report);
    if (key !== 'sections' && section && section.texts.length > 0) known[key] = section;
  }
  const sections = entryOf(node, 'sections');
  return { known, others: sections ? othersIn(sections, form, report) : [] };
}

function sectionOf(entry: Entry, form: TextForm, report: Report): SectionSource {
  const { value } = entry;
  const isList = value.kind !== 'scalar';
  const items = isList ? (sequenceOf(entry, report, 'a list of texts', nameListHint)?.items ?? []) : [value];
  return { isList, texts: items.flatMap((item) => textIn(entry, item, form, report)) };
}

function othersIn(entry: Entry, form: TextForm, report: Report): [heading: string, text: TemplateSyntax][] {
  const entries = mappingOf(entry, report, 'a mapping of headings to texts')?.entries ?? [];
  checkCount(
    'sections',
    entries.map(({ keyAt: at }) => ({ at })),
    MOST.sections,
    report,
  );
  return entries.flatMap((one): [string, TemplateSyntax][] => {
    if (one.value.kind === 'scalar' && one.value.text.trim() === '') return [];
    return textIn(one, one.value, form, report).map((text) => [one.key, text]);
  });
}

/** None if it is no text, which is reported. */
function textIn(entry: Entry, value: SourceNode, form: TextForm, report: Report): TemplateSyntax[] {
  const text = textOf({ ...entry, value }, report);
  if (!text || value.kind !== 'scalar') return [];
  const syntax = form === 'literal' ? [text.value] : readTemplate(value, report);
  return syntax ? [syntax] : [];
}
