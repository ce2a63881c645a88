import type { ExpressionScope } from '../../plan/expressions/evaluate';
import { evaluateSpelled, render, spelledAtPath } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { type Json, type JsonObject, setField } from '../../plan/text/json';
import type { Spelled } from '../../plan/text/spelled-json';
import { boxedUntrustedJson } from '../../plan/text/untrusted-json';
import type { HookVariable } from '../../plan/web-hook';
import { CallbackRefused } from '../callbacks/refusal';
import type { Delivery } from './signature';

/** Deliveries of forms are an object of texts. */
export const JSON_KIND = 'application/json';
export const FORM_KIND = 'application/x-www-form-urlencoded';

/** What proves a delivery, or its sender, is no business of a run. */
const PROOF = /auth|cookie|token|secret|signature/;

/** The values that a web hook's expressions read. Throws `CallbackRefused` 400 for what cannot be read without risk. */
export function deliveryScope({ body, headers }: Delivery, kind: string): ExpressionScope {
  const shown: JsonObject = {};
  headers.forEach((value, name) => {
    if (!PROOF.test(name)) setField(shown, name, value);
  });
  const boxes: Record<HookVariable, { value: Json }> = { body: read(body, kind), headers: { value: shown } };
  return {
    output: () => undefined,
    record: () => undefined,
    arg: () => undefined,
    run: () => null,
    variable: (name, path) => (name === 'body' || name === 'headers' ? spelledAtPath(boxes[name], ['value', ...path]) : undefined),
    state: () => 'unsettled',
  };
}

function read(body: Buffer, kind: string): { value: Json } {
  const text = textOf(body);
  const box = kind === FORM_KIND ? { value: formOf(text) } : boxedUntrustedJson(text);
  if (!box) throw new CallbackRefused(400, 'the body is not JSON, or nested too deeply');
  return box;
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new CallbackRefused(400, 'the body is not UTF-8');
  }
}

function formOf(text: string): JsonObject {
  const fields: JsonObject = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name)) throw new CallbackRefused(400, `the form has "${name.slice(0, 80)}" twice`);
    setField(fields, name, value);
  }
  return fields;
}

/** The value of a template that is one expression, the text of any other. */
export function filledIn(template: Template, scope: ExpressionScope): Spelled {
  const [only, more] = template;
  return only === undefined || more !== undefined || typeof only === 'string' ? render(template, scope) : evaluateSpelled(only, scope);
}
