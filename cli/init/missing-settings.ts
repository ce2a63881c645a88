import { readFileSync } from 'node:fs';
import { dump, load } from 'js-yaml';

type Settings = Record<string, unknown>;

/**
 * What of the settings that a pipeline needs the file at `path` does not have, as text to be put there; undefined where nothing is missing. What is there
 * under the same name stays what it is: a group has the people of this house.
 */
export function missingSettings(path: string, needed: string | undefined): string | undefined {
  const there = read(path);
  const missing = needed === undefined ? {} : without(asSettings(load(needed)), there);
  const folders = there['pipelines'];
  // Without the key, the folder `pipelines` is one of those that are looked into.
  if (Array.isArray(folders) && !folders.includes('pipelines')) missing['pipelines'] = [...folders, 'pipelines'];
  return Object.keys(missing).length === 0 ? undefined : dump(missing, { flowLevel: 2, lineWidth: 120 });
}

/** Of a file that is no YAML everything is missing; what is wrong with it, the next command says, with its place. */
function read(path: string): Settings {
  try {
    return asSettings(load(readFileSync(path, 'utf8')));
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
