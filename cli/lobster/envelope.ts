import type { GateForm } from '../../plan/people/gate';
import type { Json } from '../../plan/text/json';

/** Lobster's answer to a program: one JSON document on standard output. Keys are in Lobster's order. */
export const PROTOCOL_VERSION = 1;

export interface ApprovalRequest extends Pick<GateForm, 'preview' | 'initiatedBy' | 'requiredApprover'> {
  type: 'approval_request';
  prompt: string;
  items: Json[];
  requireDifferentApprover?: true;
  resumeToken: string;
  approvalId: string;
}

export interface InputRequest {
  type: 'input_request';
  prompt: string;
  responseSchema: Json;
  defaults?: Json;
  subject?: Json;
  resumeToken: string;
}

/** How a call ended that did not fail. */
export interface LobsterOutcome {
  status: 'ok' | 'needs_approval' | 'needs_input' | 'cancelled';
  output: Json[];
  requiresApproval: ApprovalRequest | null;
  requiresInput: InputRequest | null;
}

export type ErrorType = 'parse_error' | 'runtime_error' | 'doctor_error';

export type LobsterEnvelope =
  | ({ protocolVersion: typeof PROTOCOL_VERSION; ok: true } & LobsterOutcome)
  | { protocolVersion: typeof PROTOCOL_VERSION; ok: false; error: { type: ErrorType; message: string } };

export function done(output: Json[]): LobsterOutcome {
  return { status: 'ok', output, requiresApproval: null, requiresInput: null };
}

export const CANCELLED: LobsterOutcome = { status: 'cancelled', output: [], requiresApproval: null, requiresInput: null };

export function okEnvelope({ status, output, requiresApproval, requiresInput }: LobsterOutcome): LobsterEnvelope {
  return { protocolVersion: PROTOCOL_VERSION, ok: true, status, output, requiresApproval, requiresInput };
}

export function errorEnvelope(type: ErrorType, message: string): LobsterEnvelope {
  return { protocolVersion: PROTOCOL_VERSION, ok: false, error: { type, message } };
}

export function printed(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
