import { defined } from '../../plan/defined';
import type { GateForm, GateView } from '../../plan/people/gate';
import type { Json } from '../../plan/text/json';
import { type ApprovalRequest, type InputRequest, okEnvelope } from './envelope';
import { runtimeError } from './exit';

/** An open gate as Lobster puts it to a program. Pure. */
/** The form of a gate; its bare question where its form is not to be had. */
export function formOf(gate: Pick<GateView, 'question'>, form: GateForm | undefined): GateForm {
  return form ?? { prompt: gate.question };
}

export function approvalRequest(form: GateForm, token: { resumeToken: string; approvalId: string }): ApprovalRequest {
  return {
    type: 'approval_request',
    prompt: form.prompt,
    items: form.items ?? [],
    ...(form.preview ? { preview: form.preview } : {}),
    ...(form.initiatedBy ? { initiatedBy: form.initiatedBy } : {}),
    ...(form.requiredApprover ? { requiredApprover: form.requiredApprover } : {}),
    ...(form.requireDifferentApprover ? { requireDifferentApprover: true } : {}),
    ...token,
  };
}

export interface InputLimits {
  /** Of the envelope, in bytes. */
  maxBytes: number;
  /** As messages name the step. */
  step: string;
  /** An `input` step always says what it is about, be it nothing; a stage that asks only where it knows. */
  alwaysSubject: boolean;
}

/**
 * A subject that makes the envelope too large is shown by its beginning, then by its size alone: it stays whole in the run.
 * Fails where the question itself is too large.
 */
export function inputRequest(form: GateForm, resumeToken: string, { maxBytes, step, alwaysSubject }: InputLimits): InputRequest {
  const subject = form.subject ?? (alwaysSubject ? null : undefined);
  const make = (shown: Json | undefined): InputRequest => ({
    type: 'input_request',
    prompt: form.prompt,
    responseSchema: form.responseSchema ?? {},
    ...defined({ defaults: form.defaults, subject: shown }),
    resumeToken,
  });
  for (const shown of shortened(subject)) {
    const request = make(shown);
    if (envelopeBytes(request) <= maxBytes) return request;
  }
  throw runtimeError(`Workflow input step ${step} needs_input envelope exceeds ${maxBytes} bytes even after subject truncation`);
}

const DEFAULT_ENVELOPE_BYTES = 512_000;
const LEAST_ENVELOPE_BYTES = 1024;
const SUBJECT_BYTES = 192_000;
const PREVIEW_CHARACTERS = 2000;

/** `LOBSTER_MAX_TOOL_ENVELOPE_BYTES` where it is a number that makes sense. */
export function envelopeLimit(env: NodeJS.ProcessEnv): number {
  const wanted = Number(env['LOBSTER_MAX_TOOL_ENVELOPE_BYTES']);
  return Number.isFinite(wanted) && wanted >= LEAST_ENVELOPE_BYTES ? Math.floor(wanted) : DEFAULT_ENVELOPE_BYTES;
}

function* shortened(subject: Json | undefined): Generator<Json | undefined> {
  yield subject;
  const text = JSON.stringify(subject ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > SUBJECT_BYTES) yield { truncated: true, bytes, preview: text.slice(0, PREVIEW_CHARACTERS) };
  yield { truncated: true, bytes, preview: '[subject omitted: envelope size limit]' };
}

function envelopeBytes(requiresInput: InputRequest): number {
  return Buffer.byteLength(JSON.stringify(okEnvelope({ status: 'needs_input', output: [], requiresApproval: null, requiresInput })));
}
