import { isUtf8 } from 'node:buffer';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepInput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { PAGE_PARAMETERS, pageOf } from './files/page';
import { refused, type Tool, type ToolUse } from './tool';
import { numberArgument, textArgument } from './tool-arguments';

/**
 * The inputs of the agent's step, and the other outputs upstream of it, in full: it reaches nothing else of the store, whatever digest is
 * given. If an operator has replaced the inputs, there are no others.
 */
export const READ_ARTIFACT: Tool = {
  description:
    'Reads the outputs of steps before yours in whole, even if your task shows only a part of one or only its name. Name the step or the artifact; without either, ' +
    'it lists all artifacts. Long texts come page by page: a note at the end says where to continue.',
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      step: { type: 'string', description: 'the step that produced it' },
      name: { type: 'string', description: 'the name of the artifact, such as Report.json' },
      sha256: { type: 'string', description: 'its digest' },
      ...PAGE_PARAMETERS,
    },
  },
  async call(args, use) {
    const all = readables(use.input);
    const [step, name, sha256] = ['step', 'name', 'sha256'].map((key) => textArgument(args, key));
    if (step === undefined && name === undefined && sha256 === undefined) return { text: list(all) };
    const found = all.filter((one) => fits(one, { step, name, sha256 }));
    const [only] = found;
    if (!only) return refused(`there is no such artifact for this step; ${list(all)}`);
    // The same content under several names is not ambiguous.
    if (new Set(found.map(({ key }) => key)).size > 1)
      return refused(`several match; name the step: ${found.map((one) => one.step).join(', ')}`);
    const text = await textOfReadable(only, use);
    if (text === undefined) return refused(`${described(only)} is not text`);
    // Masked before it is cut into pages: nobody could mask half a secret at the end of one.
    return { text: pageOf(use.mask(text), { offset: numberArgument(args, 'offset'), limit: numberArgument(args, 'limit') }) };
  },
};

interface Readable {
  step: string;
  /** Equal for equal content. */
  key: string;
  content: { ref: ArtifactRef } | { given: Json };
}

function readables({ inputs = {}, upstream = {}, with: replaced }: StepInput): Readable[] {
  if (replaced !== undefined) {
    const given: JsonObject = isJsonObject(replaced) ? replaced : { input: replaced };
    return Object.entries(given).map(([step, value]) => ({ step, key: step, content: { given: value } }));
  }
  return Object.entries({ ...inputs, ...upstream }).map(([step, ref]) => ({ step, key: ref.sha256, content: { ref } }));
}

function fits({ step, content }: Readable, asked: { [K in 'step' | 'name' | 'sha256']: string | undefined }): boolean {
  const ref = 'ref' in content ? content.ref : undefined;
  return (
    (asked.step === undefined || asked.step === step) &&
    (asked.name === undefined || asked.name === (ref ? ref.name : step)) &&
    (asked.sha256 === undefined || asked.sha256.toLowerCase() === ref?.sha256)
  );
}

/** Undefined if it is no text. */
async function textOfReadable({ content }: Readable, { toolbox }: ToolUse): Promise<string | undefined> {
  if ('given' in content) return typeof content.given === 'string' ? content.given : jsonText(content.given, { step: '  ' });
  const bytes = await toolbox.artifacts.get(content.ref);
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined;
}

function described({ step, content }: Readable): string {
  if ('given' in content) return `"${step}", given by an operator`;
  const { name, mediaType, sizeBytes } = content.ref;
  return `step "${step}"${name === undefined ? '' : `, ${name}`} (${mediaType}, ${sizeBytes} bytes)`;
}

function list(all: readonly Readable[]): string {
  return all.length === 0 ? 'there is nothing upstream of this step' : `there is:\n${all.map((one) => `- ${described(one)}`).join('\n')}`;
}
