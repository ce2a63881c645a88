import type { ArtifactRef } from '../../plan/run/artifact';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import type { ArtifactStore } from '../../records/artifact-store';

/** Stores a value as JSON, together with its text if that differs. */
export async function putWithText(artifacts: ArtifactStore, name: string, value: Json, text: string): Promise<ArtifactRef> {
  const json = jsonText(value);
  // An equivalent text is stored itself, with its layout.
  if (text === json || saysTheSame(text, json)) return await artifacts.put(text, { mediaType: 'application/json', name });
  const beside = await artifacts.put(text, { mediaType: 'text/plain' });
  return { ...(await artifacts.put(json, { mediaType: 'application/json', name })), stdout: beside.sha256 };
}

function saysTheSame(text: string, json: string): boolean {
  const parsed = parseUntrustedJson(text);
  return parsed !== undefined && jsonText(parsed) === json;
}
