import { defined } from '../../plan/defined';
import type { GateForm, GateView } from '../../plan/people/gate';
import type { Json } from '../../plan/text/json';
import { beginning } from '../../plan/text/shortened';
import { type ApprovalRequest, type InputRequest, okEnvelope } from './envelope';
import { runtimeError } from './exit';

/** An open gate as Lobster puts it to a program. Pure. */
/** The form of a gate; only its question if the form cannot be read. */
export function formOf(gate: Pick<GateView, 'question'>, form: GateForm | undefined): GateForm {
  return form ?? { prompt: gate.question };
}

export function approvalRequest(form: GateForm, token: { resumeToken: string; approvalId: string }): ApprovalRequest {
  return {
    type: 'approval_request',
    prompt: form.prompt,
    items: form.items ?? [],
    ...defined({
      preview: form.preview || undefined,
      initiatedBy: form.initiatedBy || undefined,
      requiredApprover: form.requiredApprover || undefined,
      requireDifferentApprover: form.requireDifferentApprover || undefined,
    }),
    ...token,
  };
}

export interface InputLimits {
  /** The size limit of the envelope, in bytes. */
  maxBytes: number;
  /** The step's name in messages. */
  step: string;
  /** An `input` step always gives its subject, even if it is empty; a stage that asks gives one only if it has one. */
  alwaysSubject: boolean;
}

/**
 * The request of an input gate. A subject that makes the envelope too large is shown by its beginning, then by its size alone: it stays
 * complete in the run. Fails if the question itself is too large.
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

/** `LOBSTER_MAX_TOOL_ENVELOPE_BYTES` if it is a sensible number. */
export function envelopeLimit(env: NodeJS.ProcessEnv): number {
  const wanted = Number(env['LOBSTER_MAX_TOOL_ENVELOPE_BYTES']);
  return Number.isFinite(wanted) && wanted >= LEAST_ENVELOPE_BYTES ? Math.floor(wanted) : DEFAULT_ENVELOPE_BYTES;
}

function* shortened(subject: Json | undefined): Generator<Json | undefined> {
  yield subject;
  const text = JSON.stringify(subject ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > SUBJECT_BYTES) yield { truncated: true, bytes, preview: beginning(text, PREVIEW_CHARACTERS) };
  yield { truncated: true, bytes, preview: '[subject omitted: envelope size limit]' };
}

function envelopeBytes(requiresInput: InputRequest): number {
  return Buffer.byteLength(JSON.stringify(okEnvelope({ status: 'needs_input', output: [], requiresApproval: null, requiresInput })));
}
