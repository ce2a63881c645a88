import { isInput } from '../../kinds/questions';
import type { GateForm } from '../../plan/people/gate';
import type { ResponseCheck, ResponsesInput, SentResponse } from '../../plan/steps/container-activities';
import type { Json } from '../../plan/text/json';
import { numberAt } from '../../plan/text/spelled-json';
import { getJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { asManyAsFit } from '../as-many-as-fit';
import { loadRun, stepAt } from '../run/load-run';
import { checkSchema } from '../schemas/schema-check';
import type { Toolbox } from '../toolbox';

/** Checks the answer to an input gate against its form's schema, or the step's own. A gate without a schema takes any JSON. */
export async function checkResponse(toolbox: Toolbox, call: ActivityCall, sent: Omit<SentResponse, 'step'>): Promise<ResponseCheck> {
  const { form } = sent;
  const response = numberAt(sent, 'response') ?? sent.response;
  const found = form ? await formSchema(toolbox, form) : await stepSchema(toolbox, call);
  const broken = found && (await checkSchema(toolbox, found.key, found.schema, response));
  if (!broken) return { problems: [] };
  return { problems: [...broken.missingFields.map((path) => `${path} is missing`), ...broken.problems] };
}

/** Checks many, each against the schema of its own gate; the first of them, as many as there is time for. */
export function checkResponses(toolbox: Toolbox, call: ActivityCall, { responses }: ResponsesInput): Promise<ResponseCheck[]> {
  return asManyAsFit(
    responses,
    (one) => checkResponse(toolbox, { ...call, id: one.step }, one),
    (message) => ({ problems: [`nobody could check it: ${message}`] }),
  );
}

interface FoundSchema {
  /** Under which its compiled form is kept. */
  key: string;
  schema: Json;
}

async function formSchema({ artifacts }: Toolbox, form: NonNullable<SentResponse['form']>): Promise<FoundSchema | undefined> {
  const { responseSchema } = await getJson<GateForm>(artifacts, form, 'the form of a gate');
  return responseSchema === undefined ? undefined : { key: `form ${form.sha256}`, schema: responseSchema };
}

async function stepSchema(toolbox: Toolbox, call: ActivityCall): Promise<FoundSchema | undefined> {
  const step = stepAt(await loadRun(toolbox, call.key), requireAddress(call));
  if (!isInput(step) || step.responseSchema === undefined) return undefined;
  const schema = await getJson<Json>(toolbox.artifacts, { sha256: step.responseSchema }, `the response schema of "${step.id}"`);
  return { key: step.responseSchema, schema };
}
