import { field } from '../../../plan/json';
import type { Script, ScriptedReply } from '../../../plan/script';
import { unreachable } from '../../../plan/unreachable';
import { scriptedReplyFor } from '../messages-server/from-script';
import { call, fail, type Served, say, sayJson } from './served';
import type { Received, Serve } from './server';

/** The replies of a script as a model gives them, found by the step in the idempotency key (`messages-server/from-script.ts`). */
export function replyFromScript(script: Script): Serve {
  return (request) => {
    const entry = scriptedReplyFor(script, request.idempotencyKey);
    return entry ? servedOf(entry, request) : fail(500, `the script has no reply for ${request.idempotencyKey}`);
  };
}

function servedOf({ reply, calls = [], usage = {} }: ScriptedReply, received: Received): Served {
  const next = calls[resultsOf(received)];
  if (next) return call([next.tool, next.args]);
  const { inputTokens = 10, outputTokens = 5, cacheReadTokens = 0 } = usage;
  const used = { usage: { prompt: inputTokens + cacheReadTokens, completion: outputTokens, cached: cacheReadTokens } };
  switch (reply.kind) {
    case 'json':
      return sayJson(reply.value, used);
    case 'text':
      return say(reply.text, used);
    case 'hang':
      return { kind: 'silence' };
    case 'fail':
      return failing(reply.code, reply.message, reply.retryAfterMs);
    default:
      return unreachable(reply);
  }
}

function failing(code: string, message: string, retryAfterMs: number | undefined): Served {
  switch (code) {
    case 'model.overloaded':
      return fail(429, message, retryAfterMs === undefined ? {} : { headers: { 'retry-after-ms': String(retryAfterMs) } });
    case 'model.refused':
      return { kind: 'reply', refusal: message };
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

/** Of the request that is under way. */
function resultsOf({ body }: Received): number {
  const roles = [field(body, 'messages') ?? []].flat().map((message) => field(message, 'role'));
  return roles.slice(roles.lastIndexOf('user') + 1).filter((role) => role === 'tool').length;
}
