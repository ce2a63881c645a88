import type { RunOutcome } from '../../client/outcome';
import type { ArtifactRef } from '../../plan/run/artifact';
import { lobsterResult } from '../../plan/stages/lobster-result';
import { isJsonObject, type Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { ArtifactStore } from '../../records/artifact-store';

/** The output of a completed run, read from the store: the run itself has only a reference. */
export interface LobsterResult {
  output: Json[];
  /** The output of a program: the text of its renderers, or its items. */
  text: string;
}

/** A workflow file's: the last step's output as a list. */
export async function fileResult(outcome: RunOutcome, store: ArtifactStore): Promise<LobsterResult> {
  const ref = refOf(outcome.output);
  if (!ref) return { output: [], text: '' };
  const { value, text } = await contentOf(ref, store);
  return { output: lobsterResult(value === undefined ? { stdout: text } : { json: value }), text };
}

/** A program's result: the items at its end. */
export async function programResult(outcome: RunOutcome, store: ArtifactStore): Promise<LobsterResult> {
  const ref = refOf(outcome.output);
  if (!ref) return { output: [], text: '' };
  const { value, text } = await contentOf(ref, store);
  if (!ref.items || value === undefined) return { output: [], text };
  return { output: ref.items > 1 && Array.isArray(value) ? value : [value], text };
}

/** The content as a value if it is JSON: text that was output as is has none. */
async function contentOf(ref: ArtifactRef, store: ArtifactStore): Promise<{ value?: Json; text: string }> {
  const content = (await store.get(ref)).toString('utf8');
  if (ref.mediaType !== 'application/json') return { text: content };
  const text = ref.stdout === undefined ? content : (await store.get({ sha256: ref.stdout })).toString('utf8');
  return { value: parseJson(content), text };
}

function refOf(output: Json | undefined): ArtifactRef | undefined {
  return isJsonObject(output) && isRef(output) ? output : undefined;
}

function isRef(value: object): value is ArtifactRef {
  return 'sha256' in value && typeof value.sha256 === 'string' && 'mediaType' in value && typeof value.mediaType === 'string';
}
