import { type Located, type Report, sourceText, topOf } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { readMarkdown } from '../read/markdown';
import { entryOf } from '../read/node';
import { headOf } from '../shape/keys';
import { textOf } from '../shape/values';
import { besideFile, type Sources } from '../sources';
import { filesOfSkill, SKILL_FILE } from './skill-files';

/** A folder of instructions that an agent loads by name, with every file's text by its path within the folder. */
export interface LoadedSkill {
  name: string;
  description: string;
  files: ReadonlyMap<string, string>;
}

/** The skills in a pipeline's folder: `skills/<name>/SKILL.md`. A folder is read when it is first named. */
export interface Skills {
  /** The skills that an agent lists, without those that have mistakes, which are reported. */
  of(listed: readonly Located<string>[], report: Report): LoadedSkill[];
}

/** Folder names of the open format, and our own in addition. */
const SKILL_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** The limit of a description, which is in every prompt of the agent. */
const DESCRIPTION_LIMIT = 1024;

export function loadSkills(file: string, sources: Sources): Skills {
  const folder = besideFile(file, 'skills');
  return {
    of(listed, report) {
      const seen = new Set<string>();
      return listed.flatMap(({ value, at }) => {
        if (seen.has(value)) return [];
        seen.add(value);
        const path = `${folder}/${value}/${SKILL_FILE}`;
        const text = SKILL_NAME.test(value) ? sources.read(path) : undefined;
        if (text === undefined) {
          report('skill.unknown', at, `there is no skill "${value}": ${path} is not there`, () => {
            const known = sources.list(folder).map((name) => name.split('/')[0] ?? name);
            return didYouMean(value, known, known.length > 0 ? `known: ${[...new Set(known)].join(', ')}` : `make ${path}`);
          });
          return [];
        }
        const source = sourceText(path, text, at);
        const about = readAbout(value, source, report);
        const files = filesOfSkill(`${folder}/${value}`, topOf(source), sources, report);
        return about !== undefined && files ? [{ name: value, description: about, files }] : [];
      });
    },
  };
}

/** The description at the head of a `SKILL.md`. Other keys of the format grant nothing and limit nothing here. */
function readAbout(name: string, source: ReturnType<typeof sourceText>, report: Report): string | undefined {
  const read = readMarkdown(source, report);
  if (!read) return undefined;
  const { head, body } = read;
  const [named, description] = [entryOf(head, 'name'), entryOf(head, 'description')];
  for (const [key, entry] of [['name', named] as const, ['description', description] as const]) {
    if (entry) continue;
    const at = head.entries.length > 0 ? headOf(head) : head.at;
    report('shape.missing-key', at, `skill "${name}" has no "${key}"`, `add \`${key}:\` between two lines of \`---\` at its head`);
  }
  const own = named && textOf(named, report);
  if (own && own.value !== name)
    report('skill.wrong-name', own.at, `this is skill "${name}", not "${own.value}"`, `write \`name: ${name}\`, or rename the folder`);
  const text = description && textOf(description, report);
  if (body.value === '') report('shape.missing-key', body.at, `skill "${name}" has no instructions`, 'write them below the keys');
  if (!text) return undefined;
  if (text.value.length <= DESCRIPTION_LIMIT) return text.value.trim();
  report('shape.out-of-range', text.at, `"description" has ${text.value.length} characters, more than ${DESCRIPTION_LIMIT}`, 'shorten it');
  return undefined;
}
