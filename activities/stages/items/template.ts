import { resolve } from 'node:path';
import { jsonText } from '../../../plan/text/json-text';
import { flagText, type StageCall } from '../stage-call';
import { outputTooLarge, stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';
import { filterChain, filterWords } from './filter-words';
import { FILTERS } from './filters';
import { byPath, type Item } from './item';
import { replacePlaceholders } from './placeholders';

/** `template --text '…{{field.path | filter}}…'`, or `--file`, or the words themselves: for each item the text, filled in. */
export async function template(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const text = (flagText(call, 'text') || (await fileText(call, ports))) ?? call.words.join(' ');
  if (!text) throw stageFailed(call, 'template requires --text or --file (or positional text)');
  let left = ports.limitBytes;
  return items.map((item) => {
    const filled = replacePlaceholders(text, (expression) => asText(evaluate(call, expression, item, ports)));
    left -= filled.length;
    if (left < 0) throw outputTooLarge(call, ports.limitBytes);
    return filled;
  });
}

async function fileText(call: StageCall, ports: StagePorts): Promise<string | undefined> {
  const path = flagText(call, 'file');
  if (!path) return undefined;
  const text = await ports.files.read(resolve(ports.filesFrom ?? '.', path), ports.limitBytes);
  if (text === undefined) throw stageFailed(call, `template: there is no file ${path}`);
  return text === '' ? undefined : text;
}

function evaluate(call: StageCall, expression: string, item: Item, { limitBytes }: StagePorts): Item {
  const [path = '', ...filters] = filterChain(expression);
  let value = path === 'this' ? item : byPath(item, path);
  for (const written of filters) {
    const [name = '', ...words] = filterWords(written);
    const filter = FILTERS.get(name);
    if (!filter) throw stageFailed(call, `Unknown template filter: ${name}`, { filter: name, known: [...FILTERS.keys()] });
    value = filter(value, ...words);
    // A few replacements in a row could fill any memory.
    if (typeof value === 'string' && value.length > limitBytes) throw outputTooLarge(call, limitBytes);
  }
  return value;
}

function asText(value: Item): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonText(value);
}
