import type { ArtifactRef } from '../../plan/run/artifact';
import { field, type Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { MemoryArtifacts } from '../../records/memory/memory-store';
import type { PlayedTest } from './play-test';

/** The value of an artifact: JSON if it parses, else its text. */
export type ReadStored = (ref: ArtifactRef) => Json;

export function storedContent(artifacts: MemoryArtifacts): ReadStored {
  return ({ sha256, mediaType }) => {
    const text = artifacts.read(sha256).toString('utf8');
    return mediaType === 'application/json' ? parseJson(text) : text;
  };
}

/** The output of the run: a step's artifact is given by reference, and looked up here. Undefined if it did not end well. */
export function runOutput({ result, stores, run }: Pick<PlayedTest, 'result' | 'stores' | 'run'>): Json | undefined {
  if (result?.status !== 'completed') return undefined;
  const sha256 = field(result.output, 'sha256');
  const mediaType = field(result.output, 'mediaType');
  const byReference = Object.values(result.artifacts).some((ref) => ref.sha256 === sha256);
  if (typeof sha256 !== 'string' || typeof mediaType !== 'string' || !byReference || hasOutput(run)) return result.output;
  return storedContent(stores.artifacts)({ sha256, mediaType, sizeBytes: 0 });
}

/** Whether the pipeline says itself its output. */
function hasOutput(run: PlayedTest['run']): boolean {
  return field(run.query('plan'), 'output') !== undefined;
}
