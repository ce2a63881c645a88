import { basename } from 'node:path';
import { load } from 'js-yaml';
import { isJsonObject } from '../../plan/text/json';
import { writeFiles } from '../support/scratch-folder';
import { type Block, blocksOfPage } from './block';
import { kindOf } from './block-kind';

/** A whole file of a page. */
export interface PrintedFile {
  block: Block;
  path: string;
  text: string;
  sort: 'pipeline' | 'tests' | 'settings' | 'agent' | 'script' | 'skill' | 'schema' | 'code' | 'other';
}

export function filesOf(page: string): PrintedFile[] {
  return blocksOfPage(page).flatMap((block) => {
    const kind = kindOf(block);
    return kind?.kind === 'file' ? [{ block, path: kind.path, text: kind.text, sort: sortOf(kind.path, kind.text) }] : [];
  });
}

function sortOf(path: string, text: string): PrintedFile['sort'] {
  if (basename(path) === 'thermidor.yaml') return 'settings';
  if (/\.test\.ya?ml$/.test(path)) return 'tests';
  if (/\.(?:ts|mjs|js)$/.test(path)) return 'code';
  if (/\.schema\.json$/.test(path)) return 'schema';
  const folder = /(?:^|\/)(agents|scripts|skills)\//.exec(path)?.[1];
  if (folder === 'agents') return 'agent';
  if (folder === 'scripts') return 'script';
  if (folder === 'skills') return 'skill';
  const value: unknown = /\.(?:ya?ml|lobster)$/.test(path) ? load(text) : undefined;
  return isJsonObject(value) && 'steps' in value ? 'pipeline' : 'other';
}

/**
 * The files that a reader who tries one out has: for each path, the version that the page printed last before it, else the first one after
 * it. The caller chooses the settings, because a page prints several that do not belong together.
 */
export function besides(file: PrintedFile, files: readonly PrintedFile[]): PrintedFile[] {
  const chosen = new Map<string, PrintedFile>();
  for (const one of files) if (one.block.line <= file.block.line || !chosen.has(one.path)) chosen.set(one.path, one);
  return [...chosen.values()].filter(({ sort }) => sort !== 'settings');
}

/** The settings on its page, the nearest first; the last choice is none. */
export function settingsFor(file: PrintedFile, files: readonly PrintedFile[]): (PrintedFile | undefined)[] {
  const settings = files.filter(({ sort }) => sort === 'settings');
  const before = settings.filter(({ block }) => block.line < file.block.line).reverse();
  return [...before, undefined, ...settings.filter((one) => !before.includes(one))];
}

/** Works in a new folder with these files alone. */
export async function inFolder<T>(files: readonly Pick<PrintedFile, 'path' | 'text'>[], work: (folder: string) => Promise<T>): Promise<T> {
  const folder = writeFiles(Object.fromEntries(files.map(({ path, text }) => [path, text])));
  const home = process.cwd();
  try {
    // Commands of a pipeline run in the folder in which the tests run.
    process.chdir(folder);
    return await work(folder);
  } finally {
    process.chdir(home);
  }
}
