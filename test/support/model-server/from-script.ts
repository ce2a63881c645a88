import { replyFits, type Script, type ScriptedReply } from '../../../plan/agents/script';
import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { unreachable } from '../../../plan/unreachable';
import type { Voice } from './dialect';
import type { Serve } from './received';
import { fail, type Served } from './served';

/**
 * The replies of a script (`pipelines/scripts/*.yaml`, read and merged) as a model gives them. They are found by the step in the
 * idempotency key, `workflow/run/address/ask/turn`. Delays are left out. A failure in the script becomes an answer of the API that leads to
 * this failure.
 */
export function replyFromScript<Reply>(script: Script, voice: Voice<Reply>): Serve<Reply> {
  return ({ idempotencyKey, body }) => {
    const entry = scriptedReplyFor(script, idempotencyKey);
    return entry ? servedOf(entry, body, voice) : fail(500, `the script has no reply for ${idempotencyKey}`);
  };
}

const KEY = /^[^/]+\/[^/]+\/([^#~]+)#(\d+)~(\d+)(?:\/.*?)?\/(\d+)\/\d+$/;

export function scriptedReplyFor({ replies }: Script, idempotencyKey: string): ScriptedReply | undefined {
  const [, path = '', round, again, ask] = KEY.exec(idempotencyKey) ?? [];
  const segments = path.split('/');
  const step = segments.at(-1)?.replace(/\[\d+\]$/, '') ?? '';
  const iterations = segments.flatMap((segment) => /\[(\d+)\]$/.exec(segment)?.[1] ?? []).map(Number);
  const entries = replies[step] ?? replies[`${step}.critic`];
  return entries?.find((entry) => replyFits(entry, { round: Number(round), try: Number(again), ask: Number(ask), iterations }));
}

function servedOf<Reply>({ reply, calls = [], usage = {} }: ScriptedReply, body: JsonObject, voice: Voice<Reply>): Served<Reply> {
  const next = calls[voice.resultsIn(body)];
  if (next) return voice.call(next.tool, next.args);
  switch (reply.kind) {
    case 'json':
      return voice.say(JSON.stringify(naming(reply.value, body)), usage);
    case 'text':
      return voice.say(reply.text, usage);
    case 'hang':
      return { kind: 'silence' };
    case 'fail':
      return failing(reply, voice);
    default:
      return unreachable(reply);
  }
}

/** A script need not name the proposal of a vote. A model does, because its task names it. */
function naming(value: Json, body: JsonObject): Json {
  if (!isJsonObject(value) || value['vote'] === undefined || value['proposalId'] !== undefined) return value;
  const [, proposalId] = /\\"id\\": ?\\"([^"\\]+-\d+)\\"/.exec(JSON.stringify(body)) ?? [];
  if (proposalId === undefined) throw new Error('the task of a vote names no proposal');
  return { proposalId, ...value };
}

function failing<Reply>(
  { code, message, retryAfterMs }: Extract<ScriptedReply['reply'], { kind: 'fail' }>,
  voice: Voice<Reply>,
): Served<Reply> {
  switch (code) {
    case 'model.overloaded':
      return fail(voice.overloaded, message, retryAfterMs === undefined ? {} : { headers: { 'retry-after-ms': String(retryAfterMs) } });
    case 'model.refused':
      return voice.refuse(message);
    case 'model.bad-request':
      return fail(400, message);
    case 'model.unauthorized':
      return fail(401, message);
    case 'agent.timeout':
    case 'agent.stuck':
      return { kind: 'silence' };
    default:
      return fail(500, message);
  }
}
