import { dump, load } from 'js-yaml';
import { readSourceFile } from '../../worker/source-file';

type Settings = Record<string, unknown>;

/**
 * The settings that a pipeline needs and the file at `path` lacks, as text to be added; undefined if nothing is missing. Existing entries
 * keep their value, for example the members of a group.
 */
export function missingSettings(path: string, needed: string | undefined): string | undefined {
  const there = read(path);
  const missing = needed === undefined ? {} : without(asSettings(load(needed)), there);
  const folders = there['pipelines'];
  // Without the key, the folder `pipelines` is searched by default.
  if (Array.isArray(folders) && !folders.includes('pipelines')) missing['pipelines'] = [...folders, 'pipelines'];
  return Object.keys(missing).length === 0 ? undefined : dump(missing, { flowLevel: 2, lineWidth: 120 });
}

/** Reads the settings. In an invalid YAML file everything counts as missing; the next command reports its mistakes with their places. */
function read(path: string): Settings {
  try {
    return asSettings(load(readSourceFile(path)));
  } catch {
    return {};
  }
}

/** `people.ann.token` is looked for, of `prices.models.NAME.input` only the model. */
const DEPTH = 3;

function without(needed: Settings, there: Settings, depth = DEPTH): Settings {
  const missing: Settings = {};
  for (const [key, value] of Object.entries(needed)) {
    if (!Object.hasOwn(there, key) || there[key] === null) missing[key] = value;
    else if (depth > 1 && isSettings(value) && isSettings(there[key])) {
      const within = without(value, there[key], depth - 1);
      if (Object.keys(within).length > 0) missing[key] = within;
    }
  }
  return missing;
}

function asSettings(value: unknown): Settings {
  return isSettings(value) ? value : {};
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
