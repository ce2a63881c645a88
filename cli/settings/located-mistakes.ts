import { locationOf, type SourceLocation, type SourceSpan, sourceText } from '../../compiler/diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../../compiler/read/node';
import { readYaml } from '../../compiler/read/yaml';
import type { Mistake } from './fields';

/** A mistake with its place. There is none if the compiler cannot read the text, for example one with a tag of its own. */
export interface LocatedMistake extends Mistake {
  place?: SourceLocation;
}

/**
 * Mistakes in the order of the text, those without a place last. Places are searched only if something is wrong: reading a file of settings
 * stays cheap.
 */
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

/** Collects keys as readers name them, with dots. If a key with a dot in it reads as two, the first match counts: both are near. */
function collect(node: MappingNode, path: string, found: Map<string, Entry>): void {
  for (const { key, keyAt, value } of node.entries) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!found.has(at)) found.set(at, { keyAt, value });
    if (value.kind === 'mapping') collect(value, at, found);
  }
}

/** The place of a mistake. A mapping is shown by its key, because another key is where it begins. */
function spotOf({ path, ofKey }: Mistake, spots: ReadonlyMap<string, Entry>): SourceSpan | undefined {
  const entry = spots.get(path);
  if (!entry) return undefined;
  const { keyAt, value } = entry;
  const isEmpty = value.kind === 'scalar' && value.text === '';
  return ofKey || value.kind === 'mapping' || isEmpty ? keyAt : value.at;
}
