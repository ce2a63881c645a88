import type { BRIEF_SECTION_ROWS } from '../language/mappings/brief';
import type { HeadedText } from '../read/headings';

/** The sections of a brief, by their headings. */
export type SectionKey = Exclude<(typeof BRIEF_SECTION_ROWS)[number]['key'], 'sections'>;

/** What a heading may say, in lower case. */
const HEADINGS: Readonly<Record<SectionKey, readonly string[]>> = {
  objective: ['objective', 'objectives', 'goal', 'goals'],
  deliverables: ['deliverables', 'deliverable'],
  constraints: ['constraints', 'constraint'],
  tools_required: ['tools required', 'required tools', 'tools needed', 'tools'],
  notes: ['notes / unknowns', 'notes/unknowns', 'notes and unknowns', 'notes', 'unknowns'],
  context: ['context'],
  acceptance: ['acceptance', 'acceptance criteria'],
};

const KEYS: ReadonlyMap<string, SectionKey> = new Map(
  (Object.keys(HEADINGS) as SectionKey[]).flatMap((key) => HEADINGS[key].map((heading) => [heading, key] as const)),
);

/** The section that a heading begins: case, emphasis, a number before it and a colon behind it do not matter. */
export function sectionKey(heading: string): SectionKey | undefined {
  const words = heading
    .toLowerCase()
    .replace(/[*_`:]/g, '')
    .replace(/^\d+[.)]/, '');
  return KEYS.get(words.trim().replace(/\s+/g, ' '));
}

export interface BriefSection extends HeadedText {
  /** Absent: a section of the writer's own. */
  key?: SectionKey;
}

/**
 * The sections of a brief. A deeper heading within a known section that is not itself known belongs to that section's text, with its mark.
 */
export function sectionsOf(headings: readonly HeadedText[]): BriefSection[] {
  const found: BriefSection[] = [];
  for (const headed of headings) {
    const key = sectionKey(headed.heading.value);
    const open = found.at(-1);
    if (key === undefined && open?.key !== undefined && headed.level > open.level) open.text = upTo(open, headed);
    else found.push(key === undefined ? headed : { ...headed, key });
  }
  return found;
}

/** The text of the section with all that is below the deeper heading. */
function upTo(section: BriefSection, { heading, level, text }: HeadedText): BriefSection['text'] {
  const start = section.text.value === '' ? heading.at.start : section.text.at.start;
  const parts = [section.text.value, `${'#'.repeat(level)} ${heading.value}`, text.value].filter((part) => part !== '');
  return { value: parts.join('\n\n'), at: { ...section.text.at, start, end: Math.max(heading.at.end, text.at.end) } };
}
