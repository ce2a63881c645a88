import { type Event, parseEvents, YAMLException } from 'js-yaml';
import type { DiagnosticCode } from '../diagnostics/codes';
import type { Report, SourceSpan, SourceText } from '../diagnostics/diagnostic';
import { secondDocument, severalDocuments } from './documents';
import type { MappingNode, SourceNode } from './node';
import { isText } from './text';
import { buildTree, DEPTH_LIMIT } from './tree';

export interface YamlFile {
  limitBytes?: number;
  /** How such a file may begin, as a hint for an empty one. @default that of a pipeline */
  begin?: string;
}

/**
 * Parses text to a tree. Never throws for a writer's mistake, whatever the text. Invariants: 1. the result is a mapping with unique text
 * keys; 2. walking the tree visits, aliases followed, at most 200,000 nodes more than the text has, at a depth of at most `DEPTH_LIMIT`; 3.
 * if the tree is missing, an error was reported.
 */
export function readYaml(
  source: SourceText,
  report: Report,
  { limitBytes, begin = 'name: my_pipeline' }: YamlFile = {},
): MappingNode | undefined {
  if (!isText(source, report, limitBytes)) return undefined;
  const events = parse(source, report);
  if (!events) return undefined;
  const root = buildTree(source, events, report);
  if (root === undefined) return undefined;
  if (root.kind === 'mapping') return root;
  const what = root.kind === 'sequence' ? 'a list' : root.value === null ? 'empty' : 'a single value';
  report(
    'yaml.not-a-mapping',
    root.at,
    `the file is ${what}, where a mapping of keys to values is expected`,
    `begin with a line like \`${begin}\``,
  );
  return undefined;
}

/** The tree of a text that is known to be JSON, for places in it; undefined if YAML reads it differently. Reports nothing. */
export function nodeOfJson(source: SourceText): SourceNode | undefined {
  const nothing = (): void => undefined;
  const events = parse(source, nothing);
  return events && buildTree(source, events, nothing);
}

const FAULTS: readonly [RegExp, DiagnosticCode, string, string?][] = [
  [/\btab\b/i, 'yaml.tab', 'the indentation contains a tab', 'indent with spaces'],
  [/maxDepth/, 'yaml.too-deep', `lists and mappings are nested more than ${DEPTH_LIMIT} deep`, 'flatten the file'],
  [
    /non-printable|null byte/,
    'yaml.control-character',
    'the text contains a character that cannot be printed',
    'delete it or, if you mean it, write it as an escape in double quotes',
  ],
];

function parse(source: SourceText, report: Report): Event[] | undefined {
  try {
    return parseEvents(source.text, { maxDepth: DEPTH_LIMIT });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const start = Math.min(error.mark?.position ?? 0, source.text.length);
    const second = secondDocument(source.text);
    // Mistakes after the first document do not matter.
    if (second && second.start <= start) {
      severalDocuments(source, second, report);
      return undefined;
    }
    const at: SourceSpan = { source, start, end: start + 1 };
    const known = FAULTS.find(([pattern]) => pattern.test(error.reason));
    if (known) report(known[1], at, known[2], known[3]);
    else report('yaml.syntax', at, `this is not YAML: ${error.reason}`, syntaxHint(source, start, error.reason));
    return undefined;
  }
}

function syntaxHint(source: SourceText, at: number, reason: string): string | undefined {
  const line = source.text.slice(source.text.lastIndexOf('\n', at - 1) + 1).split('\n', 1)[0] ?? '';
  if (/^\s*(- )?(when|condition)\s*:\s*!/.test(line)) return 'YAML reads a leading `!` as a tag: put the expression in quotes';
  if (/alias node/.test(reason)) return 'a text that begins with `*` needs quotes around it';
  if (/missed comma|in flow/.test(reason)) return 'within { } and [ ] a value that has a comma or a bracket in it needs quotes around it';
  if (/:\s.*:\s/.test(line)) return 'text that contains ": " needs quotes';
  return undefined;
}
