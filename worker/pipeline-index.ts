import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { load } from 'js-yaml';
import { isTeamFile, TEAM_TELLS } from '../compiler/language/team-file';
import { errorCode } from '../plan/error-code';
import { field, isJsonObject } from '../plan/text/json';
import { readSourceFile, statIfReadable } from './source-file';

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/**
 * The names of pipelines and their files, for all files of some folders. A file is read again only when it has changed. Only the name is
 * read, so that a file with mistakes is found too and its mistakes are reported.
 */
export class PipelineIndex {
  private readonly known = new Map<string, { stamp: string; name: string | undefined }>();

  constructor(private readonly folders: readonly string[]) {}

  /** Files by name, in the folders' order. */
  files(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const folder of this.folders) {
      for (const file of filesOf(folder)) {
        const name = this.nameOf(file);
        if (name !== undefined) found.set(name, [...(found.get(name) ?? []), file]);
      }
    }
    return found;
  }

  /** Folders that are there and cannot be read, each with the reason. Others go on without their files. */
  unread(): string[] {
    return this.folders.flatMap((folder) => {
      const { problem } = namesIn(folder);
      return problem === undefined ? [] : [`${folder} cannot be read (${problem})`];
    });
  }

  /** The same of teams alone. */
  teams(): Map<string, string[]> {
    const teams = [...this.files()].map(([name, files]) => [name, files.filter((file) => isTeamText(readSourceFile(file)))] as const);
    return new Map(teams.filter(([, files]) => files.length > 0));
  }

  private nameOf(file: string): string | undefined {
    const stat = statIfReadable(file);
    if (!stat) return undefined;
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    const before = this.known.get(file);
    if (before?.stamp === stamp) return before.name;
    const name = readName(readSourceFile(file));
    this.known.set(file, { stamp, name });
    return name;
  }
}

function filesOf(folder: string): string[] {
  const { names } = namesIn(folder);
  return names.filter((name) => EXTENSIONS.includes(extname(name))).map((name) => join(folder, name));
}

/** A folder that is not there has no names: it may be made later. */
function namesIn(folder: string): { names: string[]; problem?: string } {
  try {
    return { names: statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [] };
  } catch (error) {
    return { names: [], problem: errorCode(error) ?? String(error) };
  }
}

function isTeamText(text: string): boolean {
  try {
    const parsed: unknown = load(text);
    return isJsonObject(parsed) && isTeamFile(Object.keys(parsed));
  } catch {
    // One with mistakes is a team if it looks like one.
    return !/^steps:/m.test(text);
  }
}

const NAME_LINE = /^name:[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#"'][^#\n]*?))[ \t]*(?:#.*)?\r?$/m;

/** Keys of which a pipeline's file has one, and other files next to it none: a team has members or a lead. */
const TELLS = ['steps', ...TEAM_TELLS];
const TELL_LINE = new RegExp(`^(?:${TELLS.join('|')}):`, 'm');

/** The `name:` of a pipeline's text; a file without steps, or a team in it, is no pipeline. */
export function readName(text: string): string | undefined {
  const line = NAME_LINE.exec(text);
  if (line && TELL_LINE.test(text)) return line[1] ?? line[2] ?? line[3];
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const parsed: unknown = load(text);
    const name = field(parsed, 'name');
    return typeof name === 'string' && TELLS.some((key) => field(parsed, key) !== undefined) ? name : undefined;
  } catch {
    return undefined;
  }
}
