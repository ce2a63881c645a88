import { createHash } from 'node:crypto';
import { defined, unlessEmpty } from '../../../plan/defined';
import { isJsonObject, type Json } from '../../../plan/text/json';
import { asJsonItems, type Item, stableJson } from '../items/item';
import { flagText, type StageCall } from '../stage-call';
import { parseFlag, stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';
import { fromEnvironment, objectFlag } from './post-json';

/** The posted request to a model. */
export interface LlmPayload extends Record<string, Json> {
  prompt: string;
  artifacts: Json[];
  artifactHashes: string[];
  schemaVersion: string;
}

/** The request of `llm.invoke`: the items that come in, and those of `--artifacts-json`, are its artifacts. */
export function llmPayload(call: StageCall, items: readonly Item[], { environment }: StagePorts): LlmPayload {
  const prompt = flagText(call, 'prompt') || call.words.join(' ');
  if (prompt === '') throw stageFailed(call, `${call.calledAs} requires --prompt or positional text`);
  const setting = (flag: string, ...names: string[]) => flagText(call, flag)?.trim() || fromEnvironment(environment, ...names);
  const model = setting('model', 'LOBSTER_LLM_MODEL', 'LLM_TASK_MODEL');
  const metadata = objectFlag(call, 'metadata-json', flagText(call, 'metadata-json'));
  const outputSchema = objectFlag(call, 'output-schema', flagText(call, 'output-schema'));
  const maxOutputTokens = numberFlag(call, 'max-output-tokens');
  const temperature = numberFlag(call, 'temperature');
  const artifacts = [...asJsonItems(items), ...givenArtifacts(call)].map(artifact);
  return {
    prompt,
    ...defined({ model: unlessEmpty(model) }),
    artifacts,
    artifactHashes: artifacts.map((one) => sha256(stableJson(one))),
    ...defined({ metadata, outputSchema }),
    schemaVersion: setting('schema-version', 'LOBSTER_LLM_SCHEMA_VERSION', 'LLM_TASK_SCHEMA_VERSION') || 'v1',
    ...defined({ maxOutputTokens, temperature }),
  };
}

/** Names the request: equal requests to equal providers have equal keys. */
export function requestKey(provider: string, payload: LlmPayload): string {
  const { prompt, schemaVersion, artifactHashes } = payload;
  const { model = `${provider}-default`, outputSchema = null, temperature = null, maxOutputTokens = null } = payload;
  const parts = { provider, prompt, model, schemaVersion, artifactHashes, outputSchema, temperature, maxOutputTokens };
  return sha256(stableJson({ cacheKeyVersion: 2, ...parts }));
}

function givenArtifacts(call: StageCall): Json[] {
  const written = flagText(call, 'artifacts-json');
  if (!written) return [];
  const what = `${call.calledAs} --artifacts-json must be a JSON array`;
  const value = parseFlag(call, written, what);
  if (!Array.isArray(value)) throw stageFailed(call, what);
  return value;
}

function artifact(item: Json): Json {
  if (isJsonObject(item)) return item;
  if (item === null || Array.isArray(item)) return { kind: 'json', data: item };
  return { kind: 'text', text: String(item) };
}

/** A value that is no number is skipped, as in Lobster. */
function numberFlag(call: StageCall, name: string): number | undefined {
  const written = flagText(call, name);
  const number = Number(written);
  return written === undefined || !Number.isFinite(number) ? undefined : number;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
