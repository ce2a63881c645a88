import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { grantEntriesIn } from '../stored-grant';

/** The entries of a project that count, as texts: an answer that two added at once counts once. */
export function grantTexts(stored: readonly Json[], project: string): string[] {
  const known = new Set<string>();
  return stored.flatMap((entry) => {
    const [read] = grantEntriesIn(entry, project);
    if (!read) return [];
    if (read.kind === 'granted') {
      if (known.has(read.id)) return [];
      known.add(read.id);
    }
    return [jsonText(entry)];
  });
}
