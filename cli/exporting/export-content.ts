import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ThermidorFailure } from '../../plan/run/failure';
import { beginning } from '../../plan/text/shortened';
import type { ExportedFile } from '../../records/exports/export-manifest';
import { PortableNames } from '../../records/exports/portable-name';
import type { ExportWriter } from '../../records/exports/write-export';
import type { Records } from '../../records/records';
import type { NamedContent } from './named-content';

/** An output in an export. */
export interface ExportedContent {
  file: ExportedFile;
  /** The beginning of a text, for the page; absent: it is no text, or the page has enough of them. */
  beginning?: string;
}

export interface ExportedContents {
  /** By the digest in the store. */
  files: ReadonlyMap<string, ExportedContent>;
  missing: string[];
  /** A document with the digests of what was masked, by which the export has it. */
  rewritten(text: string): string;
}

/** How much of a text the page shows, and of all of them. */
export const SHOWN_CHARACTERS = 16_000;
const SHOWN_IN_ALL = 4_000_000;

/** Writes outputs, one in memory at a time, without the values of secrets: the store has them as they came. */
export async function exportContents(
  writer: ExportWriter,
  { artifacts }: Pick<Records, 'artifacts'>,
  contents: Iterable<NamedContent>,
  mask: (text: string) => string,
): Promise<ExportedContents> {
  const files = new Map<string, ExportedContent>();
  const byDigest = new Map<string, ExportedContent>();
  const masked = new Map<string, string>();
  const missing: string[] = [];
  const names = new PortableNames();
  let room = SHOWN_IN_ALL;
  for (const { sha256: was, mediaType, name, byDigest: maybeNone } of contents) {
    const stored = await unlessMissing(() => artifacts.get({ sha256: was }));
    if (stored === undefined) {
      if (!maybeNone) missing.push(was);
      continue;
    }
    const text = isUtf8(stored) ? stored.toString('utf8') : undefined;
    const shown = text === undefined ? undefined : mask(text);
    const bytes = shown === undefined || shown === text ? stored : Buffer.from(shown);
    const sha256 = bytes === stored ? was : createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== was) masked.set(was, sha256);
    const known = byDigest.get(sha256);
    if (known) {
      files.set(was, known);
      continue;
    }
    const holds = {
      kind: 'artifact' as const,
      mediaType,
      ...(name === undefined ? {} : { name }),
      ...(sha256 === was ? {} : { masked: was }),
    };
    const file = await writer.add(`artifacts/${names.take(name, sha256)}`, [bytes], holds);
    const first = maybeNone || shown === undefined ? undefined : beginning(shown, SHOWN_CHARACTERS);
    const content: ExportedContent = first !== undefined && first.length <= room ? { file, beginning: first } : { file };
    if (content.beginning !== undefined) room -= content.beginning.length;
    files.set(was, content);
    byDigest.set(sha256, content);
  }
  return {
    files,
    missing,
    rewritten: (text) => (masked.size === 0 ? text : text.replace(/"([0-9a-f]{64})"/g, (_, was: string) => `"${masked.get(was) ?? was}"`)),
  };
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}
