import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
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

/** A gateway reports it next to the text so far. */
function errorOfChoice(answer: Json): Told | undefined {
  const choices = field(answer, 'choices');
  for (const choice of Array.isArray(choices) ? choices : []) {
    const reported = errorIn({ error: field(choice, 'error') ?? null });
    if (reported) return reported;
    if (field(choice, 'finish_reason') === 'error') return { says: 'the reply broke off', code: '' };
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

/** `{error: {message, type, code, param}}`, `{error: "…"}`, `{message}`, `{detail}`, alone or in a list. */
function errorIn(answer: Json): Told | undefined {
  const body = Array.isArray(answer) ? (answer[0] ?? null) : answer;
  if (!isJsonObject(body)) return undefined;
  const error = field(body, 'error') ?? (hasOther(body) ? body : undefined);
  // Some servers say in each piece that there is none.
  if (!error || error === true) return undefined;
  if (typeof error === 'string') return { says: error, code: '' };
  const words = ['message', 'detail'].map((key) => field(error, key)).filter((word) => word !== undefined && word !== null);
  const code = field(error, 'code');
  const param = field(error, 'param');
  const says = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
  return {
    says: typeof param === 'string' && !says.includes(param) ? `${says} (${param})` : says || JSON.stringify(error),
    code: [code, field(error, 'type')].filter((word) => typeof word === 'string').join(' '),
    ...(/^\d{3}$/.test(String(code)) ? { status: Number(code) } : {}),
  };
}

/** A piece of a reply is no error, unless it says so itself: some break off a reply like this. */
function hasOther(body: JsonObject): boolean {
  return !Array.isArray(field(body, 'choices')) && (field(body, 'detail') !== undefined || field(body, 'message') !== undefined);
}
