import { RUN_STATES, type RunState } from '../../plan/run/status';
import { isJsonObject, type Json } from '../../plan/text/json';
import { isMoment } from '../runs/ended-run';
import { damaged, ExportProblem } from './export-problem';
import { isPortable } from './portable-name';

/**
 * The folder that `thermidor export` makes:
 *
 * - `thermidor-export.json`, this manifest
 * - `index.html`, the page; `costs.json`
 * - `artifacts/NAME`: outputs, and what plans name by digest
 * - `runs/NAME/`, for the run and each of its children: `run.json`, `plan.json`, `journal.jsonl`, `accounts.jsonl`, and for each call
 *   `transcripts/NAME.jsonl` and `logs/NAME.log`
 */
export const MANIFEST = 'thermidor-export.json';
export const EXPORT_FORMAT = 'thermidor-export';
export const EXPORT_VERSION = 1;

export interface ExportManifest {
  format: typeof EXPORT_FORMAT;
  version: typeof EXPORT_VERSION;
  run: string;
  pipeline: string;
  /** The run's, when it was exported. */
  state: RunState;
  exportedAt: string;
  /** The version of Thermidor that exported it. */
  by: string;
  files: ExportedFile[];
  /** Digests of outputs that the store did not have any more. */
  missing: string[];
}

/** `path` has `/` between its parts. */
export interface ExportedFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  holds: Holds;
}

export type Holds =
  | { kind: 'page' | 'costs' }
  | { kind: 'run' | 'plan' | 'journal' | 'accounts'; run: string }
  /** `call`: the id of the call. */
  | { kind: 'transcript' | 'log'; run: string; call: string }
  /** `masked`: the digest that the content had with the secrets that the export leaves out. */
  | { kind: 'artifact'; mediaType: string; name?: string; masked?: string };

/** The largest document that is read at once. Outputs have the store's limit. */
export const DOCUMENT_LIMIT_BYTES = 256 * 1024 * 1024;
const FILE_LIMIT = 500_000;

/** Fails with `import.no-export`, `import.version`, and with `import.damaged` if a field or a path is not what an export has. */
export function readManifest(stored: Json | undefined): ExportManifest {
  if (!isJsonObject(stored) || stored['format'] !== EXPORT_FORMAT) {
    throw new ExportProblem('import.no-export', `${MANIFEST} is no manifest of an export`, 'name a folder that `thermidor export` made');
  }
  const { version, run, pipeline, exportedAt, by, files, missing } = stored;
  const state = RUN_STATES.find((known) => known === stored['state']);
  if (version !== EXPORT_VERSION) {
    throw new ExportProblem('import.version', `the export is of version ${JSON.stringify(version)}; this program reads ${EXPORT_VERSION}`);
  }
  if (typeof run !== 'string' || typeof pipeline !== 'string' || !state || !isMoment(exportedAt) || typeof by !== 'string') {
    throw damaged(MANIFEST, 'run, pipeline, state, exportedAt or by is missing or invalid');
  }
  if (!Array.isArray(files) || files.length > FILE_LIMIT) throw damaged(MANIFEST, `files is no list of at most ${FILE_LIMIT}`);
  if (!Array.isArray(missing) || !missing.every(isDigest)) throw damaged(MANIFEST, 'missing is no list of digests');
  const known = files.map((file, at) => exportedFile(file) ?? fail(at));
  requireDistinct(known);
  return { format: EXPORT_FORMAT, version, run, pipeline, state, exportedAt, by, files: known, missing };
}

function fail(at: number): never {
  throw damaged(MANIFEST, `files[${at}] is no file of an export`);
}

function exportedFile(stored: Json): ExportedFile | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { path, sizeBytes, sha256 } = stored;
  const holds = heldIn(stored['holds']);
  if (typeof path !== 'string' || !holds || !isDigest(sha256)) return undefined;
  if (typeof sizeBytes !== 'number' || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return undefined;
  return isPlaceOf(holds, path.split('/')) ? { path, sizeBytes, sha256, holds } : undefined;
}

function heldIn(stored: Json | undefined): Holds | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { kind, run, call, mediaType, name, masked } = stored;
  switch (kind) {
    case 'page':
    case 'costs':
      return { kind };
    case 'run':
    case 'plan':
    case 'journal':
    case 'accounts':
      return typeof run === 'string' ? { kind, run } : undefined;
    case 'transcript':
    case 'log':
      return typeof run === 'string' && typeof call === 'string' ? { kind, run, call } : undefined;
    case 'artifact':
      if (typeof mediaType !== 'string') return undefined;
      return { kind, mediaType, ...(typeof name === 'string' ? { name } : {}), ...(isDigest(masked) ? { masked } : {}) };
    default:
      return undefined;
  }
}

/** Each kind has one place: no part of a path is `..`, empty or a drive. */
function isPlaceOf({ kind }: Holds, parts: readonly string[]): boolean {
  if (!parts.every(isPortable)) return false;
  const [top, , name] = parts;
  switch (kind) {
    case 'page':
      return parts.length === 1 && top === 'index.html';
    case 'costs':
      return parts.length === 1 && top === 'costs.json';
    case 'artifact':
      return parts.length === 2 && top === 'artifacts';
    case 'transcript':
    case 'log':
      return parts.length === 4 && top === 'runs' && name === CALL_FILES[kind].folder;
    default:
      return parts.length === 3 && top === 'runs' && name === DOCUMENTS[kind];
  }
}

/** The names of a run's documents. */
export const DOCUMENTS = { run: 'run.json', plan: 'plan.json', journal: 'journal.jsonl', accounts: 'accounts.jsonl' } as const;
/** Where the files of a run's calls are, one for each. */
export const CALL_FILES = { transcript: { folder: 'transcripts', ending: '.jsonl' }, log: { folder: 'logs', ending: '.log' } } as const;

function requireDistinct(files: readonly ExportedFile[]): void {
  const paths = new Set<string>();
  const things = new Set<string>();
  for (const { path, sha256, holds } of files) {
    const thing = holds.kind === 'artifact' ? sha256 : JSON.stringify(holds);
    if (paths.has(path.toLowerCase()) || things.has(thing)) throw damaged(MANIFEST, `${path} is there twice`);
    paths.add(path.toLowerCase());
    things.add(thing);
  }
}

function isDigest(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
