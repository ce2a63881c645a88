import type { ArtifactRef } from '../run/artifact';
import type { Json } from '../text/json';

/** What a message is for (docs/protocol.md, 4.3). */
export const INTENTS = [
  'assign_task',
  'deliver_report',
  'request_clarification',
  'review_request',
  'review_verdict',
  'collect_opinion',
  'escalate',
  'notify',
] as const;
export type Intent = (typeof INTENTS)[number];

/** A message between agents, or between agents and people (docs/protocol.md, 4.3). Field names are the protocol's. */
export interface Envelope {
  from: string;
  to: string;
  intent: Intent;
  /** `<run>/<address>` of the step it belongs to. */
  ref_task: string;
  payload: EnvelopePayload;
  expect_response: boolean;
}

/** JSON, or a reference to an artifact; `sha256` pins its version. */
export type EnvelopePayload = Json | { $ref: string; sha256: string };

export function payloadRef(artifact: ArtifactRef): { $ref: string; sha256: string } {
  return { $ref: artifact.name ?? artifact.sha256, sha256: artifact.sha256 };
}
