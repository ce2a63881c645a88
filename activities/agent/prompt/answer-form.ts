import type { AgentDefinition } from '../../../plan/plan';
import type { Sha256 } from '../../../plan/run/artifact';
import type { Json } from '../../../plan/text/json';
import type { ArtifactStore } from '../../../records/artifact-store';
import { getJson } from '../../../records/stored-json';
import type { ReplyForm } from '../reply';
import { fenced } from './prompt';

/**
 * The form of answers to other agents: the schema that the caller names, else the agent's own, else a report. Messages between agents are
 * never free text (docs/protocol.md).
 */
export const REPORT_SCHEMA: Json = {
  type: 'object',
  required: ['summary', 'findings', 'artifacts'],
  properties: {
    summary: { type: 'string', pattern: '\\S', description: 'the answer in a few sentences' },
    findings: { type: 'array', items: { type: 'string' }, description: 'what was found, one finding for each entry; may be empty' },
    artifacts: { type: 'array', items: { type: 'string' }, description: 'names of the artifacts that the answer is about; may be empty' },
  },
};

export async function answerForm(
  artifacts: ArtifactStore,
  { schema: own }: Pick<AgentDefinition, 'schema'>,
  wanted: Sha256 | undefined,
): Promise<ReplyForm & { schema: NonNullable<ReplyForm['schema']> }> {
  const digest = wanted ?? own;
  const schema =
    digest === undefined
      ? { digest: 'agents-report', value: REPORT_SCHEMA }
      : { digest, value: await getJson<Json>(artifacts, { sha256: digest }, 'the schema of an answer') };
  return { json: true, verdict: false, schema };
}

/** The form of an answer, in words for the agent. */
export function answerInWords(schema: Json): string {
  const rule =
    'Answer with one JSON object and nothing else: no text before or after it. Give every required field; if you cannot know one, leave it ' +
    'out and list its path in a field `missing_fields`.';
  return `${rule} The object must satisfy this JSON Schema:\n\n${fenced(schema)}`;
}
