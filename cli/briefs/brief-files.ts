import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { sourceText } from '../../compiler/diagnostics/diagnostic';
import { sha256 } from '../../compiler/freeze/blobs';
import { readMarkdownParts } from '../../compiler/read/markdown';
import { entryOf } from '../../compiler/read/node';
import { defined } from '../../plan/defined';
import { readSourceFile } from '../../worker/source-file';

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

function markdownIn(folder: string): string[] {
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
  return entries.filter((entry) => extname(entry) === '.md').map((entry) => join(folder, entry));
}

function readBriefFile(path: string): BriefFile[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
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
