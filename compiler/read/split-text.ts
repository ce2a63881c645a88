import type { Report } from '../diagnostics/diagnostic';
import type { Entry, MappingNode, SourceNode } from './node';

/**
 * Reports texts that a comma has split. A comma ends an unquoted text within { }, and YAML reads what follows it as keys without values:
 * `{run: echo a, b}` is `{run: echo a, b: null}`. Such keys are reported and removed.
 */
export function refuseSplitTexts(mapping: MappingNode, report: Report): void {
  let text: Entry | undefined;
  let pieces: Entry[] = [];
  const split = new Set<Entry>();
  const close = (): void => {
    if (text && pieces.length > 0) reportSplit(text, pieces, report);
    for (const piece of pieces) split.add(piece);
    pieces = [];
  };
  for (const entry of mapping.entries) {
    if (text && isPiece(entry, pieces.at(-1)?.keyAt.end ?? text.value.at.end)) pieces.push(entry);
    else {
      close();
      text = isPlainText(entry.value) ? entry : undefined;
    }
  }
  close();
  if (split.size > 0) mapping.entries = mapping.entries.filter((entry) => !split.has(entry));
}

function reportSplit({ key, value: { at } }: Entry, pieces: readonly Entry[], report: Report): void {
  const [first] = pieces;
  if (!first) return;
  const end = pieces.at(-1)?.keyAt.end ?? at.end;
  const whole = at.source.text.slice(at.start, end).replace(/\s+/g, ' ');
  const hint = `quote the text: \`${key}: ${JSON.stringify(whole)}\`; a key of its own needs a value: \`${first.key}: …\``;
  report('yaml.split-text', first.keyAt, `"${first.key}" has no value: within { } the comma before it ends the text of "${key}"`, hint);
}

function isPlainText(value: SourceNode): boolean {
  return value.kind === 'scalar' && value.style === 'plain' && typeof value.value === 'string';
}

/** Whether a key has no value and no colon, and only a comma before it. `end`: where the text before it ends. */
function isPiece({ keyAt, value }: Entry, end: number): boolean {
  if (value.kind !== 'scalar' || value.value !== null || value.at.start < value.at.end) return false;
  const { text } = keyAt.source;
  return /^\s*,\s*$/.test(text.slice(end, keyAt.start)) && !/^\s*:/.test(text.slice(keyAt.end, keyAt.end + FAR));
}
const FAR = 100;
