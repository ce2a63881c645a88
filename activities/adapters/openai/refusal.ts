import { defined } from '../../../plan/defined';
import { isJsonObject, type Json } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import { fields, json, listOf, text } from '../../../records/outside-json';
import type { ApiRefusal } from '../model/api-failure';

/** Ways in which servers of this family say that something is unsupported. Pure. */

const LONG =
  /context[_ ](length|window|size)|maximum context|maximum model length|prompt is too long|too many (input )?tokens|exceeds? the (available|model.{0,10}) context/i;
const REFUSED = [400, 413, 422];

/** @param text the body of an answer whose status is no success */
export function completionRefusal(status: number, text: string, headers: Headers): ApiRefusal {
  const reported = errorIn(jsonIn(text) ?? null);
  const form = /^\s*</.test(text) ? 'html' : 'other';
  if (!reported) return { status, headers, form, ...(form === 'html' ? {} : { says: text }) };
  return { ...becauseOf(status, reported), status, headers, says: reported.says };
}

/** The refusal in an error that came in place of a reply: in a stream, or with a good status. */
export function refusalWithin(answer: Json): ApiRefusal | undefined {
  const reported = errorIn(answer) ?? errorOfChoice(answer);
  if (!reported) return undefined;
  const status = reported.status !== undefined && reported.status >= 400 && reported.status < 600 ? reported.status : undefined;
  return { ...becauseOf(status, reported), says: reported.says, ...defined({ status }) };
}

const CHOICES = fields({ choices: listOf(fields({ error: json, finish_reason: text })) });

/** A gateway reports the error next to the text so far. */
function errorOfChoice(answer: Json): Told | undefined {
  for (const { error, finish_reason: finish } of CHOICES.parse(answer).choices) {
    const reported = errorIn({ error: error ?? null });
    if (reported) return reported;
    if (finish === 'error') return { says: 'the reply broke off', code: '' };
  }
  return undefined;
}

interface Told {
  says: string;
  code: string;
  status?: number;
}

function becauseOf(status: number | undefined, { says, code }: Told): Pick<ApiRefusal, 'because'> {
  if (/insufficient_quota|billing|insufficient balance/i.test(`${code} ${says}`) && (status === undefined || status < 500))
    return { because: 'quota' };
  if ((status === undefined || REFUSED.includes(status)) && LONG.test(`${code} ${says}`)) return { because: 'context-length' };
  if (status === undefined && /overload|rate_limit|rate limit|too many requests/i.test(`${code} ${says}`)) return { because: 'overloaded' };
  return {};
}

const ERROR = fields({ message: json, detail: json, code: json, type: text, param: text });
const BODY = fields({ error: json, message: json, detail: json, choices: json });

/** `{error: {message, type, code, param}}`, `{error: "…"}`, `{message}`, `{detail}`, alone or in a list. */
function errorIn(answer: Json): Told | undefined {
  const body = Array.isArray(answer) ? (answer[0] ?? null) : answer;
  if (!isJsonObject(body)) return undefined;
  const { error: stated, message, detail, choices } = BODY.parse(body);
  // A piece of a reply is no error, unless it says so itself: some break off a reply like this.
  const isError = !Array.isArray(choices) && (message !== undefined || detail !== undefined);
  const error = stated ?? (isError ? body : undefined);
  // Some servers say in each piece that there is none.
  if (!error || error === true) return undefined;
  if (typeof error === 'string') return { says: error, code: '' };
  const { code, type, param = '', ...said } = ERROR.parse(error);
  const words = [said.message ?? '', said.detail ?? ''].filter((word) => word !== '');
  const says = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
  return {
    says: says.includes(param) ? says || JSON.stringify(error) : `${says} (${param})`,
    code: [code, type].filter((word) => typeof word === 'string').join(' '),
    ...(/^\d{3}$/.test(String(code)) ? { status: Number(code) } : {}),
  };
}
