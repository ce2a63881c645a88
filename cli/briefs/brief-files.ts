import { readdirSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { isBriefFile } from '../../compiler/brief/brief-file';
import { sourceText } from '../../compiler/diagnostics/diagnostic';
import { sha256 } from '../../compiler/freeze/blobs';
import { readMarkdownParts } from '../../compiler/read/markdown';
import { entryOf } from '../../compiler/read/node';
import { defined } from '../../plan/defined';
import { readSourceFile, statIfReadable } from '../../worker/source-file';
import type { Configuration } from '../settings/configuration';

/** A brief's file, by what its front matter says. */
export interface BriefFile {
  path: string;
  project: string;
  briefId?: string;
  /** As a plan has it in `source`. */
  source: string;
}

/** The briefs in some folders: Markdown whose front matter has a `project`. */
export function briefFilesIn(folders: readonly string[]): BriefFile[] {
  return [...new Set(folders.flatMap(markdownIn))].flatMap(readBriefFile);
}

/** Where briefs are looked for: next to pipelines, in `briefs`, and in the current folder. */
export function briefFolders({ pipelines, root }: Pick<Configuration, 'pipelines' | 'root'>, cwd: string): string[] {
  return [...pipelines.value, join(root, 'briefs'), cwd];
}

/** The files that a name means: those with that name, else those of that project. */
export function briefsNamed(name: string, files: readonly BriefFile[]): string[] {
  const ofName = files.filter(({ path }) => parse(path).name === name);
  const ofProject = files.filter(({ project }) => project === name);
  return (ofName.length > 0 ? ofName : ofProject).map(({ path }) => path);
}

function markdownIn(folder: string): string[] {
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
  return entries.filter(isBriefFile).map((entry) => join(folder, entry));
}

function readBriefFile(path: string): BriefFile[] {
  if (!statIfReadable(path)) return [];
  const text = readSourceFile(path);
  // Mistakes are for `brief lint`.
  const head = readMarkdownParts(sourceText(path, text), () => undefined)?.head;
  const written = (key: string): string | undefined => {
    const value = head && entryOf(head, key)?.value;
    return value?.kind === 'scalar' && value.value !== null ? value.text : undefined;
  };
  const [project, briefId] = [written('project'), written('brief_id')];
  return project === undefined ? [] : [{ path, project, source: sha256(text), ...defined({ briefId }) }];
}
