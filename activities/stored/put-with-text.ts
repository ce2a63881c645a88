import type { ArtifactRef } from '../../plan/run/artifact';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { ArtifactStore } from '../../records/artifact-store';

/** Stores a value as JSON, and beside it the text that goes with it where that says something else. */
export async function putWithText(artifacts: ArtifactStore, name: string, value: Json, text: string): Promise<ArtifactRef> {
  const json = jsonText(value);
  // Text that says the same is what is stored, as it is laid out.
  if (text === json || saysTheSame(text, json)) return await artifacts.put(text, { mediaType: 'application/json', name });
  const beside = await artifacts.put(text, { mediaType: 'text/plain' });
  return { ...(await artifacts.put(json, { mediaType: 'application/json', name })), stdout: beside.sha256 };
}

function saysTheSame(text: string, json: string): boolean {
  const parsed = parseUntrustedJson(text);
  return parsed !== undefined && jsonText(parsed) === json;
}
