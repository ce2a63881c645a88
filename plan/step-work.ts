import type { ArtifactRef } from './artifact';
import type { Json } from './json';
import type { Usage } from './usage';
import type { VerdictRecord } from './verdict';

/** What the activity of a step is given, and what it gives: part of the contract between workflows and activities. */

/** What every step's activity gets. Its address is the activity id. */
export interface StepInput {
  run: string;
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  findings?: Findings;
  /** The step's own output of the round before. */
  previous?: ArtifactRef;
  note?: TryNote;
  /** An operator's replacement for the inputs. */
  with?: Json;
  messages?: AgentMessage[];
  /** Of a review: its critic is asked, and not its reviewer. */
  critic?: true;
  /** The loops it stands in, from the outside in. */
  loops?: LoopPosition[];
}

/** Which item of a loop: the list is in the store, so that items never travel. */
export interface LoopPosition {
  list: ArtifactRef;
  index: number;
  /** The names under which the body reads them. */
  itemVar: string;
  indexVar: string;
}

/** Why a step runs another round. */
export interface Findings {
  /** Short address of the review that sent it back. */
  review: string;
  report?: ArtifactRef;
  /** What a person at an escalation gate asked for. */
  instructions?: string;
}

/** Why a step runs another try. */
export interface TryNote {
  reason: 'timeout' | 'missing_fields' | 'api_error' | 'retry' | 'operator';
  message: string;
  missingFields?: string[];
  /** The incomplete report. */
  previous?: ArtifactRef;
}

export interface AgentMessage {
  from: string;
  content: Json;
  at: string;
}

export interface StepOutput {
  artifact?: ArtifactRef;
  /** By `pathKey`: exactly the plan's `reads`, at most 64 KiB. */
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  usage?: Usage;
  adapter?: string;
  /** Repair requests made within the try, each with what was missing. */
  repairs?: { missingFields: string[] }[];
  /** What a step with `approval` asks now that its work is done. */
  approval?: RenderedApproval;
}

/** The question of an approval behind a step: its own prompt, or what the command printed. */
export interface RenderedApproval {
  /** A `GateForm`; its digest is what a decision binds to. */
  form: ArtifactRef;
  question: string;
  initiatedBy?: string;
  requiredApprover?: string;
  requireDifferentApprover?: true;
}

/** The key of a read path in `StepOutput.values`; the whole output is `$`. */
export function pathKey(path: readonly (string | number)[]): string {
  return path.length === 0 ? '$' : path.join('.');
}

/** The key under which a command's text output travels, where an expression reads it. */
export const STDOUT_KEY = '$stdout';
