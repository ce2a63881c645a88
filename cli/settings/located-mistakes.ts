import { locationOf, type SourceLocation, type SourceSpan, sourceText } from '../../compiler/diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../../compiler/read/node';
import { readYaml } from '../../compiler/read/yaml';
import type { Mistake } from './fields';

/** A mistake with where it is. Without a place where the text is none that the compiler reads, such as one with a tag of its own. */
export interface LocatedMistake extends Mistake {
  place?: SourceLocation;
}

/** In the order of the text, those without a place last. Looked for only where something is wrong: reading a file of settings stays cheap. */
export function locateMistakes(file: string, text: string, mistakes: readonly Mistake[]): LocatedMistake[] {
  const source = sourceText(file, text);
  const root = readYaml(source, () => undefined);
  const spots = new Map<string, Entry>();
  if (root) collect(root, '', spots);
  const found = mistakes.map((mistake) => ({ mistake, spot: spotOf(mistake, spots) }));
  found.sort((a, b) => (a.spot?.start ?? text.length) - (b.spot?.start ?? text.length));
  return found.map(({ mistake, spot }) => (spot ? { ...mistake, place: locationOf(spot) } : mistake));
}

/** `file:line:column: what is wrong; what to do about it`. */
export function mistakeLine(file: string, { place, says, hint }: LocatedMistake): string {
  return `${describeLocation(file, place)}: ${says}${hint === undefined ? '' : `; ${hint}`}`;
}

export function describeLocation(file: string, place: SourceLocation | undefined): string {
  return place === undefined ? file : `${file}:${place.line}:${place.column}`;
}

interface Entry {
  keyAt: SourceSpan;
  value: SourceNode;
}

/** Keys as readers name them, with dots. Where a key with a dot in it reads as two, the first that is met counts: both are near. */
function collect(node: MappingNode, path: string, found: Map<string, Entry>): void {
  for (const { key, keyAt, value } of node.entries) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!found.has(at)) found.set(at, { keyAt, value });
    if (value.kind === 'mapping') collect(value, at, found);
  }
}

/** A mapping is shown by its key: where it begins there is another key. */
function spotOf({ path, ofKey }: Mistake, spots: ReadonlyMap<string, Entry>): SourceSpan | undefined {
  const entry = spots.get(path);
  if (!entry) return undefined;
  const { keyAt, value } = entry;
  const isEmpty = value.kind === 'scalar' && value.text === '';
  return ofKey || value.kind === 'mapping' || isEmpty ? keyAt : value.at;
}
