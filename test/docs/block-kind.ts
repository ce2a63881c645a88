import { load } from 'js-yaml';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { Block } from './block';

/** The kind of a block, judged by what a reader sees: its language, its first line, the sentence before it. */
export type BlockKind =
  /** A whole file: it works as it stands, together with the other files of its page. */
  | { kind: 'file'; path: string; text: string }
  /** Steps of a pipeline, and what they need around them. */
  | { kind: 'steps'; needs: readonly Need[] }
  /** A part of a file that is in the repository, or of a kind of file. */
  | { kind: 'part'; of: string }
  /** JSON that is not a file, such as an answer. */
  | { kind: 'data' }
  /** Command lines to be typed. */
  | { kind: 'commands' }
  /** Command lines with what they print. */
  | { kind: 'capture' }
  /** Text that is only shown: nobody types or runs it. */
  | { kind: 'text' };

export interface Need {
  what: 'step' | 'agent' | 'arg' | 'file';
  name: string;
}

export const HOW_TO_WRITE =
  'begin it with `# path/of/the/file.yaml`, with `# a part of path`, or, for steps, with `# needs: step draft; agents writer, editor`; ' +
  'name the file of JSON in the sentence before it; write ```sh for command lines, ```text for what is only shown; begin a capture with `$ `';

/** The kind of a block; undefined if a reader cannot know it. */
export function kindOf(block: Block): BlockKind | undefined {
  const { language, text } = block;
  switch (language) {
    case 'yaml':
      return yamlKind(text);
    case 'markdown':
      return headed(text, /^<!-- (\S+) -->\n/, true);
    case 'ts':
    case 'js':
      return headed(text, /^\/\/ (\S+)\n/) ?? partOf(text, /^\/\/ a part of (\S+)\n/);
    case 'json':
      return jsonKind(block);
    case 'sh':
      return { kind: 'commands' };
    case 'text':
      return { kind: 'text' };
    case '':
      return text.startsWith('$ ') ? { kind: 'capture' } : undefined;
    default:
      return undefined;
  }
}

function yamlKind(text: string): BlockKind | undefined {
  const marked = headed(text, /^# ([\w./-]+\.\w+)\n/) ?? partOf(text, /^ *# a part of (\S+)\n/);
  if (marked) return marked;
  const value: unknown = load(text);
  if (Array.isArray(value)) return { kind: 'steps', needs: needsOf(text) };
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['steps'])) return undefined;
  return { kind: 'file', path: `${value['name']}.yaml`, text };
}

/** The text of the file. Its comment with the file's name stays unless such a file has to begin with something else. */
function headed(text: string, head: RegExp, dropped = false): BlockKind | undefined {
  const [line, path] = head.exec(text) ?? [];
  if (line === undefined || path === undefined) return undefined;
  return { kind: 'file', path, text: dropped ? text.slice(line.length) : text };
}

function partOf(text: string, head: RegExp): BlockKind | undefined {
  const of = head.exec(text)?.[1];
  return of === undefined ? undefined : { kind: 'part', of };
}

/** JSON has no comments: the sentence before it names the file. */
function jsonKind({ text, before }: Block): BlockKind {
  JSON.parse(text) as Json;
  const path = [...before.matchAll(/`([\w./-]+\.json)`/g)].at(-1)?.[1];
  return path === undefined ? { kind: 'data' } : { kind: 'file', path, text };
}

/** `# needs: step draft; agents writer, editor; file child.yaml` */
function needsOf(text: string): Need[] {
  const listed = /^# needs: (.+)\n/.exec(text)?.[1];
  return (listed?.split('; ') ?? []).flatMap((group) => {
    const [, what, names = ''] = /^(step|agent|arg|file)s? (.+)$/.exec(group) ?? [];
    if (what !== 'step' && what !== 'agent' && what !== 'arg' && what !== 'file') throw new Error(`what is needed by "${group}"?`);
    return names.split(', ').map((name) => ({ what, name }));
  });
}
