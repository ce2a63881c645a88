import { readPage } from './page';

/** A fenced block of a page, as a reader sees it. */
export interface Block {
  page: string;
  /** Line of its fence, from 1. */
  line: number;
  /** All that comes after the fence; `''` for nothing. */
  language: string;
  /** The text without the fences, and without the indent of a list around it. */
  text: string;
  /** The paragraph before it. */
  before: string;
}

/** Every block of a page, in order. Fails if a fence has no end. */
export function blocksOfPage(page: string): Block[] {
  const lines = readPage(page).split('\n');
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [, indent, fence, language] = /^( *)(`{3,}|~{3,})(.*)$/.exec(lines[i] ?? '') ?? [];
    if (indent === undefined || fence === undefined || language === undefined) continue;
    const end = lines.findIndex((line, at) => at > i && line === `${indent}${fence}`);
    if (end < 0) throw new Error(`${page}:${i + 1}: the block has no end`);
    const text = lines.slice(i + 1, end).map((line) => `${line.slice(indent.length)}\n`);
    blocks.push({ page, line: i + 1, language, text: text.join(''), before: paragraphBefore(lines, i) });
    i = end;
  }
  return blocks;
}

export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

function paragraphBefore(lines: readonly string[], fence: number): string {
  let end = fence;
  while (end > 0 && lines[end - 1]?.trim() === '') end--;
  let start = end;
  while (start > 0 && lines[start - 1]?.trim() !== '') start--;
  return lines.slice(start, end).join('\n');
}

/** The commands on a page that begin with these words. Fails if the page has none. */
export function blockOf(page: string, beginning: string): Block {
  const found = blocksOfPage(page).find(({ language, text }) => language === 'sh' && text.startsWith(beginning));
  if (!found) throw new Error(`${page} has no block that begins with ${beginning}`);
  return found;
}
