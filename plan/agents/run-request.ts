import type { ArtifactRef, Sha256 } from '../run/artifact';
import type { Json } from '../text/json';

/**
 * What an agent asks its run to do in addition to its own work, without waiting for it. The tool that it calls records the request; the
 * agent's call then ends, the run takes the request up, and the agent continues.
 */
export type RunRequest = {
  /** `<session>/request-<n>`: taken up once. */ id: string /** The agent whose request it is. */;
  agent: string;
} & RunRequestBody;

export type RunRequestBody =
  /** A message to a channel of the run. */
  | { kind: 'notify'; channel: string; message: string }
  /** Something that the agent's superior should know. */
  | { kind: 'escalate'; reason: string; artifacts?: ArtifactRef[] }
  /** A run of its own; `workflowId` is the same for the same pipeline with the same args. */
  | { kind: 'start'; pipeline: string; plan: Sha256; args: Record<string, Json>; workflowId: string };

/** The limit of messages in one try of an agent. */
export const NOTIFY_LIMIT = 5;
export const ESCALATE_LIMIT = 3;
/** The length that Discord accepts for one message. */
export const NOTIFY_CHARACTERS = 2000;
export const ESCALATE_CHARACTERS = 4000;
export const ESCALATE_ARTIFACTS = 10;
/** The limit of the args of a run that an agent starts, as JSON. */
export const START_ARGS_CHARACTERS = 64 * 1024;

/** A run that an agent has started, as its next call reports it. */
export interface StartedRunView {
  workflowId: string;
  /** Id of its first execution. */
  run: string;
}
