import { compileSchema } from '../../activities/json-schema';
import type { GateForm } from '../../plan/people/gate';
import type { Json } from '../../plan/text/json';
import type { LobsterAnswer } from './arguments';
import { parseError } from './exit';
import type { PausedRun } from './paused-run';
import type { TokenKind } from './token';

/**
 * Whether an answer fits the question, in Lobster's words, before anything is sent, so that another can be given after a wrong one. Fails
 * with parse errors.
 */
export interface AskedFor {
  kind: TokenKind;
  paused: Pick<PausedRun, 'asks' | 'step'>;
  form: GateForm;
  /** Who answers, as far as the environment tells. */
  by: string | undefined;
}

export function checkAnswer(answer: LobsterAnswer, asked: AskedFor): void {
  const { kind, paused } = asked;
  if (answer.kind === 'cancel') return;
  if (paused.asks === 'approval') {
    if (answer.kind === 'respond') throw parseError(APPROVAL_WANTED[kind]);
    if (answer.kind === 'approve') checkIdentity(asked);
    return;
  }
  if (answer.kind !== 'respond') throw parseError(RESPONSE_WANTED[kind]);
  checkSchema(answer.response, asked);
}

const APPROVAL_WANTED: Readonly<Record<TokenKind, string>> = {
  'workflow-file': 'Workflow resume requires --approve yes|no for approval requests',
  'pipeline-resume': 'approval resumes require approved=true|false, not response',
};
const RESPONSE_WANTED: Readonly<Record<TokenKind, string>> = {
  'workflow-file': 'Workflow resume requires --response-json for input requests',
  'pipeline-resume': 'pipeline input resumes require response',
};

function checkIdentity({ form, by, paused: { step } }: AskedFor): void {
  const { requiredApprover, requireDifferentApprover, initiatedBy } = form;
  if (!requiredApprover && !requireDifferentApprover) return;
  if (!by) throw parseError(`Workflow step ${step} approval requires approver identity; set LOBSTER_APPROVAL_APPROVED_BY`);
  if (requiredApprover && by !== requiredApprover) {
    throw parseError(`Workflow step ${step} approval requires approver '${requiredApprover}', got '${by}'`);
  }
  if (requireDifferentApprover && by === initiatedBy) {
    throw parseError(`Workflow step ${step} approval must be granted by someone other than '${initiatedBy}'`);
  }
}

function checkSchema(response: Json, { kind, form: { responseSchema }, paused: { step } }: AskedFor): void {
  const why = responseSchema === undefined ? undefined : whyNot(response, responseSchema);
  if (why === undefined) return;
  throw parseError(`${kind === 'workflow-file' ? `Workflow input step ${step}` : 'pipeline input'} response ${why}`);
}

/** What is wrong with a response, in Lobster's words; undefined if it satisfies the schema. */
export function whyNot(response: Json, schema: Json): string | undefined {
  // Loaded only if there is something to check: loading takes a moment.
  const validate = compileSchema(schema);
  if (typeof validate === 'string') return 'schema is invalid';
  if (validate(response)) return undefined;
  const [first] = validate.errors ?? [];
  return `failed schema validation at ${first?.instancePath || '/'}: ${first?.message ?? ''}`.trimEnd();
}
